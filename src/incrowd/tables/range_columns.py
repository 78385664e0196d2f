"""Columns that are shown as ranges on a grid, as solvers see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


def ranged_names(policy: Any) -> tuple[str, ...]:
    """Return the quasi-identifiers that a policy lets show ranges: the numeric ones without a hierarchy."""
    if policy.recoding != "grid":
        return ()
    own = {name for name, _ in policy.hierarchies}
    return tuple(name for name in policy.quasi_identifiers if name in policy.numeric and name not in own)


@dataclass(frozen=True, slots=True, eq=False)
class RangedColumn:
    """One quasi-identifier whose cells may show any run of the grid's cells.

    `cell`: (d,) int64, cell of each value code. `low`, `up`: (G,) int64, a run from cell a to cell b costs ``up[b] -
    low[a]``, scaled; neither falls from one cell to the next, and the run of all cells costs what the star does.
    `step`: (int, int), the distance of the grid's lines, as numerator and denominator.
    """

    cell: Int64
    low: Int64
    up: Int64
    step: tuple[int, int] = (1, 1)

    @property
    def cells(self) -> int:
        """Number of cells that hold values."""
        return len(self.low)

    @property
    def unit(self) -> int:
        """What the cost of every run is a multiple of."""
        return int(np.gcd.reduce(np.concatenate((self.low - self.low[0], self.up - self.low[0]))))

    def cost(self, first: Int64, last: Int64) -> Int64:
        """Return the scaled cost of runs of cells, from `first` to `last`, both (r,)."""
        return self.up[last] - self.low[first]
