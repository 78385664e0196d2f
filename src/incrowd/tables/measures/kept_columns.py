"""Columns that pass unchanged, and how nearly unique they are: what could undo a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.table import Table

__all__ = ["KeptColumn", "kept_columns"]

NEARLY_UNIQUE = 0.5


@dataclass(frozen=True, slots=True)
class KeptColumn:
    """One column that passes unchanged.

    Attributes
    ----------
    name : str
    role : str
        ``sensitive`` or ``other``.
    distinct : int
        Distinct values (NULL left out).
    nearly_unique : bool
        Whether there are at least half as many distinct values as rows.
    """

    name: str
    role: str
    distinct: int
    nearly_unique: bool


def kept_columns(table: Table) -> tuple[KeptColumn, ...]:
    """Count the distinct values of every kept column: one aggregate over the rows."""
    kept = table.others
    if not kept:
        return ()
    engine = table.engine
    with engine.guard("counting the kept columns' values"):
        found = engine.one(table.data.aggregate(**{c.id: engine.text(table.data[c.id]).nunique() for c in kept}))
    return tuple(
        KeptColumn(c.name, c.role, int(found[c.id]), found[c.id] > 1 and found[c.id] >= NEARLY_UNIQUE * table.rows)
        for c in kept
    )
