"""From row types to classes of least cost: the exact steps, with the way back to all rows.

Some relaxations are taken for speed and undone if the solution makes use of what they add: pools give away more
copies than they have, or exactly one row leaves by full suppression where that needs a crowd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.matching.repair import EXIT
from incrowd.progress import Watch
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.matching.all_pairs import (
    ActiveRows,
    Sets,
    cheap_pairs,
    core_of,
    exits_per_pool,
    reduced,
    sets_by_row,
)
from incrowd.tables.solve.matching.assignment_relaxation import classes_of
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.odd_set_lp import Prices, triples_in_sets
from incrowd.tables.solve.matching.search import Found, optimum
from incrowd.tables.solve.matching.tuning import Stopped, late

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.values import Int64, Levels, Outliers

EXPAND = 4


@dataclass(frozen=True, eq=False)
class Result:
    """The least classes found, and what is proven about them.

    `classes`: (g, 3) int64 or None, pairs and triples of row types, -1 for no third; one line per class, so that types
    with several rows come several times. None: no solution was found. `suppressed`: (s,) int64, types of single rows
    that are fully suppressed. `rest`: (t,) int64, rows of each type left among themselves at no cost. `cost`, `bound`,
    `checked`: in the units of the levels' costs: of this solution, proven, and proven by the certificate alone.
    `infeasible`: whether it is proven that no solution exists. `steps`: what happened, in numbers.
    """

    classes: Int64 | None
    suppressed: Int64
    rest: Int64
    cost: int
    bound: int
    checked: int
    infeasible: bool
    certificate: Certificate
    steps: dict[str, int]

    @property
    def optimal(self) -> bool:
        """Whether the classes are proven to be the cheapest."""
        return self.classes is not None and self.cost <= self.bound


def optimal_classes(
    codes: NDArray[np.integer],
    counts: Int64,
    levels: Sequence[Levels],
    patterns: PatternSet,
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[np.integer] | None = None,
    watch: Watch | None = None,
    expand: int = EXPAND,
) -> Result:
    """Partition rows into classes of at least two at least cost.

    `codes` is (t, m): the row types; `counts` is (t,): the rows of each. `levels` and `patterns` are hierarchies with
    costs, and the mask; see `incrowd.tables.values`. `sens` is (t, s): codes of one or two sensitive columns, of which
    no value may make up more than half of a class. The classes of the result are pairs and triples; they suffice
    (`tests/oracle/pairs_and_triples.py` cuts any class so). `outliers` says whether fully suppressed rows need a crowd.
    With `sens` they always do: they are judged as one class. Types with more copies than `expand` are pools, see
    `incrowd.tables.solve.matching.all_pairs`. Under a mask that allows full suppression rows may leave by themselves at
    its price. There are at most two sensitive columns: a class that meets three can be one that cannot be split. No
    polynomial bound is proven for the whole. The assignment relaxation and the checks take O(n^2 L) steps of a fraction
    of a nanosecond per round, n core rows; what follows depends on how many rows it leaves over. Memory O(n L) plus the
    pairs that cost exactly what their prices say.
    """
    watch = watch or Watch()
    counts = np.asarray(counts, np.int64)
    free = sens is None or sens.shape[1] == 0
    masked = patterns.count() < int(np.prod([level.height + 1 for level in levels], dtype=object))
    full_exit = free and patterns.allows_full_suppression and (outliers == "suppress" or masked)
    unpooled = np.zeros(counts.size, np.bool_)
    rebuilds = 0
    # Every core is a relaxation of the table: its bound holds whatever becomes of its solution.
    best: tuple[ActiveRows, Found] | None = None
    while True:
        types = metric(codes, levels, patterns, None if free else sens, without_full=full_exit)
        try:
            core = core_of(
                types, counts, expand=expand, unpooled=unpooled, full_exit=full_exit, pools=free, watch=watch
            )
        except Stopped:
            if best is None:
                return _nothing(counts, types.divisor)
            core, found = best
            found.kind = None
            break
        found = optimum(core, watch)
        if best is None or found.infeasible or found.bound >= best[1].bound:
            best = core, found
        if found.kind is None:
            core, found = best
            found.kind = None
            break
        leaving = np.flatnonzero(found.kind == EXIT)
        taken = exits_per_pool(core, leaving, counts.size)
        over = (taken > counts) | (taken == counts - 1)
        over &= taken > 0
        alone = outliers == "forbid" and int((core.goal[leaving] < 0).sum()) == 1
        if not over.any() and not alone:
            break
        rebuilds += 1
        unpooled |= over
        if alone:
            full_exit = False
    found.steps["rebuilds"] = rebuilds
    found.steps["core"] = core.n
    return _result(core, counts, found, watch)


def _nothing(counts: Int64, divisor: int) -> Result:
    """Return what is known before anything was looked at."""
    none = np.zeros(0, np.int64)
    certificate = Certificate(none, none, (), none, SCALE, divisor)
    return Result(None, none, counts * 0, -1, 0, 0, False, certificate, {})


def _result(core: ActiveRows, counts: Int64, found: Found, watch: Watch) -> Result:
    try:
        certificate = certify(core, found.prices, late(watch))
    except Stopped:
        certificate = certify(core, found.base)
    unit = core.metric.divisor
    checked = max(certificate.bound, 0)
    bound = max(found.bound, checked)
    none = np.zeros(0, np.int64)
    if found.kind is None or found.mate is None or found.cost is None:
        return Result(
            None, none, counts * 0, -1, bound * unit, checked * unit, found.infeasible, certificate, found.steps
        )
    lines, leaving = classes_of(found.kind, found.mate)
    classes = np.where(lines >= 0, core.who[lines], -1)
    goal = core.goal[leaving]
    pooled = goal >= 0
    joined = np.column_stack((core.who[leaving][pooled], goal[pooled], np.full(int(pooled.sum()), -1)))
    rest = counts - np.bincount(core.who, minlength=counts.size) - np.bincount(goal[pooled], minlength=counts.size)
    return Result(
        np.concatenate((classes, joined)).astype(np.int64),
        core.who[leaving][~pooled],
        rest.astype(np.int64),
        found.cost * unit,
        min(bound, found.cost) * unit,
        min(checked, found.cost) * unit,
        False,
        certificate,
        found.steps,
    )


# Prices in exact integers, from which the bound can be computed again.
SCALE = 1 << 20
# Pairs too cheap that a row lists, and triples listed at once.
FEW, AT_ONCE = 64, 1 << 16


@dataclass(frozen=True, eq=False)
class Certificate:
    """Integer prices: one unit of cost is `scale` of them.

    `who`: (n,) int64, row type of each priced row; all other rows are priced 0. `y`: (n,) int64. `sets`: tuple of (s,)
    int64, odd sets of priced rows. `z`: (k,) int64, at least 0. `scale`, `divisor`: all costs are multiples of
    `divisor`; the bound is ceil((sum y + sum z) / scale) times that.
    """

    who: Int64
    y: Int64
    sets: tuple[Int64, ...]
    z: Int64
    scale: int
    divisor: int

    @property
    def bound(self) -> int:
        """Return the bound, in units of the divisor."""
        return -(-(int(self.y.sum()) + int(self.z.sum())) // self.scale)

    def as_dict(self) -> dict[str, Any]:
        """Return it as numbers and lists; types go by their index."""
        return {
            "scale": self.scale,
            "divisor": self.divisor,
            "rows": self.who.tolist(),
            "prices": self.y.tolist(),
            "sets": [{"rows": s.tolist(), "price": int(z)} for s, z in zip(self.sets, self.z, strict=True)],
        }


def certify(core: ActiveRows, prices: Prices, watch: Watch | None = None) -> Certificate:
    """Round prices to integers and lower those for which some pair, triple or exit is too cheap.

    The `prices` are over the core, in floating point. Raises Stopped when the watch says so; prices that are sure take
    no time. One pass over all pairs. Prices that come out of floating point are first rounded down; what is still too
    high is lowered exactly, which makes no other class too cheap. Numbers stay below 2**52 and fractions are of a power
    of two, so the floating point kernels are exact here.
    """
    z = np.floor(prices.z * SCALE).astype(np.int64)
    if np.abs(prices.y).max(initial=0) * SCALE + int(z.sum()) >= 1 << 51:
        return certify(core, Prices(np.minimum(prices.y, 1 << 30), (), np.zeros(0), sure=prices.sure), watch)
    exact = prices.y == np.rint(prices.y)
    y = np.where(exact, prices.y * SCALE, np.floor(prices.y * SCALE)).astype(np.int64)
    if prices.sure:
        return Certificate(core.who, y, (), np.zeros(0, np.int64), SCALE, core.metric.divisor)
    kept = z > 0
    sets = tuple(s for s, k in zip(prices.sets, kept, strict=True) if k)
    z = z[kept]
    starts = np.concatenate(([0], np.cumsum([s.size for s in sets]))).astype(np.int64)
    flat = np.concatenate(sets) if sets else np.zeros(0, np.int64)
    held = sets_by_row(core.n, sets, z / SCALE)
    lift = added_up(flat, np.repeat(z, np.diff(starts)), core.n)
    over = np.flatnonzero(core.real & (y + lift > core.exits * SCALE))
    y[over] = core.exits[over] * SCALE - lift[over]
    left, right, costs = cheap_pairs(core.metric, (y + lift) / SCALE, 0.0, 0, held, core.n, watch, most=FEW)
    classes = np.column_stack((left, right, np.full(left.size, -1))).astype(np.int64)
    # A row with so many may have more of them: by as much as the worst of its list it is lowered at once.
    many = np.bincount(left, minlength=core.n) >= FEW
    excess = np.zeros(core.n, np.int64)
    short = reduced(classes, 2 * costs, (y + lift) / SCALE, held)
    np.maximum.at(excess, left, np.rint(-short * SCALE).astype(np.int64))
    y[many] -= excess[many]
    rest = ~many[left]
    _lower(y, lift, classes[rest], 2 * costs[rest], held)
    while sets:
        triples = triples_in_sets(core.metric, starts, flat, (y + lift) / SCALE, held, -0.5 / SCALE, watch, AT_ONCE)
        _lower(y, lift, triples, 3 * core.metric.costs(triples), held)
        if len(triples) < AT_ONCE:
            break
    return Certificate(core.who, y, sets, z, SCALE, core.metric.divisor)


def _lower(y: Int64, lift: Int64, classes: Int64, costs: Int64, sets: Sets) -> None:
    """Lower one price of each class that is too cheap, exactly."""
    short = np.rint(reduced(classes, costs, (y + lift) / SCALE, sets) * SCALE).astype(np.int64)
    lowered = np.zeros_like(y)
    for g in np.flatnonzero(short < 0):
        rows = classes[g][classes[g] >= 0]
        rc = short[g] + lowered[rows].sum()
        if rc < 0:
            # The highest price is the one with something to give.
            row = rows[np.argmax(y[rows])]
            y[row] += rc
            lowered[row] -= rc
