"""How many cells were suppressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, cells_by_level
from incrowd.tables.measures.range_values import behind

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["SuppressedCellCount"]


@dataclass(frozen=True, slots=True)
class SuppressedCellCount:
    """Cells of the quasi-identifiers at their top level (stars), and their share of all n x m such cells.

    ``|{(i, j): l_ij = h_j > 0}|``

    with l_ij the level of row i in column j and h_j the column's top. Outliers count with all their cells.

    References
    ----------
    A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004: the number of suppressed
    entries as the cost of a release.
    """

    name = "suppressed_cells"
    summary = "cells that were suppressed, and their share of all quasi-identifier cells"
    unit = "cells"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, int | float]:
        """Return ``cells`` and ``fraction`` (0 to 1), in one pass over the parts."""
        if context.ranges:  # a range is no star
            cells = sum(int(column.rows[column.star].sum()) for column in behind(release, context))
        else:
            cells = cells_by_level(release, context, "starred")
        return {"cells": cells, "fraction": cells / (context.rows * len(context.heights))}
