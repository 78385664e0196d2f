"""Columns that are shown as ranges on a grid, as solvers see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

__all__ = ["RangedColumn"]


@dataclass(frozen=True, slots=True, eq=False)
class RangedColumn:
    """One quasi-identifier whose cells may show any run of the grid's cells.

    Attributes
    ----------
    cell : (d,) int64
        Cell of each value code.
    below : (G + 1,) int64
        Distinct values below each cell.
    unit : int
        Scaled cost of every distinct value of a run but the first; ``unit * (d - 1)`` is the star's.
    step : (int, int)
        The distance of the grid's lines, as numerator and denominator.
    """

    cell: Int64
    below: Int64
    unit: int
    step: tuple[int, int] = (1, 1)

    def cost(self, first: Int64, last: Int64) -> Int64:
        """Return the scaled cost of runs of cells.

        Parameters
        ----------
        first, last : (r,) int64
        """
        return (self.below[last + 1] - self.below[first] - 1) * self.unit
