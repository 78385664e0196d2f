"""All instances of a problem with a ranged column, priced without a list."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import range_sweep
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.range_columns import RangedColumn
    from incrowd.tables.values import Int64, Problem

__all__ = ["Listed", "RangeLattice", "ranged_place"]

PIECE = 64  # patterns between two looks at the watch, at least


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Some instances, told by pattern, ends and members.

    Attributes
    ----------
    which : (g,) int64
        Pattern of the other columns.
    ends : (g, 2) int64
        First and last cell; -1 and the value where one value is shown.
    begins : (g + 1,) int64
    members : (e,) int64
        Types of each, by cell and value.
    """

    which: Int64
    ends: Int64
    begins: Int64
    members: Int64

    @property
    def size(self) -> int:
        """Number of instances."""
        return len(self.which)

    @property
    def firsts(self) -> Int64:
        """One member of each."""
        return self.members[self.begins[:-1]]

    def only(self, keep: Int64) -> Listed:
        """Return those at some places, in that order.

        Parameters
        ----------
        keep : (h,) int64
        """
        lengths = np.diff(self.begins)[keep]
        begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        place = np.arange(begins[-1]) + np.repeat(self.begins[:-1][keep] - begins[:-1], lengths)
        return Listed(self.which[keep], self.ends[keep], begins, self.members[place])

    def union(self, other: Listed) -> Listed:
        """Return both lists without doubles.

        Parameters
        ----------
        other : Listed
        """
        both = Listed(
            np.concatenate((self.which, other.which)), np.concatenate((self.ends, other.ends)),
            np.concatenate((self.begins, self.begins[-1] + other.begins[1:])),
            np.concatenate((self.members, other.members)),
        )  # fmt: skip
        # members are listed in one order, so equal instances begin with the same one
        key = np.stack([both.which, both.ends[:, 0], both.ends[:, 1], both.firsts], axis=1)
        return both.only(np.sort(np.unique(key, axis=0, return_index=True)[1]))


def ranged_place(problem: Problem) -> int:
    """Return the place of the ranged column, -1 where there is none.

    Parameters
    ----------
    problem : Problem
    """
    return next((j for j, one in enumerate(problem.ranges) if one is not None), -1)


class RangeLattice:
    """The arrays of a problem for the sweep.

    Parameters
    ----------
    problem : Problem
        With one ranged column, and no mask.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.column = ranged_place(problem)
        ranged = problem.ranges[self.column]
        assert ranged is not None
        self.ranged: RangedColumn = ranged
        self.others = [j for j in range(len(problem.levels)) if j != self.column]
        codes, levels = problem.types.codes, problem.levels
        self.counts = problem.types.counts
        self.t = problem.types.t
        self.heights = [levels[j].height for j in self.others]
        sizes = np.array(self.heights, np.int64) + 1
        self.start = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)[: len(self.others)]
        lines = [(levels[j].up[l], levels[j].cost[l], j) for j in self.others for l in range(levels[j].height + 1)]  # noqa: E741
        self.nodes = np.array([up[codes[:, j]] for up, _, j in lines], np.int64).reshape(len(lines), self.t)
        self.paid = np.array([cost[codes[:, j]] for _, cost, j in lines], np.int64).reshape(len(lines), self.t)
        self.width = np.zeros(len(lines), np.int64)
        room = 1
        for first, height, j in zip(self.start.tolist(), self.heights, self.others, strict=True):
            self.width[first : first + height] = room
            room *= int(levels[j].up.max()) + 1
        self.fits = room < 2**62
        self.value = codes[:, self.column].astype(np.int64)
        self.cell = self.ranged.cell[self.value].astype(np.int64)
        self.order = np.lexsort((self.value, self.cell)).astype(np.int64)
        every = list(itertools.product(*(range(height + 1) for height in self.heights)))
        self.vectors = np.array(every, np.int64).reshape(len(every), len(self.others))
        self.top = sum(int(levels[j].cost[-1].max()) for j in range(len(levels)))
        self.free = problem.outliers == "suppress"
        radix = np.ones(len(self.others), np.int64)
        for x in range(len(self.others) - 1, 0, -1):
            radix[x - 1] = radix[x] * (self.heights[x] + 1)
        self.radix = radix

    def costs(self, listed: Listed) -> Int64:
        """Return the scaled cost of a row in each instance.

        Parameters
        ----------
        listed : Listed
        """
        firsts = listed.firsts
        total = np.zeros(listed.size, np.int64)
        for x, first in enumerate(self.start.tolist()):
            total += self.paid[first + self.vectors[listed.which, x], firsts]
        run = listed.ends[:, 0] >= 0
        total[run] += self.ranged.cost(*listed.ends[run].T)
        return total

    def scan(
        self, prices: Int64, parts: int, tau: int, most_pairs: int, watch: Watch | None = None
    ) -> tuple[int, Listed] | None:
        """Return the exact worth of prices over all instances, and the instances with a reduced cost up to `tau`.

        Parameters
        ----------
        prices : (t,) int64
            In `parts` of a scaled unit.
        parts, tau : int
        most_pairs : int
            Pairs that are listed at most.
        watch : Watch, optional
            Asked between pieces; None is returned when it said stop: then there is no bound.
        """
        most = max(1, most_pairs // 4)
        which, ends = np.empty(most, np.int64), np.empty((most, 2), np.int64)
        begins, rc = np.zeros(most + 1, np.int64), np.empty(most, np.int64)
        members, numbers = np.empty(most_pairs, np.int32), np.zeros(3, np.int64)
        piece = max(PIECE, 2_000_000 // max(self.t, 1))
        for begin in range(0, len(self.vectors), piece):
            if watch is not None and watch.stopped:
                return None
            range_sweep.scan(
                self.nodes, self.paid, self.width, self.start, self.vectors[begin : begin + piece], self.cell,
                self.value, self.order, self.ranged.below, self.ranged.unit, self.counts, self.problem.k, parts,
                prices, tau, self.free, begin, which, ends, begins, members, rc, numbers,
            )  # fmt: skip
        value = int((prices * self.counts).sum()) + int(numbers[0])
        if self.free:
            value += int((np.minimum(self.top * parts - prices, 0) * self.counts).sum())
        n, pairs = int(numbers[1]), int(numbers[2])
        return value, Listed(
            which[:n].copy(), ends[:n].copy(), begins[: n + 1].copy(), members[:pairs].astype(np.int64)
        )

    def instances(self, listed: Listed) -> Instances:
        """Return a list as price steps and searches read it, the free instance last.

        Parameters
        ----------
        listed : Listed
        """
        n = listed.size
        costs, needs = self.costs(listed), np.full(n, self.problem.k, np.int64)
        begins, members, hub = listed.begins, listed.members, -1
        if self.free:
            costs, needs, hub = np.append(costs, self.top), np.append(needs, 0), n
            begins = np.append(begins, begins[-1] + self.t)
            members = np.append(members, np.arange(self.t, dtype=np.int32))
        vectors = np.zeros((len(costs), len(self.problem.levels)), np.int8)
        return Instances(vectors, costs, needs, begins, members.astype(np.int32), self.counts, hub)
