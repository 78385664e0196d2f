"""The plain cost: every star costs 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.costs.stars import star_costs

if TYPE_CHECKING:
    from incrowd.tables.values import Int32

__all__ = ["SuppressedCells"]


@dataclass(frozen=True, slots=True)
class SuppressedCells:
    """The number of suppressed cells: a star costs 1, every other node nothing.

    References
    ----------
    A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004.
    """

    name = "suppressed_cells"
    summary = "every suppressed cell costs 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return 1 for the star and 0 for every other node, shape (h + 1, d) as lists."""
        return star_costs(Fraction(1), up)
