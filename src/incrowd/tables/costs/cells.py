"""The number of changed cells: a coarser label costs as much as a star."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Int32

__all__ = ["Cells"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Every changed cell costs 1, at whatever level it is shown."""

    name = "cells"
    summary = "every changed cell costs 1, whatever its level"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return 0 for the values as they are and 1 for every level above, shape (h + 1, d) as lists."""
        del column
        nothing, one = Fraction(0), Fraction(1)
        return [[one if level else nothing] * up.shape[1] for level in range(up.shape[0])]
