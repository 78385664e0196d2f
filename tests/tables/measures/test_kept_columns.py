"""Columns that pass unchanged: how many values they have, and which could name a row."""

import random

import pyarrow as pa

from incrowd.tables.measures.kept_columns import KeptColumn, kept_columns
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from seeds import seeds


def kept(engine, columns, **roles):
    table = read(engine, pa.table(columns), Roles(quasi_identifiers=("q",), **roles), Reading(), text=("q",), star="*")
    return kept_columns(table)


@seeds(20, 3)
def test_values_are_counted_without_null_and_half_as_many_as_rows_is_nearly_unique(engine, seed):
    rng = random.Random(seed)
    rows = rng.randint(1, 12)
    cells = {
        name: [rng.choice([None, 1, 2, 3, 4, 5][:most]) for _ in range(rows)]
        for name, most in zip("abc", (2, 4, 6), strict=True)
    }
    columns = {"q": ["x"] * rows} | {name: pa.array(line, pa.int64()) for name, line in cells.items()}
    expected = []
    for name, line in cells.items():
        distinct = len(set(line) - {None})
        expected.append(
            KeptColumn(name, "sensitive" if name == "b" else "other", distinct, distinct > 1 and 2 * distinct >= rows)
        )
    assert list(kept(engine, columns, sensitive=("b",))) == expected


def test_a_column_that_is_dropped_or_names_a_person_is_not_kept(engine):
    columns = {"q": ["x", "y"], "name": ["A", "B"], "ill": ["f", "g"], "note": ["1", "2"]}
    found = kept(engine, columns, sensitive=("ill",), identifiers=("name",), other="drop")
    assert [column.name for column in found] == ["ill"]
    assert kept(engine, {"q": ["x", "y"]}) == ()
