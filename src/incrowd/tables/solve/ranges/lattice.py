"""All instances of a problem with ranged columns, priced without a list.

An instance is told by a vector: the levels of the other columns, then two numbers for each ranged one, the first and
the last cell of a run, or -1 and a value.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import range_boxes
from incrowd.progress import search_time
from incrowd.tables.solve.bounds.lagrangian import Scan
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.range_columns import RangedColumn
    from incrowd.tables.values import Int32, Int64, Problem

    Bool = NDArray[np.bool_]

PIECE_SECONDS = 0.25  # between two looks at the watch, about
SHARE_CHOICES = 50_000_000  # for all ranged columns together between two looks, at the worst


def choices(one: RangedColumn) -> int:
    """Return how many values and runs of cells a ranged column may show."""
    return len(one.cell) + one.cells * (one.cells + 1) // 2


def ranged_places(problem: Problem) -> tuple[int, ...]:
    """Return the places of the ranged columns."""
    return tuple(j for j, one in enumerate(problem.ranges) if one is not None)


class RangeLattice:
    """The arrays of a problem for the sweep.

    The problem has r ranged columns, one at least. `columns`: places of the ranged columns. `others`: those of the
    others. `vectors`: (p, m - r) int64, all level vectors of the others. `cell`, `value`: (r, t) int64.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.columns = ranged_places(problem)
        self.ranged: list[RangedColumn] = [one for one in problem.ranges if one is not None]
        self.others = [j for j in range(len(problem.levels)) if j not in self.columns]
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
        self.value = np.stack([codes[:, j] for j in self.columns]).astype(np.int64)
        self.cell = np.stack([one.cell[own] for one, own in zip(self.ranged, self.value, strict=True)]).astype(np.int64)
        most = max(one.cells for one in self.ranged)
        self.low, self.up = (
            np.stack([np.pad(part, (0, most - len(part)), mode="edge") for part in parts]).astype(np.int64)
            for parts in ([one.low for one in self.ranged], [one.up for one in self.ranged])
        )
        self.last = np.array([one.cells - 1 for one in self.ranged], np.int64)
        self.order = np.lexsort((self.value[-1], self.cell[-1])).astype(np.int64)
        every = list(itertools.product(*(range(height + 1) for height in self.heights)))
        self.vectors = np.array(every, np.int64).reshape(len(every), len(self.others))
        self.top = sum(int(levels[j].cost[-1].max()) for j in range(len(levels)))
        self.free = problem.outliers == "suppress"
        self.kinds = Kinds(problem.kinds, self.vectors, self.heights, self.others, self.columns)
        self.starred = not self.free and self.kinds.masked  # whether all stars are an instance of k rows of their own
        # so many choices there may be for all ranged columns but the first, and shares of those for the first: the last
        # column is swept whole, so where it is the only one there is one share
        self.rest = math.prod(choices(one) for one in self.ranged[1:])
        wide = choices(self.ranged[0])
        self.shares = min(max(wide * self.rest // SHARE_CHOICES, 1), wide) if len(self.ranged) > 1 else 1
        self.piece = 64 if self.shares == 1 else 1

    @property
    def step(self) -> int:
        """What the cost of every release is a multiple of."""
        found = 0
        for j in self.others:
            found = int(np.gcd(found, np.gcd.reduce(self.problem.levels[j].cost, axis=None, initial=0)))
        for one in self.ranged:
            found = int(np.gcd(found, one.unit))
        return max(found, 1)

    def scan(
        self,
        prices: Int64,
        parts: int,
        tau: int,
        most_pairs: int,
        watch: Watch | None = None,
        patterns: Int64 | None = None,
    ) -> Scan | None:
        """Return the exact worth of prices over all instances, and the instances with a reduced cost up to `tau`.

        `prices` is (t,), in `parts` of a scaled unit. At most `most_pairs` pairs are listed. The watch is asked between
        pieces; None is returned when it said stop: then there is no bound. `patterns` is (q,): which vectors of the
        other columns to look at; of a part of them the worth is no bound.
        """
        most = max(1, most_pairs // 4)
        which, shown = np.empty(most, np.int32), np.empty((most, len(self.columns), 2), np.int64)
        begins, rc = np.zeros(most + 1, np.int64), np.empty(most, np.int64)
        members, numbers = np.empty(most_pairs, np.int32), np.zeros(3, np.int64)
        patterns = self.kinds.open if patterns is None else patterns
        begin, share, begun = 0, 0, 0.0
        while begin < len(patterns):
            if watch is not None and watch.stopped:
                return None
            if not share:
                begun = search_time()
            of = self.shares if self.piece == 1 else 1
            range_boxes.scan(
                self.nodes, self.paid, self.width, self.start, self.vectors, self.cell, self.value, self.order,
                self.low, self.up, self.last, self.counts, self.problem.k, parts, prices, tau, self.free,
                patterns[begin : begin + self.piece], self.kinds.above, np.array([share, of]), which, shown, begins,
                members, rc, numbers,
            )  # fmt: skip
            share += 1
            if share < of:
                continue
            taken = search_time() - begun
            begin, share = begin + self.piece, 0
            self.piece = int(np.clip(self.piece * PIECE_SECONDS / max(taken, 1e-4), 1, 4 * self.piece))
        value = int((prices * self.counts).sum()) + int(numbers[0])
        if self.free:
            value += int((np.minimum(self.top * parts - prices, 0) * self.counts).sum())
        n, pairs = int(numbers[1]), int(numbers[2])
        ends = shown[:n].reshape(n, 2 * len(self.columns))
        vectors = np.concatenate((self.vectors[which[:n]], ends), axis=1).astype(np.int32)
        begins, members, rc = begins[: n + 1].copy(), members[:pairs].copy(), rc[:n]
        if self.starred:
            own = self._starred(prices, parts)
            value += min(own, 0)
            if own <= tau:
                vectors = np.concatenate((vectors, np.array([self.whole], np.int32)))
                begins, rc = np.append(begins, begins[-1] + self.t), np.append(rc, own)
                members = np.append(members, np.arange(self.t, dtype=np.int32))
        found = self.instances(vectors, begins, members)
        return Scan(value, found, np.concatenate((rc, np.zeros(found.size - len(rc), np.int64))))

    @property
    def whole(self) -> list[int]:
        """The vector of stars alone."""
        return [*self.heights, *(x for end in self.last.tolist() for x in (0, end))]

    def _starred(self, prices: Int64, parts: int) -> int:
        """Return the reduced cost of stars alone for at least k rows, in parts."""
        order = np.argsort(-prices, kind="stable")
        gain, rows = self.top * parts - prices[order], self.counts[order]
        before = np.cumsum(rows) - rows
        taken = np.where(gain < 0, rows, np.clip(self.problem.k - before, 0, rows))
        return int((gain * taken).sum())

    def instances(self, vectors: Int32, begins: Int64, members: Int32) -> Instances:
        """Return instances with what they cost, the free one last.

        `vectors` is (g, m + r) and `begins` (g + 1,). `members` is (e,): all types of each instance, increasing.
        """
        n, own = len(vectors), len(self.others)
        firsts = members[begins[:-1]]
        costs, needs = np.zeros(n, np.int64), np.full(n, self.problem.k, np.int64)
        for x, first in enumerate(self.start.tolist()):
            costs += self.paid[first + vectors[:, x], firsts]
        for c, one in enumerate(self.ranged):
            first, last = vectors[:, own + 2 * c].astype(np.int64), vectors[:, own + 2 * c + 1].astype(np.int64)
            costs += np.where(first >= 0, one.cost(np.maximum(first, 0), np.where(first >= 0, last, 0)), 0)
        suppressed = -1
        if self.free:
            costs, needs, suppressed = np.append(costs, self.top), np.append(needs, 0), n
            begins = np.append(begins, begins[-1] + self.t)
            members = np.append(members, np.arange(self.t, dtype=np.int32))
            vectors = np.concatenate((vectors, np.array([self.whole], np.int32)))
        vectors = np.ascontiguousarray(vectors, np.int32)
        return Instances(vectors, costs, needs, begins, members.astype(np.int32), self.counts, suppressed)  # type: ignore[arg-type]

    def openable(self, instances: Instances) -> Bool:
        """Return which instances the mask allows to be shown as they are."""
        if not self.kinds.masked:
            return np.ones(instances.size, np.bool_)
        return self.kinds.allowed(self.kinds.kinds(instances.vectors.astype(np.int64), self.last))

    def extents(self, vectors: Int64, firsts: Int64) -> Instances:
        """Return instances with all their types, the free one last.

        `vectors` is (g, m + r), and `firsts` is (g,): a type that lies in each. O(g t) time; of one column alone O(t
        log t) and what is listed.
        """
        own = len(self.others)
        if not own and len(self.columns) == 1:
            return self._along(vectors)
        levels = np.ascontiguousarray(vectors[:, :own], np.int64)
        ends = np.ascontiguousarray(vectors[:, own:], np.int64).reshape(len(vectors), len(self.columns), 2)
        begins = np.zeros(len(vectors) + 1, np.int64)
        given = self.nodes, self.width, self.start, levels, self.cell, self.value, ends, firsts.astype(np.int64)
        range_boxes.extents(*given, np.zeros(0, np.int32), begins)
        members = np.zeros(int(begins[-1]), np.int32)
        if members.size:
            range_boxes.extents(*given, members, begins)
        return self.instances(vectors.astype(np.int32), begins, members)

    def _along(self, vectors: Int64) -> Instances:
        """Return instances of one column alone."""
        cells, values = self.cell[0][self.order], self.value[0]
        first, last = vectors[:, 0].astype(np.int64), vectors[:, 1].astype(np.int64)
        run, place = first >= 0, np.zeros(int(values.max()) + 1, np.int64)
        place[values[self.order]] = np.arange(self.t)  # a type for each value
        low = np.where(run, np.searchsorted(cells, first), place[np.where(run, 0, last)])
        high = np.where(run, np.searchsorted(cells, last, side="right"), low + 1)
        begins = np.concatenate(([0], np.cumsum(high - low))).astype(np.int64)
        at = np.arange(begins[-1]) - np.repeat(begins[:-1] - low, high - low)
        members, owner = self.order[at], np.repeat(np.arange(len(vectors)), high - low)
        members = members[np.lexsort((members, owner))].astype(np.int32)
        return self.instances(vectors.astype(np.int32), begins, members)


# Which level vectors a mask leaves, where ranged columns show a value (0), a run (1) or all their cells (2).
MOST = 1 << 18  # vectors that a mask is asked about one by one


class Kinds:
    """A mask over the vectors of a `RangeLattice`.

    The `mask` is over all columns, ranged ones at 0, 1 or 2, and it allows stars alone; with None everything is
    allowed. `vectors` is (p, m): all level vectors of the other columns, in lexicographic order. `heights` has length
    m. `others` and `columns` are the places of the other columns, and of the r ranged ones. `exact`: (p, 3^r) bool,
    what is allowed; the lowest digit of the second place is the first ranged column. `above`: (p, 3^r) bool, whether
    something that is allowed lies at or above, but stars alone. `open`: (q,) int64, the vectors of which something is.
    """

    def __init__(
        self,
        mask: PatternSet | None,
        vectors: Int64,
        heights: Sequence[int],
        others: Sequence[int],
        columns: Sequence[int],
    ) -> None:
        self.masked = mask is not None
        self.vectors, r = vectors, len(columns)
        shape = len(vectors), 3**r
        self.radix = np.append(np.cumprod([top + 1 for top in reversed(heights)])[::-1][1:], 1).astype(np.int64)
        self.radix = self.radix[-len(heights) :] if heights else np.zeros(0, np.int64)
        self.exact: Bool = np.ones(shape, np.bool_)
        self.above: Bool = self.exact
        if mask is not None:
            whole = np.zeros(len(others) + r, np.int64)
            self.exact, ways = np.zeros(shape, np.bool_), list(itertools.product(range(3), repeat=r))
            for p, vector in enumerate(vectors.tolist()):
                whole[list(others)] = vector
                for kinds in ways:
                    whole[list(columns)] = kinds
                    self.exact[p, self._code(np.array([kinds]))[0]] = mask.allows(whole.tolist())
            above = self.exact.reshape(*(top + 1 for top in heights), *(3 for _ in columns)).copy()
            above[(-1,) * above.ndim] = False
            for axis in range(above.ndim):
                above = np.flip(np.logical_or.accumulate(np.flip(above, axis), axis=axis), axis)
            self.above = np.ascontiguousarray(above.reshape(shape))
        self.open: Int64 = np.flatnonzero(self.above.any(axis=1)).astype(np.int64)

    @staticmethod
    def _code(kinds: Int64) -> Int64:
        found: Int64 = kinds @ (3 ** np.arange(kinds.shape[1], dtype=np.int64))
        return found

    def kinds(self, vectors: Int64, last: Int64) -> Int64:
        """Return levels and kinds of vectors as a `RangeLattice` has them, shape (g, m + r).

        `vectors` is (g, m + 2 r), and `last` is (r,): the last cell of each ranged column.
        """
        own = self.vectors.shape[1]
        ends = vectors[:, own:].reshape(len(vectors), len(last), 2)
        star = (ends[:, :, 0] == 0) & (ends[:, :, 1] == last)
        found = np.where(ends[:, :, 0] < 0, 0, np.where(star, 2, 1))
        return np.concatenate((vectors[:, :own], found), axis=1).astype(np.int64)

    def allowed(self, kinds: Int64) -> Bool:
        """Return whether the mask allows levels and kinds, which come as (g, m + r)."""
        own = self.vectors.shape[1]
        found: Bool = self.exact[kinds[:, :own] @ self.radix, self._code(kinds[:, own:])]
        return found

    def over(self, kinds: Int64) -> Int64:
        """Return all allowed levels and kinds at or above some, shape (q, m + r). `kinds` is (m + r,)."""
        p, code = np.nonzero(self.exact)
        r = len(kinds) - self.vectors.shape[1]
        every = np.concatenate((self.vectors[p], code[:, None] // 3 ** np.arange(r) % 3), axis=1).astype(np.int64)
        found: Int64 = every[(every >= kinds).all(axis=1)]
        return found
