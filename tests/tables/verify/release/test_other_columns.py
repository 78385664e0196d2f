"""Columns that passed unchanged, and the rows that are unlike any other on them, against a plain count."""

from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa

from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.release.other_columns import count_unchanged


def test_distinct_values_and_rows_alone_are_counted_with_missing_values_equal():
    rng = random.Random(3)
    with Engine() as engine:
        for _ in range(20):
            rows = [
                (rng.choice("ab"), rng.choice([None, "x", "y"]), rng.randrange(9)) for _ in range(rng.randrange(1, 9))
            ]
            table = pa.table(dict(zip("qst", map(list, zip(*rows, strict=True)), strict=True)))
            roles = Roles(quasi_identifiers=("q",), sensitive=("s",))
            found = count_unchanged(engine, open_source(engine, table, Reading()), roles, quotable=True)
            assert found.rows == len(rows)
            assert found.unique_rows == sum(n == 1 for n in Counter(row[1:] for row in rows).values())
            assert [(c.name, c.role) for c in found.columns] == [("s", "sensitive"), ("t", "other")]
            assert [c.distinct for c in found.columns] == [len({r[j] for r in rows} - {None}) for j in (1, 2)]
            assert all(c.nearly_unique == (1 < c.distinct >= len(rows) / 2) for c in found.columns)


def test_nothing_but_quasi_identifiers_leaves_nothing_to_count():
    with Engine() as engine:
        opened = open_source(engine, pa.table({"q": ["a", "b"]}), Reading())
        found = count_unchanged(engine, opened, Roles(quasi_identifiers=("q",)), quotable=True)
    assert (found.columns, found.rows, found.unique_rows, found.telling) == ((), 2, 0, False)
