"""How many cells were changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, cells_by_level

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["ChangedCellCount"]


@dataclass(frozen=True, slots=True)
class ChangedCellCount:
    """Cells of the quasi-identifiers above level 0, and their share of all n x m such cells.

    ``|{(i, j): l_ij > 0}|``

    with l_ij the level of row i in column j. Where nothing is generalized it equals the suppressed cells.

    References
    ----------
    P. Samarati, "Protecting Respondents' Identities in Microdata Release", IEEE TKDE 13(6), 2001, for levels
    of generalization; counting the cells above level 0 is ours.
    """

    name = "changed_cells"
    summary = "cells that were suppressed or generalized, and their share of all quasi-identifier cells"
    unit = "cells"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, int | float]:
        """Return ``cells`` and ``fraction`` (0 to 1), in one pass over the parts."""
        cells = cells_by_level(release, context, "changed")
        return {"cells": cells, "fraction": cells / (context.rows * len(context.heights))}
