from __future__ import annotations

import numpy as np
import pyarrow as pa

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.large.types import CountedTypes, dictionaries, packed
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.row_groups import grouped_rows
from oracles.problems import star_levels


def test_packed_row_types_are_those_of_the_memory_with_the_same_codes():
    rng = np.random.default_rng(7)
    texts = ["é", "a", "", None, "Z", "aa"]
    told = {f"q{j}": [texts[i] for i in rng.integers(0, len(texts), 80)] for j in range(3)}
    told["q3"] = rng.integers(-5, 5, 80).tolist()
    with Engine() as engine:
        roles = Roles(quasi_identifiers=tuple(told))
        opened = open_source(engine, pa.table(told), Reading())
        table = with_roles(engine, opened, roles, hierarchies={}, text=("q0", "q1", "q2"), star="*")
        here = compress(table).types
        grouped = grouped_rows(table, [column.id for column in table.quasi_identifiers])
        held = dictionaries(table, grouped)
        assert held.sizes == here.sizes
        assert held.lines == (None,) * 4
        types = packed(table, grouped, held, star_levels(here))
        found = engine.fetch(types.rows.order_by(types.words))
        codes = types.layout.codes([found.column(word).to_numpy() for word in types.words])
        order = np.lexsort(codes.T[::-1])
        assert (codes[order] == here.codes).all()
        assert (found.column("n").to_numpy()[order] == here.counts).all()
        assert engine.fetch(types.values).num_rows == here.t


def test_counted_types_know_their_number_alone():
    types = CountedTypes(np.zeros((0, 3), np.int32), np.zeros(0, np.int64), (2, 3, 4), held=7, rows=20)
    assert (types.t, types.n, types.m) == (7, 20, 3)
