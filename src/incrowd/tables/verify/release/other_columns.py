"""Columns of a release that are no quasi-identifiers, and how many rows are unlike any other on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened


@dataclass(frozen=True, slots=True)
class UnchangedColumn:
    """A column that passed unchanged; nearly unique: at least half as many distinct values as rows, and two [R11]."""

    name: str
    role: str
    distinct: int
    nearly_unique: bool


@dataclass(frozen=True, slots=True)
class Unchanged:
    """All columns that passed unchanged, the rows, and those that are unlike any other on these columns together."""

    columns: tuple[UnchangedColumn, ...]
    rows: int
    unique_rows: int

    @property
    def telling(self) -> bool:
        """Whether there are columns without a role, and one is nearly unique or half of the rows are unique."""
        without = [column for column in self.columns if column.role == "other"]
        return bool(without) and (any(c.nearly_unique for c in without) or 0 < self.rows <= 2 * self.unique_rows)


def count_unchanged(engine: Engine, released: Opened, roles: Any, *, quotable: bool) -> Unchanged:
    """Count a release's values of these columns: two aggregates over its rows; unquotable names become numbers."""
    kept = [(j, name) for j, name in enumerate(released.names) if name not in roles.quasi_identifiers]
    cells = released.data.select(**{f"u{j}": engine.text(released.data[f"c{j}"]) for j, _ in kept}) if kept else None
    with engine.guard("counting the values that passed unchanged"):
        if cells is None:
            return Unchanged((), int(engine.one(released.data.aggregate(rows=released.data.count()))["rows"]), 0)
        found = engine.one(
            cells.aggregate(rows=cells.count(), **{name: cells[name].nunique() for name in cells.columns})
        )
        alike = cells.group_by(cells.columns).aggregate(alike=cells.count())
        alone = engine.one(alike.aggregate(rows=(alike.alike == 1).sum()))["rows"]
    rows = int(found["rows"])
    columns = tuple(
        UnchangedColumn(
            name if quotable else f"number {j + 1}",
            "sensitive" if name in roles.sensitive else "other",
            int(found[f"u{j}"]),
            found[f"u{j}"] > 1 and rows <= 2 * found[f"u{j}"],
        )
        for j, name in kept
    )
    return Unchanged(columns, rows, int(alone or 0))
