"""What a coarser label costs: the share of the column's values it lumps together, or what the user says."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.costs.stars import star_costs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.values import Int32, Int64

__all__ = ["Leaves"]


@dataclass(frozen=True, slots=True)
class Leaves:
    """Costs by node: (leaves below - 1) / (leaves - 1), or what the hierarchy itself says of its nodes or levels.

    Parameters
    ----------
    hierarchies : mapping of str to (Hierarchy, (d,) integer)
        Per column with a hierarchy, that and the line of each of its values. In other columns a star costs 1, so
        without any hierarchy the cost is the number of suppressed cells.

    References
    ----------
    V. S. Iyengar, "Transforming Data to Satisfy Privacy Constraints", KDD 2002.
    A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004 (suppressed cells).
    """

    hierarchies: Mapping[str, tuple[Hierarchy, Int64]] = field(default_factory=dict)

    name = "leaves"
    cites = ("Iyengar2002",)
    summary = "a label costs the share of its column's values that it lumps together, a star 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the costs of a column's nodes, shape (h + 1, d) as lists."""
        if column not in self.hierarchies:
            return star_costs(Fraction(1), up)
        hierarchy, lines = self.hierarchies[column]
        return hierarchy.costs(lines)
