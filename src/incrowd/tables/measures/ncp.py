"""The normalized certainty penalty: which share of a column's domain a cell may stand for."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.costs.ncp import penalties
from incrowd.tables.measures.nodes import cells_shown
from incrowd.tables.measures.range_values import behind

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded

__all__ = ["CertaintyPenalty"]


@dataclass(frozen=True, slots=True)
class CertaintyPenalty:
    """Mean share of the domain behind a cell; 0 (nothing changed) to 1 (all stars), smaller is better.

    ``NCP = 1 / (n m) * sum over rows i and columns j of p(u_ij)``

    with u_ij the node shown and p what `incrowd.tables.costs.ncp.penalties` says: 0 where it stands for one value alone
    and ``|leaves(u)| / |D_j|`` otherwise, leaves(u) the values of the column that the node stands for, D_j all values
    that the column has (NULL is one); in a column declared numeric the width of leaves(u) over that of D_j. A star
    costs 1. Fully suppressed rows count with all their cells. The cost ``ncp`` is this times n m where no column has a
    weight.

    Notes
    -----
    A numeric column with values that are no finite decimal numbers is counted by its values. With ranges
    (``recoding="ranges"``) the penalty of a range of numbers is its width over that of the column too.

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
        exact = Fraction(0)
        for j, (cells, level) in enumerate(zip(cells_shown(release, context), context.levels, strict=True)):
            shares = penalties(level.up, context.numbers.get(j))
            for shown, share in zip(cells[1:].tolist(), shares[1:], strict=True):
                rows: Counter[Fraction] = Counter()
                for number, one in zip(shown, share, strict=True):
                    if number:
                        rows[one] += number
                exact += sum((one * number for one, number in rows.items()), Fraction(0))
        return float(exact / (context.rows * len(context.levels)))
