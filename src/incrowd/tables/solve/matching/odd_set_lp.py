"""The linear program with odd-set cuts around what the assignment left over.

Inside a set A of rows, a union of current classes, all pairs, triples and exits compete, and single rows v at
b(v) = min over u outside of 2 h(v, u) - y_u stand for classes that leave A. Outside the prices of the assignment
stay. With reduced costs rc(g) = C(g) - y(g) - z{S : |g and S| odd} >= 0 inside and y_v + z{S : v in S} <= b(v),
every pair of the table has rc >= 0, and so has every triple that lies in no S with z_S > 0, because

    rc(h) >= 1/2 (rc of its three pairs) + z{S : |h and S| = 2} - z{S : h inside S}

(simplex condition; a set meeting h in one or two rows separates exactly two of its pairs). So
sum y (outside) + the program's value bounds every solution of the whole table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from incrowd.kernels.matching import columns
from incrowd.milp import Linear, Program, Rows
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.all_pairs import cheap_pairs, nearest_rows, odd_sets_of, reduced, sets_by_row
from incrowd.tables.solve.matching.tuning import LISTED, ask, per_row, slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.milp.program import Answer
    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.all_pairs import ActiveRows
    from incrowd.tables.solve.matching.metric import Metric
    from incrowd.tables.values import Int8, Int32, Int64

# Kinds of columns: pairs and triples; exits; classes that leave A; exits that do not exist.
CLASS, LEAVE, BOUNDARY, NOWHERE = 0, 1, 2, 3
TIGHT = 1e-6

Float64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Prices:
    """A dual solution over the core: y (n,) prices the rows, z (s,) the odd sets `sets`, each of rows of the core.

    `sure`: whole numbers, no sets, and known to hold for every pair, triple and exit.
    """

    y: Float64
    sets: tuple[Int64, ...]
    z: Float64
    sure: bool = False

    @property
    def value(self) -> float:
        """Return the bound in floating point."""
        return float(self.y.sum() + self.z.sum())


class OddSetProgram:
    """Rows under the linear program; all indices of classes and sets are positions in `rows`.

    `y` is (n,): feasible prices of the whole core. `unit` is the slack of near pairs. Whatever looks at pairs or
    triples asks the watch, and raises `Stopped`.
    """

    def __init__(self, core: ActiveRows, y: Int64, unit: float, watch: Watch) -> None:
        self.core, self.start, self.unit, self.watch = core, y, unit, watch
        self.rows: Int64 = np.zeros(0, np.int64)
        self.inside = np.zeros(core.n, np.bool_)
        nothing, none = np.zeros(0), np.zeros(0, np.int32)
        rows = Rows(np.zeros(1, np.int32), none, nothing, nothing, nothing)
        program = Program(nothing, nothing, nothing, np.zeros(0, np.bool_), rows)
        self.lp = Linear(program, method="simplex", presolve=False)
        self.classes: Int64 = np.zeros((0, 3), np.int64)
        self.costs: Int64 = np.zeros(0, np.int64)
        self.kind: Int8 = np.zeros(0, np.int8)
        self.known: set[int] = set()
        self.line: Int32 = np.zeros(0, np.int32)
        self.boundary: Int64 = np.zeros(0, np.int64)
        self.near_outside: Int64 = np.zeros(0, np.int64)
        self.sets: list[Int64] = []
        self.cut_line: Int32 = np.zeros(0, np.int32)
        self.y: Float64 = np.zeros(0)
        self.z: Float64 = np.zeros(0)
        self.x: Float64 = np.zeros(0)
        self.metric: Metric = core.metric.take(self.rows)
        self.before: tuple[Float64, Float64] | None = None

    @property
    def size(self) -> int:
        """Rows inside."""
        return int(self.rows.size)

    @property
    def whole(self) -> bool:
        """Whether the whole core is inside."""
        return self.size == self.core.n

    # --- sets -------------------------------------------------------------------------------------------------

    def membership(self) -> tuple[Int64, Int64, Float64]:
        """Return the sets per row with their z."""
        return sets_by_row(self.size, self.sets, self.z)

    def _flat_sets(self) -> tuple[Int64, Int64]:
        starts = np.concatenate(([0], np.cumsum([s.size for s in self.sets]))).astype(np.int64)
        rows = np.concatenate(self.sets) if self.sets else np.zeros(0, np.int64)
        return starts, rows

    def lifted(self) -> Float64:
        """Return y plus the z of each row's sets."""
        total = self.y.copy()
        for rows, z in zip(self.sets, self.z, strict=True):
            total[rows] += z
        return total

    # --- growth -----------------------------------------------------------------------------------------------

    def grow(self, new: NDArray[np.bool_]) -> None:
        """Take the rows marked in `new`, (n,) bool over the core, into the program.

        Their lines, near columns among all rows inside, and new boundary prices join.
        """
        added = np.flatnonzero(new & ~self.inside)
        first = self.size
        self.inside[added] = True
        self.rows = np.concatenate((self.rows, added))
        self.metric = self.core.metric.take(self.rows)
        self.line = np.concatenate((self.line, self._add_lines(1.0, [np.zeros(0, np.int32)] * added.size)))
        self.y = np.concatenate((self.y, self.start[added].astype(np.float64)))
        fresh = np.arange(first, self.size)
        single = np.full((added.size, 3), -1, np.int64)
        single[:, 0] = fresh
        real = self.core.real[added]
        self._add(single[real], self.core.exits[added][real], LEAVE)
        self._add(single[~real], np.full(int((~real).sum()), self.core.far), NOWHERE)
        self._reprice_boundary(single)
        self._add_near(fresh)
        self.before = None

    def _reprice_boundary(self, single: Int64) -> None:
        far = float(self.core.far)
        if self.whole:
            value = np.full(self.size, far)
            self.near_outside = np.full(self.size, -1, np.int64)
        else:
            prices, everyone = self.start.astype(np.float64), np.arange(self.core.n)
            whole = self.core.metric
            value, who = nearest_rows(
                whole, everyone, self.metric, self.rows, prices, self.inside, self.watch, spread=False, table=whole
            )
            self.near_outside = who.astype(np.int64)
        cost = np.minimum(value, far).astype(np.int64)
        old = self.boundary
        self.costs[old] = cost[: old.size]
        self.lp.change_costs(old, (cost - self.start[self.rows])[: old.size].astype(np.float64))
        self.boundary = np.concatenate((old, self._add(single, cost[old.size :], BOUNDARY)))
        never = self.boundary[value >= far]
        self.lp.bound(never, np.zeros(never.size), np.zeros(never.size))

    def _add_lines(self, upper: float, members: list[NDArray[Any]]) -> NDArray[np.int32]:
        """Add lines that are at least 1, each with ones in some columns; return their numbers."""
        begins = np.concatenate(([0], np.cumsum([m.size for m in members]))).astype(np.int32)
        columns = np.concatenate([np.zeros(0, np.int32), *members]).astype(np.int32)
        lower = np.ones(len(members))
        first = self.lp.rows
        self.lp.add(Rows(begins, columns, np.ones(columns.size), lower, upper * lower))
        return np.arange(first, self.lp.rows, dtype=np.int32)

    def _add(self, classes: Int64, costs: Int64, kind: int) -> Int64:
        """Add columns; return their numbers."""
        inside, odd = classes >= 0, odd_sets_of(classes, self.membership()).nonzero()
        whose = np.concatenate((inside.nonzero()[0], odd[0]))
        lines = np.concatenate((self.line[classes[inside]], self.cut_line[odd[1]]))[np.argsort(whose, kind="stable")]
        starts = np.concatenate(([0], np.cumsum(np.bincount(whose, minlength=len(classes)))))
        prices = np.where(classes >= 0, self.start[self.rows[classes]], 0).sum(axis=1)
        first = self.lp.columns
        self.lp.add_columns((costs - prices).astype(np.float64), starts, lines)
        self.classes = np.concatenate((self.classes, classes))
        self.costs = np.concatenate((self.costs, costs))
        self.kind = np.concatenate((self.kind, np.full(costs.size, kind, np.int8)))
        return np.arange(first, self.lp.columns)

    def add_classes(self, classes: Int64) -> int:
        """Add those pairs and triples, (g, 3) with -1 filling up, that are not there yet; return how many."""
        if not len(classes):
            return 0
        classes = np.sort(np.where(classes < 0, self.core.n, classes), axis=1)
        width = self.core.n + 1
        names = (classes[:, 0] * width + classes[:, 1]) * width + classes[:, 2]
        names, first = np.unique(names, return_index=True)
        fresh = np.array([int(name) not in self.known for name in names], np.bool_)
        self.known.update(map(int, names[fresh]))
        classes = classes[first[fresh]]
        classes[classes == self.core.n] = -1
        costs = self.metric.costs(classes) * np.where(classes[:, 2] < 0, 2, 3)
        self._add(classes, costs, CLASS)
        return len(classes)

    def _add_near(self, fresh: Int64) -> None:
        """Add the pairs and triples of small slack around new rows."""
        lifted, sets = self.lifted(), self.membership()
        reach = self.unit
        for _ in range(40):
            left, right, costs = self.pairs(
                lifted, sets, -reach - TIGHT, fresh, fresh.size == self.size, most=per_row(fresh.size)
            )
            if left.size >= 3 * fresh.size or reach > 2 * self.metric.most:
                break
            reach *= 2
        slack = 2 * costs - lifted[left] - lifted[right]
        most = tuning.DEFAULT.near_pairs * fresh.size
        if left.size > most:
            order = np.argsort(slack, kind="stable")[:most]
            left, right, slack = left[order], right[order], slack[order]
        self.add_classes(_lines(left, right))
        self.add_classes(self.triples(left, right, lifted, sets, self.unit + TIGHT, 30 * fresh.size))

    # --- pricing ----------------------------------------------------------------------------------------------

    def pairs(
        self,
        lifted: Float64,
        sets: tuple[Int64, Int64, Float64],
        floor: float,
        rows: Int64,
        later: bool,
        cap: int = 0,
        *,
        most: int = 0,
        limit: int = 0,
    ) -> tuple[Int64, Int64, Int64]:
        """Return the pairs inside with rc < -floor around `rows`, and their h; see `cheap_pairs`."""
        left, right, costs = cheap_pairs(
            self.metric, lifted, floor, cap, sets, 8 * self.size + 1024, self.watch,
            most=most, limit=limit, rows=rows, later=later,
        )  # fmt: skip
        return left.astype(np.int64), right.astype(np.int64), costs

    def triples(
        self,
        left: Int64,
        right: Int64,
        lifted: Float64,
        sets: tuple[Int64, Int64, Float64],
        ceiling: float,
        most: int,
    ) -> Int64:
        """Return triples with rc <= `ceiling` whose pairs are all among the given ones, at most `most`."""
        n = self.size
        low, high = np.minimum(left, right), np.maximum(left, right)
        name = np.unique(low * n + high)
        ptr = np.searchsorted(name // n, np.arange(n + 1))
        adj = (name % n).astype(np.int32)
        everyone = np.arange(n)
        ends = np.concatenate(([0], np.cumsum(np.diff(ptr)[adj])))
        work = np.diff(ends[ptr]) + 1
        return listed(
            self.metric, slices(work, TRIED), most, self.watch,
            lambda flat, room, first, last: columns.triangles(
                flat, everyone, ptr, adj, lifted, *sets, ceiling, room, first, last
            ),
        )  # fmt: skip

    def set_triples(self, lifted: Float64, sets: tuple[Int64, Int64, Float64], ceiling: float) -> Int64:
        """Return the triples inside a set with z > 0 whose rc is at most `ceiling`, one more than may be at most."""
        starts, rows = self._flat_sets()
        return triples_in_sets(self.metric, starts, rows, lifted, sets, ceiling, self.watch)

    def _price(self) -> int:
        """Add columns that are too cheap for the prices; return how many."""
        lifted, sets = self.lifted(), self.membership()
        rows = self._dirty(lifted)
        most_rows = 2 * rows.size > self.size
        look = np.arange(self.size) if most_rows else rows
        left, right, _ = self.pairs(
            lifted, sets, TIGHT, look, most_rows, 3, most=per_row(look.size, tuning.DEFAULT.joining_pairs)
        )
        classes = _lines(left, right)
        self.before = (lifted.copy(), self.z.copy())
        if left.size:
            self.before[0][np.concatenate((left, right))] = -np.inf
        inner = self.set_triples(lifted, sets, -TIGHT)
        if len(inner) > tuning.DEFAULT.joining_triples:
            rc = reduced(inner, 3 * self.metric.costs(inner), lifted, sets)
            inner = inner[np.argsort(rc, kind="stable")[: tuning.DEFAULT.joining_triples]]
        return self.add_classes(np.concatenate((classes, inner)))

    def _dirty(self, lifted: Float64) -> Int64:
        """Return the rows whose pairs may have become too cheap since the last look."""
        if self.before is None or self.before[0].size != self.size:
            return np.arange(self.size)
        old, old_z = self.before
        dirty = lifted > old + 1e-9
        for s in np.flatnonzero(self.z[: old_z.size] < old_z - 1e-9):
            dirty[self.sets[s]] = True
        return np.flatnonzero(dirty)

    # --- the program ------------------------------------------------------------------------------------------

    def add_sets(self, sets: list[Int64]) -> None:
        """Add the cuts of odd sets, each given by its rows."""
        lines = []
        mark = np.zeros(self.size + 1, np.bool_)
        for rows in sets:
            mark[rows] = True
            lines.append(np.flatnonzero(mark[self.classes].sum(axis=1) % 2))
            mark[rows] = False
        self.cut_line = np.concatenate((self.cut_line, self._add_lines(np.inf, lines)))
        self.sets.extend(sets)
        self.z = np.concatenate((self.z, np.zeros(len(sets))))

    def optimise(self, watch: Watch) -> bool:
        """Solve the program over all pairs and triples with the cuts that are found; False if the watch stopped it."""
        have = {s.tobytes() for s in self.sets}
        while True:
            answer = self.lp.solve(watch)
            if answer.x is None or watch.stopped:
                return False
            self._read(answer)
            cuts = [s for s in odd_sets(self.size, self.classes, self.x) if s.tobytes() not in have]
            cuts = [s for s in cuts if 2 * s.size <= self.size or self.size < 12]
            have.update(s.tobytes() for s in cuts)
            self.add_sets(cuts)
            priced = self._price()
            if not cuts and not priced:
                return True

    def _read(self, answer: Answer) -> None:
        assert answer.x is not None and answer.duals is not None
        self.x = answer.x
        self.y = self.start[self.rows] + answer.duals[self.line]
        self.z = np.maximum(answer.duals[self.cut_line], 0.0)

    def prices(self) -> Prices:
        """Return the dual solution over the whole core."""
        y = self.start.astype(np.float64)
        y[self.rows] = self.y
        used = np.flatnonzero(self.z > 1e-9)
        return Prices(y, tuple(self.rows[self.sets[s]] for s in used), self.z[used])


def _lines(left: Int64, right: Int64) -> Int64:
    return np.column_stack((left, right, np.full(left.size, -1, np.int64)))


# Odd sets of rows that a fractional solution of the linear program treats as if they could be matched.
LITTLE = 1e-7


def odd_sets(n: int, classes: Int64, x: NDArray[np.float64]) -> list[Int64]:
    """Return sets S of odd size with x{g : an odd number of g in S} < 1, each ascending.

    `n` is the number of rows. `classes` is (c, 3): columns of one to three rows, -1 filling up; `x` is (c,). They are
    odd components of the fractional support, so a violated set may be missed.
    """
    part = (x > LITTLE) & (x < 1 - LITTLE)
    classes, x = classes[part], x[part]
    two, three = classes[:, 1] >= 0, classes[:, 2] >= 0
    left = np.concatenate((classes[two, 0], classes[three, 0]))
    right = np.concatenate((classes[two, 1], classes[three, 2]))
    graph = coo_array((np.ones(left.size), (left, right)), shape=(n, n))
    label = connected_components(graph, directed=False)[1]
    rows = np.unique(classes[classes >= 0])
    order = rows[np.argsort(label[rows], kind="stable")]
    alone = ~two | three
    value = np.bincount(label[classes[alone, 0]], weights=x[alone], minlength=n)
    own = tuning.DEFAULT
    return [
        component
        for component in np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
        if component.size % 2 and component.size <= own.component_rows
        if value[label[component[0]]] < 1 - own.violation
    ]


# Lists of triples, in pieces that ask the watch.

# Triples looked at between two looks at the watch.
TRIED = 10_000_000
# Room that a piece's list has at first.
ROOM = 1 << 12


def listed(
    metric: Metric,
    runs: list[tuple[int, int]],
    most: int,
    watch: Watch | None,
    look: Callable[[Any, int, int, int], tuple[Int64, int]],
) -> Int64:
    """Return what a kernel lists over pieces (first, last), one after another, at most `most` lines.

    `look` is given the record, the room for a list and a piece (first, last), and returns the list and how many lines
    it would have. Raises Stopped when the watch says so.
    """
    found: list[Int64] = [np.zeros((0, 3), np.int64)]
    count = 0
    for first, last in runs:
        room = ROOM
        while True:
            ask(watch)

            def call(flat: Any, _: Any, room: int = room, first: int = first, last: int = last) -> tuple[Int64, int]:
                return look(flat, room, first, last)

            classes, here = metric.settled(call, watch)
            if here <= room or room >= most - count:
                break
            room = min(here, most - count)
        found.append(classes[: most - count])
        count += len(found[-1])
        if count >= most:
            break
    return np.concatenate(found)


def triples_in_sets(
    metric: Metric,
    starts: Int64,
    rows: Int64,
    lifted: NDArray[np.float64],
    sets: tuple[Int64, Int64, NDArray[np.float64]],
    ceiling: float,
    watch: Watch | None,
    most: int = LISTED + 1,
) -> Int64:
    """Return the triples inside a set with z > 0 whose rc is at most `ceiling`, at most `most`, shape (c, 3).

    ``rows[starts[s]:starts[s + 1]]`` are the rows of set s; `starts` is (s + 1,). `lifted` is (n,): the price of each
    row plus the z of its sets. `sets` is (mptr, mids, z): the sets per row, see `incrowd.kernels.matching.columns`, and
    the z of each set. Raises Stopped when the watch says so.
    """
    sizes = np.diff(starts)
    work = np.repeat(sizes * sizes, sizes) / 2
    return listed(
        metric, slices(work, TRIED), most, watch,
        lambda flat, room, first, last: columns.set_triples(
            flat, starts, rows, lifted, *sets, ceiling, room, first, last
        ),
    )  # fmt: skip
