"""The normalized certainty penalty: which share of a column's domain a cell may stand for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.measures.nodes import cells_shown, leaves_below
from incrowd.tables.measures.range_values import behind

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded

__all__ = ["CertaintyPenalty"]


@dataclass(frozen=True, slots=True)
class CertaintyPenalty:
    """Mean share of the domain behind a cell; 0 (nothing changed) to 1 (all stars), smaller is better.

    ``NCP = 1 / (n m) * sum over rows i and columns j of p(u_ij)``

    with u_ij the node shown, ``p(u) = 0`` where it stands for one value alone and ``|leaves(u)| / |D_j|``
    otherwise. leaves(u) are the values of the column that the node stands for, D_j all values that the column
    has (NULL is one). A star costs 1; in a column of one value it stands for that value alone and costs 0.
    Fully suppressed rows count with all their cells.

    Notes
    -----
    With levels, numbers are counted as values too: the width of an interval, which the paper takes for numeric
    columns, is not looked at. For stars the two agree. With ranges (``recoding="ranges"``) the penalty of a range of
    numbers is its width over that of the column, as in the paper.

    References
    ----------
    J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, "Utility-Based Anonymization Using Local Recoding",
    KDD 2006 (the penalty of a cell). G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, "Fast Data
    Anonymization with Low Information Loss", VLDB 2007: the mean over all cells (there GCP).
    """

    name = "ncp"
    summary = "mean share of a column's domain that a cell may stand for; 0 is best, all stars is 1"
    unit = "share of the domain"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the mean penalty of a cell; time grows with row types times columns."""
        total = 0.0
        if context.ranges:
            for column in behind(release, context):
                total += math.fsum(column.rows * column.share)
            return total / (context.rows * len(context.levels))
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            leaves = leaves_below(level)
            total += int((cells * np.where(leaves > 1, leaves, 0)).sum()) / leaves.shape[1]
        return total / (context.rows * len(context.levels))
