"""What a report tells of the usefulness of a release: rounded, for exact figures would tell of the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LEAST_ROWS", "queries_within", "rough"]

LEAST_ROWS = 100  # figures of fewer rows could tell what single cells held
# Distinct rows of both tables that the counts of a report look at in all: about half a second.
WORK = 8_000_000
FEWEST, MOST = 30, 500
MOST_TYPES = 1_000_000


def queries_within(row_types: int, rows: int) -> int:
    """Return how many counts a report asks by itself: as many as take a few percent of a run, by the table alone.

    It is 0 where none is asked: below `LEAST_ROWS` rows, above `MOST_TYPES` row types. The row types are those of the
    original, or what its released labels stand for together where that is more; the rows are those of the original.
    """
    if rows < LEAST_ROWS or row_types > MOST_TYPES:
        return 0
    return max(FEWEST, min(MOST, WORK // (2 * row_types)))


def rough(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures with two digits that say something, all the way down.

    `found` is as `incrowd.tables.usefulness.figures.figures_of` returns them; whole numbers, names and notes stay.
    """
    return {name: _rough(value) for name, value in found.items()}


def _rough(value: Any) -> Any:
    if isinstance(value, dict):
        return rough(value)
    return float(f"{value:.2g}") if isinstance(value, float) else value
