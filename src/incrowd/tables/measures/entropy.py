"""Non-uniform entropy: how many bits it takes to guess the cells back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.measures.nodes import cells_shown, rows_below
from incrowd.tables.measures.range_values import behind

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded

__all__ = ["NonUniformEntropy"]


@dataclass(frozen=True, slots=True)
class NonUniformEntropy:
    """Bits that the changed cells hide, and their share of what stars everywhere would hide.

    ``H = sum over rows i and columns j of -log2( f_j(a_ij) / f_j(u_ij) )``

    with a_ij the original value, u_ij the node shown, f_j(a) the rows of the original that have the value a and
    f_j(u) those that have any value below u. A star of a rare value hides more bits than one of a common value,
    and a star in a column of one value hides none. ``fraction`` divides by the sum for stars in every cell
    (0 where that is 0).

    Notes
    -----
    Frequencies are those of the original table, also where a value is shown at several levels: the reader of
    the release is taken to know them. Columns are taken one by one.

    References
    ----------
    A. G. de Waal, L. C. R. J. Willenborg, "Information Loss Through Global Recoding and Local Suppression",
    Netherlands Official Statistics 14, 1999. A. Gionis, T. Tassa, "k-Anonymization with Minimal Loss of
    Information", IEEE TKDE 21(2), 2009: the non-uniform entropy measure, per cell as above.
    """

    name = "entropy"
    summary = "bits it takes to guess the changed cells back (non-uniform entropy), and their share of all"
    unit = "bits"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, float]:
        """Return ``bits`` and ``fraction`` (0 to 1); time grows with row types times columns."""
        hidden, everything = [], []
        if context.ranges:
            for column in behind(release, context):
                hidden.append(math.fsum(column.rows * np.log2(column.below / column.own)))
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            rows = cells.sum(axis=0)  # every row shows its value at some level
            if not context.ranges:
                bits = np.log2(rows_below(level, rows) / rows)
                hidden.append(math.fsum((cells * bits).ravel()))
            everything.append(math.fsum(rows * np.log2(context.rows / rows)))
        most = math.fsum(everything)
        total = math.fsum(hidden)
        return {"bits": total, "fraction": total / most if most else 0.0}
