"""The assignment relaxation: integer prices, a lower bound, and a permutation whose cycles are nearly groups.

With c(u, v) = h(u, v) and c(v, v) the exit price, prices p_i + q_j <= c give y = p + q with
y_u + y_v <= 2 h(u, v) = C(uv) and y_v <= exit; then for triples y(uvw) <= half the sum of the three pairs
<= C(uvw). So sum y is a lower bound on every solution, whatever the exits of rows without one are priced at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import assign
from incrowd.kernels.matching.metric import FAR, HASH
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.all_pairs import NO_SETS, cheap_pairs, near_rows
from incrowd.tables.solve.matching.limits import Stopped, ask, per_row

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.active_rows import ActiveRows
    from incrowd.tables.values import Int32, Int64

__all__ = ["Relaxed", "relax"]

# Arcs between two looks at the watch.
ARCS = 20_000_000


@dataclass(frozen=True, eq=False)
class Relaxed:
    """Prices and the permutation.

    Attributes
    ----------
    y : (n,) int64
        Prices, feasible for all pairs, triples and exits.
    column : (n,) int32
        The permutation; a fixed point is an exit. Without `done` it may be one over some pairs, or -1.
    stranded : int
        Rows left in an exit they do not have: with `artificial` above the cost of any solution there is none.
    artificial : int
        The price of such an exit.
    unit : float
        A slack C - y that near pairs have: what "nearly tight" means at the scale of these costs.
    done : bool
        Whether the relaxation was solved; else there may be better prices.
    """

    y: Int64
    column: Int32
    stranded: int
    artificial: int
    unit: float
    done: bool

    @property
    def bound(self) -> int:
        """Return the lower bound on the core's cost."""
        return int(self.y.sum())


def relax(core: ActiveRows, watch: Watch, *, neighbours: int | None = None) -> Relaxed:
    """Solve the assignment relaxation over all pairs, or as far as the watch allows.

    When the watch says stop, the prices reached are returned, which are feasible but not the best. `neighbours` is how
    many nearest rows of every row are looked at first (default: that of `tuning`); it changes the speed only.

    Notes
    -----
    Arcs to the nearest rows first; then all pairs are priced, and those too cheap for their prices join, until
    there are none: 2 to 6 rounds of O(n^2 L / 64) steps. The assignments in between start from the last one.
    """
    so_far = _SoFar(core)
    try:
        return _relaxed(core, watch, tuning.DEFAULT.neighbours if neighbours is None else neighbours, so_far)
    except Stopped:
        nothing = np.zeros(0, np.int32)
        return _made(so_far.y, so_far.column, core, 0, nothing, nothing, np.zeros(0, np.int64), done=False)


class _SoFar:
    """Prices that hold for all pairs, triples and exits, and the last whole permutation."""

    def __init__(self, core: ActiveRows) -> None:
        self.y: Int64 = np.zeros(core.n, np.int64)
        self.column: Int32 = np.full(core.n, -1, np.int32)

    def better(self, y: Int64) -> None:
        if y.sum() > self.y.sum():
            self.y = y


def _relaxed(core: ActiveRows, watch: Watch, neighbours: int, so_far: _SoFar) -> Relaxed:
    n, own = core.n, tuning.DEFAULT
    (left, right, costs), least = _first_arcs(core, neighbours, watch)
    if least is not None:
        # y_u + y_v <= h(u, v) + h(u, v) where each pays what its nearest row asks.
        so_far.better(np.where(least < FAR, np.minimum(least, core.exits), 0))
    p, q = np.zeros(n, np.int64), np.zeros(n, np.int64)
    ml, mr = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    artificial = min(2 * core.metric.most + 1, core.far)
    while True:
        exits = np.where(core.real, core.exits, artificial)
        ptr, adj, cost = assign.csr(n, left, right, costs, exits)
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
        watch.tell("bound", bound=int(so_far.y.sum()), too_cheap=int(i.size))
        if i.size:
            left, right, costs = (
                np.concatenate((left, i)),
                np.concatenate((right, j)),
                np.concatenate((costs, h)),
            )
            continue
        stranded = int(((ml == np.arange(n)) & ~core.real).sum())
        if not stranded or artificial >= core.far:
            return _made(y, ml, core, artificial, left, right, costs, done=True)
        artificial = min(64 * artificial, core.far)


def _assigned(ptr: Int64, adj: Int32, cost: Int64, p: Int64, q: Int64, ml: Int32, mr: Int32, watch: Watch) -> None:
    state = np.zeros(4, np.int64)
    while assign.assign_some(ptr, adj, cost, p, q, ml, mr, state, ARCS) == assign.MORE:
        ask(watch)


def _made(
    y: Int64, column: Int32, core: ActiveRows, artificial: int, left: Int32, right: Int32, costs: Int64, *, done: bool
) -> Relaxed:
    slack = 2 * costs - y[left] - y[right]
    unit = max(1.0, float(np.quantile(slack, tuning.DEFAULT.near_share))) if slack.size else 1.0
    stranded = int(((column == np.arange(core.n)) & ~core.real).sum())
    return Relaxed(y, column, stranded, artificial, unit, done)


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
