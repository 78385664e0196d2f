"""Which instances matter: an instance whose rows another allowed level vector shows as well, and earlier, does not."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.bound.strict_numbers import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels

    Int64 = NDArray[np.int64]

__all__ = ["Vectors"]

MOST_VECTORS = 1 << 22  # [T7]
PAIRS = 1 << 22  # of an allowed vector and an instance that are compared at a time


class Vectors:
    """The allowed level vectors of a table.

    There are m `levels`, and `allows` says whether the mask allows a level vector. Raises `Unreadable` if there are too
    many level vectors to list.

    Attributes
    ----------
    allowed : (p, m) int64
        In lexicographic order.
    """

    def __init__(self, levels: Sequence[Levels], allows: Callable[[tuple[int, ...]], bool]) -> None:
        self.levels = levels
        tops = [level.height for level in levels]
        size = math.prod(top + 1 for top in tops)
        if size > MOST_VECTORS:
            raise Unreadable(f"{size} level vectors are too many to recount")
        every = itertools.product(*(range(top + 1) for top in tops))
        some = [vector for vector in every if allows(vector)]  # [T6]
        self.allowed = np.array(some, np.int64).reshape(len(some), len(levels))
        self.known = set(some)
        self.stars = (self.allowed == np.array(tops, np.int64)).sum(axis=1)

    def matter(self, vector: tuple[int, ...], lowest: Int64, ranks: Int64) -> NDArray[np.bool_]:
        """Return which instances of a level vector, which is an allowed one, matter [I3].

        lowest: (g, m), lowest levels at which the types of each are alike, column by column.
        ranks: (g, m), in each column the rank of the value of one of its types.
        """
        result: NDArray[np.bool_] = (lowest == np.array(vector, np.int64)).all(axis=1)
        below, back = np.unique(lowest, axis=0, return_inverse=True)
        back = back.reshape(-1)
        for one, joint in enumerate(below):
            if tuple(joint.tolist()) in self.known:
                continue
            above = np.flatnonzero((self.allowed >= joint).all(axis=1))
            mine = np.flatnonzero((back == one) & ~result)
            step = max(PAIRS // max(len(above), 1), 1)
            for begin in range(0, len(mine), step):
                some = mine[begin : begin + step]
                first = self._first(above, ranks[some])
                result[some] = (self.allowed[first] == np.array(vector, np.int64)).all(axis=1)
        return result

    def _first(self, above: Int64, ranks: Int64) -> Int64:
        """Return for every instance the first of some vectors by cost of a row, stars, order."""
        costs = np.zeros((len(ranks), len(above)), np.int64)
        for j, level in enumerate(self.levels):
            costs += level.cost[self.allowed[above, j][None, :], ranks[:, j][:, None]]
        stars = np.where(costs == costs.min(axis=1)[:, None], self.stars[above][None, :], len(self.levels) + 1)
        found: Int64 = above[stars.argmin(axis=1)]
        return found
