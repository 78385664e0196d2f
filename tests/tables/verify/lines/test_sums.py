from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.verify.lines.dominance import Vectors
from incrowd.tables.verify.lines.sums import Sums
from oracles.problems import star_levels, types_of

ROWS = [(0, 0), (0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]


@pytest.fixture(scope="module")
def engine():
    with Engine() as one:
        yield one


def sums_of(engine, prices, k, parts=1):
    types = types_of(ROWS)
    columns = {f"r{j}": types.codes[:, j] for j in range(2)}
    rows = engine.put(pa.table({"type": np.arange(5), "n": types.counts, "p": np.array(prices, np.int64)} | columns))
    levels = star_levels(types)
    return Sums(engine, rows, levels, Vectors(levels, lambda vector: True), k, parts)


def kept_tables(engine):
    return engine.con.con.execute("SELECT count(*) FROM duckdb_tables()").fetchall()[0][0]


def test_what_instances_add_is_summed_up_with_the_rows_that_they_lack(engine):
    """By hand: types 00 (two rows), 01, 11, 21, 22."""
    one = sums_of(engine, [1, 3, 0, 0, 0], 2)
    assert one.prices() == 5
    # (0, *): terms 0, 0, -2: the row below 0 and one more; (2, *): 1, 1
    assert one.added((0, 1)) == (-2, 3)
    # (*, 1): terms -2, 1, 1 and two rows are asked
    assert one.added((1, 0)) == (-1, 3)
    assert one.added((0, 0)) == (-2, 2)  # type 00 by itself
    # stars alone: terms 1, 1, -1, 2, 2, 2
    assert one.added((1, 1)) == (0, 0)
    assert one.free((1, 1)) == -1


def test_an_instance_of_fewer_than_k_rows_adds_nothing(engine):
    assert sums_of(engine, [9, 9, 0, 0, 0], 4).added((0, 1)) == (0, 0)
    assert sums_of(engine, [9, 9, 0, 0, 0], 3).added((0, 1)) == (-24, 3)


def test_prices_are_in_parts_of_a_unit(engine):
    assert sums_of(engine, [9, 9, 0, 0, 0], 3, parts=8).added((0, 1)) == (-3, 3)


def test_what_was_kept_for_a_vector_is_forgotten(engine):
    one = sums_of(engine, [1, 3, 0, 0, 0], 2)
    before = kept_tables(engine)
    one.added((0, 1))
    one.added((1, 0))
    assert kept_tables(engine) == before
