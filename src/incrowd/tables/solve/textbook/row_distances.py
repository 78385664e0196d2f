"""How far row types are from each other: what one row pays in a group that holds both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.values import Int64, Problem

__all__ = ["distances"]


def distances(problem: Problem, types: Int64) -> Int64:
    """Return the distances of some row types to all, shape (x, t).

    The problem has t row types, and every pattern is allowed. `types` is (x,): which row types.

    Notes
    -----
    Per column the cost of the lowest node above both values. It is a metric: the triangle inequality holds column by
    column, as of the nodes above one value the higher costs no less. O(x t L) time, L the sum of the heights.
    """
    total: Int64 = np.zeros((len(types), problem.types.t), np.int64)
    for j, level in enumerate(problem.levels):
        codes = problem.types.codes[:, j]
        for x in range(level.height):
            step = (level.cost[x + 1] - level.cost[x])[codes[types]]
            apart = level.up[x][codes[types]][:, None] != level.up[x][codes][None, :]
            total += apart * step[:, None]
    return total
