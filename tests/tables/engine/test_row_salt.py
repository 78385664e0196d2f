"""What decides which of equal rows is hidden: known from the whole original, and from nothing less."""

from __future__ import annotations

import pyarrow as pa

import incrowd
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.row_salt import row_salt
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles

KEPT = [f"note {i}" for i in range(7)]


def table(last="z", order=range(12)):
    """Seven equal rows that differ in a kept column alone, three alike but for one column, and two others."""
    a = ["x"] * 7 + ["y"] * 3 + ["w", last]
    rows = {"a": a, "b": ["p"] * 10 + ["q", "q"], "kept": [*KEPT, "k", "l", "m", "n", "o"]}
    return pa.table({name: [cells[i] for i in order] for name, cells in rows.items()})


def salt(made, seed=0):
    with Engine() as engine:
        return row_salt(
            read(engine, made, Roles(quasi_identifiers=("a", "b")), Reading(), text=("a", "b"), star="*"), seed
        )


def test_it_is_the_same_in_any_order_and_another_for_another_cell_or_seed():
    assert salt(table()) == salt(table(order=[11, 3, 4, 0, 1, 2, 10, 9, 8, 7, 6, 5]))
    assert len({salt(table()), salt(table("v")), salt(table(), seed=1)}) == 3


def hidden(last):
    """The kept cells of the rows that stand in the class of the rows alike but for a column."""
    with incrowd.anonymize(table(last), quasi_identifiers=["a", "b"], k=5, outliers="suppress") as release:
        return frozenset(
            row["kept"] for row in release.table.to_pylist() if row["a"] == "*" and row["kept"] in KEPT
        ), release.cost


def test_which_of_equal_rows_are_hidden_depends_on_a_cell_that_the_release_hides():
    found = {last: hidden(last) for last in ("z", "v", "u", "t", "s", "r")}
    assert len({cost for _, cost in found.values()}) == 1
    assert {len(rows) for rows, _ in found.values()} == {2}
    assert len({rows for rows, _ in found.values()}) > 1  # with the seed and the rows that are shown nobody can tell
