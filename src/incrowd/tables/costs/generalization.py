"""What a coarser label costs: the share of the column's values it lumps together, or what the user says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.tables.costs.stars import star_costs
from incrowd.tables.costs.weighted import Weighted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.values import Int32

__all__ = ["Generalization"]


@dataclass(frozen=True, slots=True)
class Generalization:
    """Costs by node, each times the weight of its column.

    Parameters
    ----------
    weights : mapping of str to number, or pairs
        As in `Weighted`; 1 by default.
    nodes : mapping of str to (h + 1, d) lists of Fractions
        Per column with a hierarchy the cost of showing each value at each level, as `Hierarchy.costs` gives it: by
        default (leaves below - 1) / (leaves - 1). In other columns a star costs 1 and nothing else does.

    References
    ----------
    V. S. Iyengar, "Transforming Data to Satisfy Privacy Constraints", KDD 2002 (the default cost).
    """

    weights: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()
    nodes: Mapping[str, Sequence[Sequence[Fraction]]] | None = None

    name = "generalization"
    summary = "a label costs the share of its column's values that it lumps together, times the column's weight"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the weighted costs of a column's nodes, shape (h + 1, d) as lists."""
        weight = dict(Weighted(self.weights).weights).get(column, Fraction(1))
        if self.nodes is None or column not in self.nodes:
            return star_costs(weight, up)
        # one object per different cost, so that few have to be scaled
        told: dict[int, Fraction] = {}
        for cost in (cost for line in self.nodes[column] for cost in line):
            if id(cost) not in told:
                told[id(cost)] = cost * weight
        return [[told[id(cost)] for cost in line] for line in self.nodes[column]]
