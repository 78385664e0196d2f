"""The general loss metric (granularity): which share of the other values a cell may stand for as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.nodes import cells_shown, leaves_below
from incrowd.tables.measures.range_values import behind

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded

__all__ = ["GeneralLoss"]


@dataclass(frozen=True, slots=True)
class GeneralLoss:
    """Mean share of the other values that a cell may stand for; 0 (nothing changed) to 1 (all stars).

    ``LM = 1 / (n m) * sum over rows i and columns j of (|leaves(u_ij)| - 1) / (|D_j| - 1)``

    with leaves(u) the values of the column that the node shown stands for and D_j all values that the column
    has (NULL is one). A star costs 1, also in a column of one value, where the fraction is 0/0: so does the
    cost that releases are made by. Fully suppressed rows count with all their cells.

    Notes
    -----
    1 - LM is what ARX calls granularity. Numbers are counted as values, whatever their distance.

    References
    ----------
    V. S. Iyengar, "Transforming Data to Satisfy Privacy Constraints", KDD 2002: the loss
    (M_P - 1) / (M - 1) of a categorical cell, averaged over a column; the mean over the columns is ours.
    """

    name = "loss"
    summary = "mean share of the other values of its column that a cell may stand for; 0 is best, all stars is 1"
    unit = "share of the other values"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the mean loss of a cell; time grows with row types times columns."""
        total = 0.0
        if context.ranges:
            for column in behind(release, context):
                total += int((column.rows * (column.values - 1)).sum()) / max(column.size - 1, 1)
            return total / (context.rows * len(context.levels))
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            leaves = leaves_below(level)
            d = leaves.shape[1]
            if d > 1:
                total += int((cells * (leaves - 1)).sum()) / (d - 1)
            elif level.height:
                total += int(cells[level.height].sum())
        return total / (context.rows * len(context.levels))
