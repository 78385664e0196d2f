"""The assignment relaxation: integer prices, a lower bound, and a permutation whose cycles are nearly classes.

With c(u, v) = h(u, v) and c(v, v) the exit price, prices p_i + q_j <= c give y = p + q with
y_u + y_v <= 2 h(u, v) = C(uv) and y_v <= exit; then for triples y(uvw) <= half the sum of the three pairs
<= C(uvw). So sum y is a lower bound on every solution, whatever the exits of rows without one are priced at.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import assign, repair
from incrowd.kernels.matching.metric import FAR, HASH
from incrowd.kernels.matching.repair import EXIT, EXPOSED, PAIR, TRIPLE
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.all_pairs import NO_SETS, cheap_pairs, near_rows
from incrowd.tables.solve.matching.tuning import Stopped, ask, late, per_row, slices

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.all_pairs import ActiveRows
    from incrowd.tables.values import Int8, Int32, Int64

# Arcs between two looks at the watch.
ARCS = 20_000_000


@dataclass(frozen=True, eq=False)
class Relaxed:
    """Prices and the permutation.

    `y`: (n,) int64, prices, feasible for all pairs, triples and exits. `column`: (n,) int32, the permutation; a fixed
    point is an exit. Without `done` it may be one over some pairs, or -1. `stranded`: rows left in an exit they do not
    have: at a price above the cost of any solution there is none. `unit`: a slack C - y that near pairs have: what
    "nearly tight" means at the scale of these costs. `done`: whether the relaxation was solved; else there may be
    better prices.
    """

    y: Int64
    column: Int32
    stranded: int
    unit: float
    done: bool

    @property
    def bound(self) -> int:
        """Return the lower bound on the core's cost."""
        return int(self.y.sum())


def relax(core: ActiveRows, watch: Watch) -> Relaxed:
    """Solve the assignment relaxation over all pairs, or as far as the watch allows.

    When the watch says stop, the prices reached are returned, which are feasible but not the best. Arcs to
    the nearest rows first; then all pairs are priced, and those too cheap for their prices join, until there are none:
    2 to 6 rounds of O(n^2 L / 64) steps. The assignments in between start from the last one.
    """
    so_far = _SoFar(core)
    try:
        return _relaxed(core, watch, so_far)
    except Stopped:
        nothing = np.zeros(0, np.int32)
        return _made(so_far.y, so_far.column, core, nothing, nothing, np.zeros(0, np.int64), done=False)


class _SoFar:
    """Prices that hold for all pairs, triples and exits, and the last whole permutation."""

    def __init__(self, core: ActiveRows) -> None:
        self.y: Int64 = np.zeros(core.n, np.int64)
        self.column: Int32 = np.full(core.n, -1, np.int32)

    def better(self, y: Int64) -> None:
        if y.sum() > self.y.sum():
            self.y = y


def _relaxed(core: ActiveRows, watch: Watch, so_far: _SoFar) -> Relaxed:
    n, own = core.n, tuning.DEFAULT
    (left, right, costs), least = _first_arcs(core, own.neighbours, watch)
    if least is not None:
        # y_u + y_v <= h(u, v) + h(u, v) where each pays what its nearest row asks.
        so_far.better(np.where(least < FAR, np.minimum(least, core.exits), 0))
    p, q = np.zeros(n, np.int64), np.zeros(n, np.int64)
    ml, mr = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    artificial = min(2 * core.metric.most + 1, core.far)
    while True:
        exits = np.where(core.real, core.exits, artificial)
        ptr, adj, cost = assign.symmetric(n, left, right, costs, exits)
        _assigned(ptr, adj, cost, p, q, ml, mr, watch)
        so_far.column = ml.copy()
        y = p + q
        i, j, h = cheap_pairs(
            core.metric, y.astype(np.float64), 0.5, own.pairs_per_block, NO_SETS, 4 * n, watch,
            most=per_row(n, own.pairs_per_row),
        )  # fmt: skip
        # Each row lowered by the most that a later one is too cheap for: prices that hold for all pairs.
        excess = np.zeros(n, np.int64)
        np.maximum.at(excess, i, y[i] + y[j] - 2 * h)
        so_far.better(y - excess)
        watch.report("bound", too_cheap=int(i.size))
        if i.size:
            left, right, costs = (
                np.concatenate((left, i)),
                np.concatenate((right, j)),
                np.concatenate((costs, h)),
            )
            continue
        stranded = int(((ml == np.arange(n)) & ~core.real).sum())
        if not stranded or artificial >= core.far:
            return _made(y, ml, core, left, right, costs, done=True)
        artificial = min(64 * artificial, core.far)


def _assigned(ptr: Int64, adj: Int32, cost: Int64, p: Int64, q: Int64, ml: Int32, mr: Int32, watch: Watch) -> None:
    state = np.zeros(4, np.int64)
    while assign.assign_some(ptr, adj, cost, p, q, ml, mr, state, ARCS) == assign.MORE:
        ask(watch)


def _made(y: Int64, column: Int32, core: ActiveRows, left: Int32, right: Int32, costs: Int64, *, done: bool) -> Relaxed:
    slack = 2 * costs - y[left] - y[right]
    unit = max(1.0, float(np.quantile(slack, tuning.DEFAULT.near_share))) if slack.size else 1.0
    stranded = int(((column == np.arange(core.n)) & ~core.real).sum())
    return Relaxed(y, column, stranded, unit, done)


def _first_arcs(core: ActiveRows, neighbours: int, watch: Watch) -> tuple[tuple[Int32, Int32, Int64], Int64 | None]:
    """Return arcs to near rows, and each row's least cost of a pair (None: that was not looked for to the end)."""
    n = core.n
    near, far = near_rows(core.metric, min(neighbours, max(n - 1, 1)), watch)
    ask(watch)
    least = None if core.metric.mode == HASH else far[:, 0].copy()
    i = np.repeat(np.arange(n, dtype=np.int64), near.shape[1])
    j = near.reshape(-1).astype(np.int64)
    cost = far.reshape(-1)
    kept = j >= 0
    i, j, cost = i[kept], j[kept], cost[kept]
    name = np.minimum(i, j) * n + np.maximum(i, j)
    _, first = np.unique(name, return_index=True)
    arcs = np.minimum(i, j)[first].astype(np.int32), np.maximum(i, j)[first].astype(np.int32), cost[first]
    return arcs, least


# From the permutation to classes: cut its cycles, repair what is left over, and the quick release.

# Between two looks at the watch: pairs in the search for classes, and lines of rows looked at for a home.
PAIRS, LOOKED = 20_000_000, 2_000_000
# Slices of such looks that are still begun where the time is over: some tenths of a second.
LATE = 10


@dataclass(frozen=True, eq=False)
class Classes:
    """Every core row's class.

    `kind`: (n,) int8, EXPOSED (none yet), PAIR, EXIT or TRIPLE. `mate`: (n, 2) int32, the others of the class, -1 for
    none. `tree`: (n,) int32, search trees of the exposed rows, see `repair.repair_some`.
    """

    kind: Int8
    mate: Int32
    tree: Int32
    ptr: Int64
    adj: Int32

    @property
    def exposed(self) -> Int64:
        """Rows without a class."""
        return np.flatnonzero(self.kind == EXPOSED)


def repaired(core: ActiveRows, relaxed: Relaxed, watch: Watch) -> Classes:
    """Return classes made of pairs, triples and exits that cost what their prices say, and the rows left over.

    `relaxed` has prices and a permutation of the same core. Of the pairs that cost what their prices say, rows with
    very many list some of them only. When the watch says stop, more rows are left.
    """
    n = core.n
    nothing = np.zeros(0, np.int32)
    left, right, costs = nothing, nothing, np.zeros(0, np.int64)
    if (relaxed.column < 0).any():
        return _nobody(n)
    if relaxed.done:
        with contextlib.suppress(Stopped):
            left, right, costs = cheap_pairs(
                core.metric, relaxed.y.astype(np.float64), -0.5, 0, NO_SETS, 8 * n, watch, most=per_row(n)
            )
    ptr, adj, _ = assign.symmetric(n, left, right, costs)

    most = tuning.DEFAULT.repair_rows

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, Int32]:
        kind, mate = repair.cycles(flat, relaxed.y, core.exits, core.real, relaxed.column)
        tree = np.zeros(n, np.int32)
        state = np.zeros(3, np.int64)
        while not watch.stopped and not repair.repair_some(
            flat, relaxed.y, core.exits, core.real, ptr, adj, kind, mate, most, tree, state, PAIRS
        ):
            pass
        return kind, mate, tree

    kind, mate, tree = core.metric.settled(attempt)
    return Classes(kind, mate, tree, ptr, adj)


def _nobody(n: int) -> Classes:
    """Return classes that hold no row."""
    return Classes(
        np.full(n, EXPOSED, np.int8), np.full((n, 2), -1, np.int32),
        np.zeros(n, np.int32), np.zeros(n + 1, np.int64), np.zeros(0, np.int32),
    )  # fmt: skip


def quick(core: ActiveRows, classes: Classes, watch: Watch) -> tuple[Int8, Int32] | None:
    """Put every row without a class where it costs least, and return `kind` and `mate` as in `Classes`.

    They are (n,) and (n, 2); None instead of both if a row finds no place, or there is no time. The `classes` are left
    as they are. O(n L) steps for each row without a class.
    """
    exposed = classes.exposed
    each = core.n * max(core.metric.rows.shape[1], 1)
    runs = slices(np.full(exposed.size, each), LOOKED)
    if len(runs) > LATE and watch.stopped:
        return None
    if len(runs) > 1:
        watch = late(watch)

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, int]:
        kind, mate = classes.kind.copy(), classes.mate.copy()
        homeless = 0
        for first, last in runs:
            if first:
                ask(watch)
            homeless += repair.cheapest_home(flat, core.exits, core.real, kind, mate, exposed[first:last])
        return kind, mate, homeless

    try:
        kind, mate, homeless = core.metric.settled(attempt)
    except Stopped:
        return None
    return None if homeless else (kind, mate)


def classes_of(kind: Int8, mate: Int32) -> tuple[Int64, Int64]:
    """List the classes, as lines (u, v, w) of rows with w = -1 for a pair, and the rows in exits.

    The classes are (g, 3), pairs and triples, and the exits (e,). `kind` is (n,) and `mate` (n, 2), as in `Classes`.
    """
    n = kind.size
    own = np.arange(n)
    first_of_pair = (kind == PAIR) & (own < mate[:, 0])
    first_of_triple = (kind == TRIPLE) & (own < mate[:, 0]) & (own < mate[:, 1])
    chosen = np.flatnonzero(first_of_pair | first_of_triple)
    lines = np.column_stack((chosen, mate[chosen].astype(np.int64)))
    return lines, np.flatnonzero(kind == EXIT)


def cost_of(core: ActiveRows, kind: Int8, mate: Int32) -> int:
    """Return what classes and exits cost in all, in units of the divisor.

    `kind` is (n,) and `mate` (n, 2), as in `Classes`.
    """
    lines, leaving = classes_of(kind, mate)
    each = core.metric.costs(lines) * np.where(lines[:, 2] < 0, 2, 3)
    return int(each.sum()) + int(core.exits[leaving].sum())
