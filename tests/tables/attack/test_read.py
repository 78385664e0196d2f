"""A released table as an attacker reads it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from incrowd import Hierarchy, LDiversity, Mask
from incrowd.errors import InputError
from incrowd.tables.attack.read import read_release
from incrowd.tables.attack.values import Asked
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

TOWNS = Hierarchy.from_tree({"AT": ["Graz", "Linz"], "DE": ["Bonn", "Ulm"]})
TABLE = pa.table({
    "town": ["Graz", "Graz", "AT", "AT", "AT", "*", "*"],
    "age": [31, 31, None, None, 47, 47, 47],
    "ill": ["a", "b", "a", "a", "b", "a", "b"],
})  # fmt: skip


def read(table=TABLE, **how):
    asked = Asked(**{"names": ("town", "age"), "k": 2, "mask": Mask(), "hierarchies": {"town": TOWNS}, **how})
    with open_engine("duckdb", None, table) as engine:
        opened = open_source(engine, table, Reading())
        columns = {name: f"c{i}" for i, name in enumerate(opened.names)}
        return read_release(engine, opened.data, columns, asked)


def test_classes_levels_and_values_are_read():
    released = read()
    assert released.rows == 7
    shown = {
        (*map(int, released.levels[c]), released.columns[1].values[released.reps[c, 1]]): int(released.sizes[c])
        for c in range(released.sizes.size)
    }
    assert shown == {(0, 0, "31"): 2, (1, 0, None): 2, (1, 0, "47"): 1, (2, 0, "47"): 2}
    town, age = released.columns
    assert (town.values, town.closed) == (("Graz", "Linz", "Bonn", "Ulm"), True)
    assert (set(age.values), age.closed) == ({None, "31", "47"}, False)
    assert town.shown.tolist() == [2, 0, 0, 0]
    assert town.below(1, 0).tolist() == [True, True, False, False]
    # a label over two of four leaves costs 1/3, a star 1
    assert (released.cost, released.scale) == (3 * 1 + 2 * 3, 3)


def test_classes_are_told_apart_by_what_requirements_judge():
    released = read(requirements=(LDiversity(l=2, column="ill"),))
    assert released.unit_class.tolist() == sorted(released.unit_class.tolist())
    assert (released.sizes.size, released.unit_rows.size, int(released.unit_rows.sum())) == (4, 6, 7)
    assert len(released.requirements) == 1


def test_a_cost_that_looks_at_the_original_is_not_recounted():
    assert not read(cost="entropy").costs_known
    assert read(cost="cells").costs_known


def test_a_column_that_shows_nothing_but_stars_has_no_known_value():
    table = pa.table({"town": ["*", "*"], "age": ["1", "1"]})
    released = read(table, hierarchies={})
    assert (released.columns[0].size, released.columns[0].closed) == (1, False)


def test_tables_that_are_none_are_refused():
    with pytest.raises(InputError, match="no rows"):
        read(TABLE.slice(0, 0))
    with pytest.raises(InputError, match="no column 'age'"):
        read(TABLE.drop_columns(["age"]))
