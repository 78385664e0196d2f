"""Precision: how far up their hierarchies the cells were not moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.measures.nodes import cells_shown

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded

__all__ = ["Precision"]


@dataclass(frozen=True, slots=True)
class Precision:
    """One minus the mean share of the hierarchy that a cell climbed; 1 (nothing changed) to 0 (all stars).

    ``Prec = 1 - 1 / (n m) * sum over rows i and columns j of l_ij / h_j``

    with l_ij the level of row i in column j and h_j the column's top; a column that cannot change loses
    nothing. Without hierarchies it is one minus the suppressed share of the cells; a range counts like a star.

    References
    ----------
    L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression", IJUFKS 10(5),
    2002 (Prec).
    """

    name = "precision"
    summary = "one minus the mean share of its hierarchy that a cell climbed; 1 is best, all stars is 0"
    unit = "share of the hierarchy"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the precision; time grows with row types times columns."""
        climbed = 0.0
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            if level.height:
                climbed += int((cells.sum(axis=1) * np.arange(level.height + 1)).sum()) / level.height
        return 1 - climbed / (context.rows * len(context.levels))
