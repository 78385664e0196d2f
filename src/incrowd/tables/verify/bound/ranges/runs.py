"""Every run of a grid's cells, as a level of its column: which values lie in it and what it costs.

Runs do not nest, so nothing climbs these levels; they are for a reader that goes through all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.bound.ranges.recount import Grid, priced_cells
from incrowd.tables.verify.release.grid_labels import exact_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.verify.release.rules import Rules

__all__ = ["Runs", "TooManyRuns", "all_runs", "runs_of"]

FAR = 1 << 61
MOST_RUNS, MOST = 1 << 9, 1 << 22


class TooManyRuns(Exception):
    """A column has more runs than may be listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The runs of one column, the cheaper and shorter ones first: the first that holds some values is their shortest.

    Attributes
    ----------
    holds : (d, r) bool
        Whether a value lies in a run.
    cost : (r + 2, d) int64
        What values cost at levels 0 (themselves), 1 to r (the runs) and r + 1 (the star); more than 2^60 where a value
        does not lie in the run.
    """

    holds: NDArray[np.bool_]
    cost: NDArray[np.int64]


def runs_of(values: Sequence[str | None], name: str, rules: Rules, scale: int) -> Runs:
    """Return the runs of a ranged column of a policy.

    `values` are by rank and none is missing, `name` is the column, `rules` have a step for it, and `scale` is how many
    units of cost one of the user's is. Raise `TooManyRuns` as `all_runs` does.
    """
    numbers = exact_numbers([value for value in values if value is not None], name)
    grid = Grid(column=0, numbers=numbers, step=rules.steps[name])
    return all_runs(grid, int(rules.star_cost(name) * scale), wide=rules.cost == "ncp")


def all_runs(grid: Grid, star: int, *, wide: bool) -> Runs:
    """Return the runs of a grid [G3].

    `star` is the scaled cost of a star in the grid's column, and `wide` says whether a run costs its width, not its
    distinct values. Raise `TooManyRuns` above `MOST_RUNS` runs, or `MOST` pairs of a run and a value. Takes O(d G^2)
    for d values in G cells.
    """
    cells, low, high = priced_cells(grid, star, wide=wide)
    d, last = len(cells), len(low) - 1
    if last * (last + 3) // 2 > MOST_RUNS or d * last * (last + 3) // 2 > MOST:
        raise TooManyRuns
    every = ((int(high[b] - low[a]), b - a, a, b) for a in range(last + 1) for b in range(a, last + 1))
    runs = np.array(sorted(one for one in every if one[1] < last), np.int64).reshape(-1, 4)
    holds = (runs[:, 2] <= cells[:, None]) & (cells[:, None] <= runs[:, 3])
    # [T5] far away, and a multiple of the step
    paid = np.where(holds, runs[:, 0], FAR // max(star, 1) * star).T
    return Runs(holds, np.vstack([np.zeros(d, np.int64), paid, np.full(d, star)]))
