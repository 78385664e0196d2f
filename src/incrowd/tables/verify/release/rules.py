"""What a release is held to, as the policy says it and the check reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.tables.column_counts import ColumnCounts
from incrowd.tables.hierarchy.number_ranges import PackedRanges
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.costs import read_costs, star_cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.values import Outliers
    from incrowd.tables.verify.release.costs import Costs

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a release is judged by, as the policy says it.

    Attributes
    ----------
    k : int
    outliers : {"forbid", "suppress"}
    mask : mapping
        The mask as data, as a policy file holds it; the check reads it by itself.
    names : tuple of str, length m
        Quasi-identifiers, in the order of the columns given to the recounts.
    weights : mapping of str to Fraction
        What the costs of a column are multiplied by (default 1).
    cost : str
        What a change costs, by its name; read by `incrowd.tables.verify.release.costs`.
    hierarchies : mapping of str to Fitted
        By column, as bound to the original table.
    requirements : tuple of models
        What classes have to meet beside k; each binds itself to the values of the original table.
    single : bool
        Whether one level vector has to show every row that is not fully suppressed.
    suppression_limit : Fraction or None
        Share of the rows that may be fully suppressed.
    steps : mapping of str to Fraction
        By ranged column, of the grid on which its ranges end, where the policy says it.
    counts : mapping of str to ColumnCounts
        What the original table holds of the values of each column, for costs that look at it.
    """

    k: int
    outliers: Outliers
    mask: Mapping[str, Any]
    names: tuple[str, ...]
    weights: Mapping[str, Fraction]
    cost: str = "leaves"
    hierarchies: Mapping[str, Fitted] = field(default_factory=dict)
    requirements: tuple[Any, ...] = ()
    single: bool = False
    suppression_limit: Fraction | None = None
    steps: Mapping[str, Fraction] = field(default_factory=dict)
    counts: Mapping[str, ColumnCounts] = field(default_factory=dict)

    def star_cost(self, name: str) -> Fraction:
        """Return the cost of a star in a column without a hierarchy."""
        return star_cost(self.cost, self.weights.get(name, Fraction(1)))

    def line_costs(self, name: str) -> Costs:
        """Return what every line of a column's hierarchy costs at every level, its weight included."""
        held = self.counts.get(name, ColumnCounts(rows=()))
        return read_costs(self.cost, self.hierarchies[name].hierarchy, self.weights.get(name, Fraction(1)), held)

    def heights(self) -> dict[str, int]:
        """Return the star's level per column."""
        return {name: self.hierarchies[name].height if name in self.hierarchies else 1 for name in self.names}

    def reading(self) -> MaskReading:
        """Return the mask as it is read over the quasi-identifiers."""
        held = {name: fitted.hierarchy for name, fitted in self.hierarchies.items()}
        ranged = [j for j, name in enumerate(self.names) if isinstance(held.get(name), PackedRanges)]
        return MaskReading(self.mask, self.names, list(self.heights().values()), ranged)
