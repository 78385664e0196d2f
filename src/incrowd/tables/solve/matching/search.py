"""From row types to an optimal solution of the core, step by step, with the best bound so far at any time."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from enum import Enum
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching.repair import EXIT, PAIR, TRIPLE, grow
from incrowd.milp import Outcome, Program, Rows, solve
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.all_pairs import reduced
from incrowd.tables.solve.matching.assignment_relaxation import Classes, Relaxed, cost_of, quick, relax, repaired
from incrowd.tables.solve.matching.odd_set_lp import BOUNDARY, CLASS, LEAVE, NOWHERE, OddSetProgram, Prices
from incrowd.tables.solve.matching.tuning import LISTED, Stopped, TooMany

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.all_pairs import ActiveRows
    from incrowd.tables.values import Int8, Int32, Int64


@dataclass(eq=False)
class Found:
    """What is known about the optimum of a core; costs in units of the divisor.

    `bound`: no solution is cheaper. `prices`: a dual solution that proves it, but for what the closing search added.
    `base`: whole prices that hold as they are, for a lower bound. `infeasible`: whether it is proven that there is no
    solution. `steps`: what happened, in numbers.
    """

    kind: Int8 | None
    mate: Int32 | None
    cost: int | None
    bound: int
    prices: Prices
    base: Prices
    infeasible: bool
    steps: dict[str, int]

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven to be optimal."""
        return self.cost is not None and self.cost <= self.bound


def optimum(core: ActiveRows, watch: Watch) -> Found:
    """Solve the matching problem of a core.

    When the watch says stop, the best that was found stands. Proven: the bound. Heuristic, for speed only: which rows
    are repaired, how the region grows, which cuts are found. The linear program with all odd sets is not integral in
    general, so no polynomial time is claimed.
    """
    if core.n == 0:
        nothing = Prices(np.zeros(0), (), np.zeros(0), sure=True)
        return Found(np.zeros(0, np.int8), np.zeros((0, 2), np.int32), 0, 0, nothing, nothing, False, {})
    relaxed = relax(core, watch)
    prices = Prices(relaxed.y.astype(np.float64), (), np.zeros(0), sure=True)
    found = Found(None, None, None, relaxed.bound, prices, prices, False, {"relaxation": relaxed.bound})
    if relaxed.done and relaxed.stranded and relaxed.bound >= core.far:
        found.infeasible = True
        return found
    classes = repaired(core, relaxed, watch)
    found.steps["exposed"] = int(classes.exposed.size)
    first = quick(core, classes, watch)
    if first is not None:
        found.kind, found.mate, found.cost = *first, cost_of(core, *first)
        found.steps["quick"] = found.cost
        watch.report("bound", lower_bound=found.bound * core.metric.divisor)
    if not found.optimal and relaxed.done and not watch.stopped:
        with contextlib.suppress(Stopped):  # what was found by then stands
            _around(core, relaxed, classes, found, watch)
    return found


def _around(core: ActiveRows, relaxed: Relaxed, classes: Classes, found: Found, watch: Watch) -> None:
    region = OddSetProgram(core, relaxed.y, relaxed.unit, watch)
    region.grow(_first_rows(core, classes))
    ring = tuning.DEFAULT.ring_rows
    while region.optimise(watch):
        prices = region.prices()
        if prices.value > found.prices.value:
            found.prices = prices
        found.bound = max(found.bound, ceil(prices.value - 1e-4))
        outside = int(relaxed.y[~region.inside].sum())
        found.steps.update(region=region.size, sets=len(prices.sets), columns=region.lp.columns)
        if found.bound >= core.far:
            found.infeasible = True
            return
        watch.report("bound", lower_bound=found.bound * core.metric.divisor, rows=region.size, sets=len(prices.sets))
        used = region.x > 1e-6
        out = region.classes[used & ((region.kind == BOUNDARY) | (region.kind == NOWHERE)), 0]
        if out.size and not region.whole:
            # Ties often let it stay: ask before growing.
            around = _stays(core, region, classes, found, outside, watch)
            if found.optimal:
                return
            out = out if around is None or not around.size else around
        else:
            around = _close(core, region, classes, found, outside, watch)
            if around is None:
                return
            out = around
        ring = _grow(core, region, classes, out, ring)


def _stays(
    core: ActiveRows, region: OddSetProgram, classes: Classes, found: Found, outside: int, watch: Watch
) -> NDArray[np.int64] | None:
    """Look for a whole-number solution at the bound that leaves the region as seldom as it can.

    Returns the rows that leave; none left means that the solution was taken. None: nothing was found.
    """
    value = region.prices().value
    columns = columns_within(region, found.bound - value + 1e-3)
    if columns is None:
        return None
    answered, chosen, _ = whole_numbers(
        region, columns, found.bound - outside, watch, nodes=tuning.DEFAULT.stay_nodes, stay=True
    )
    if answered is not ClaimsAnswer.FOUND:
        return None
    out = leaving(columns, chosen)
    if not out.size:
        _take(core, region, classes, found, columns, chosen)
    return out


def _close(
    core: ActiveRows, region: OddSetProgram, classes: Classes, found: Found, outside: int, watch: Watch
) -> NDArray[np.int64] | None:
    """Look for whole numbers; return the rows around which to grow, or None when nothing is left to do."""
    if (np.abs(region.x - np.rint(region.x)) < 1e-6).all():
        pool = Columns(region.classes, region.costs, region.kind)
        chosen = np.flatnonzero(region.x > 0.5)
        if not leaving(pool, chosen).size:
            _take(core, region, classes, found, pool, chosen)
            return None
    value = region.prices().value
    while True:
        goal = max(found.bound, ceil(value - 1e-4))
        if found.cost is not None and found.cost <= goal:
            return None
        if goal >= core.far:
            found.infeasible = True
            return None
        columns = columns_within(region, goal - value + 1e-3)
        if columns is None:
            return None
        found.steps["closing columns"] = len(columns.classes)
        stay = columns.pick((columns.kind == CLASS) | (columns.kind == LEAVE))
        answered, chosen, _ = whole_numbers(region, stay, goal - outside, watch)
        if answered is ClaimsAnswer.FOUND:
            _take(core, region, classes, found, stay, chosen)
            return None
        if not region.whole and answered is ClaimsAnswer.NONE:
            answered, chosen, _ = whole_numbers(region, columns, goal - outside, watch)
            if answered is ClaimsAnswer.FOUND:
                return leaving(columns, chosen)
        if watch.stopped or answered is ClaimsAnswer.UNKNOWN:
            return None
        # A solver's word for "there is none" is asked for twice: once more with columns to spare.
        columns = columns_within(region, goal - value + 0.5)
        if columns is None:
            return None
        if region.whole:
            columns = columns.pick((columns.kind == CLASS) | (columns.kind == LEAVE))
        answered, chosen, _ = whole_numbers(region, columns, goal - outside, watch)
        if answered is ClaimsAnswer.FOUND:
            out = leaving(columns, chosen)
            if out.size:
                return out
            _take(core, region, classes, found, columns, chosen)
            return None
        if answered is ClaimsAnswer.UNKNOWN:
            return None
        found.bound = goal + 1
        found.steps["closing"] = found.steps.get("closing", 0) + 1


def _take(
    core: ActiveRows, region: OddSetProgram, classes: Classes, found: Found, columns: Columns, chosen: Int64
) -> None:
    kind, mate = classes.kind.copy(), classes.mate.copy()
    settle(region, columns, chosen, kind, mate)
    cost = cost_of(core, kind, mate)
    if found.cost is None or cost < found.cost:
        found.kind, found.mate, found.cost = kind, mate, cost


def _first_rows(core: ActiveRows, classes: Classes) -> NDArray[np.bool_]:
    """Return the search trees of the exposed rows, whole classes."""
    inside: NDArray[np.bool_] = np.zeros(core.n, np.bool_)
    exposed = classes.exposed
    trees = classes.tree > 0
    if trees.sum() > tuning.DEFAULT.tree_rows:
        quota = max(tuning.DEFAULT.tree_rows, 2 * exposed.size)
        grow(classes.ptr, classes.adj, classes.kind, classes.mate, inside, exposed, quota)
    else:
        inside |= trees
    inside[exposed] = True
    return inside


def _grow(core: ActiveRows, region: OddSetProgram, classes: Classes, out: Int64, ring: int) -> int:
    """Take in what lies around the rows that want to leave; return the next ring."""
    inside = region.inside.copy()
    nearest = region.near_outside[out]
    nearest = nearest[nearest >= 0]
    inside[nearest] = True
    # Who loses its partner to a row inside looks for another one.
    seeds = classes.mate[nearest].reshape(-1)
    seeds = np.concatenate((seeds[seeds >= 0], nearest)).astype(np.int64)
    quota = max(ring, 10 * out.size)
    joined = grow(classes.ptr, classes.adj, classes.kind, classes.mate, inside, seeds, quota)
    if joined < quota:
        everyone = region.rows.copy()
        joined += grow(classes.ptr, classes.adj, classes.kind, classes.mate, inside, everyone, quota - joined)
    if joined == 0 or inside.sum() > tuning.DEFAULT.region_share * core.n:
        inside[:] = True
    region.grow(inside)
    return 2 * ring


# The last step: a whole-number solution at the bound, or the proof that there is none.
#
# A solution of cost at most c uses only columns with rc <= c - LB. So for c = the bound rounded up, and one more, ...
# the columns up to that threshold are listed and an integer program over them is solved. If it can be met without
# classes that leave A, that is an optimum; if it cannot even be met with them, c + 1 is a bound (on the word of the
# integer program).
class ClaimsAnswer(Enum):
    """What the integer program said."""

    FOUND = "found"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of the integer program.

    `classes`: (c, 3) int64, rows by position in the region, -1 filling up. `costs`: (c,) int64, cost of each whole
    class, in units of the divisor. `kind`: (c,) int8, GROUP, LEAVE, BOUNDARY or NOWHERE.
    """

    classes: Int64
    costs: Int64
    kind: Int8

    def pick(self, mask: NDArray[np.bool_]) -> Columns:
        """Return those that the mask, (c,) bool, marks."""
        return Columns(self.classes[mask], self.costs[mask], self.kind[mask])


def columns_within(region: OddSetProgram, gap: float) -> Columns | None:
    """List all columns of the region with reduced cost at most `gap`.

    None is returned where there are more than 8 million pairs or triples. The `region` is solved, and `gap` is at least
    0, in units of the divisor. Raises Stopped when the watch says so.
    """
    lifted, sets = region.lifted(), region.membership()
    everyone = np.arange(region.size)
    try:
        left, right, costs = region.pairs(lifted, sets, -2 * gap - 1e-9, everyone, True, limit=LISTED)
    except TooMany:
        return None
    pairs = np.column_stack((left, right, np.full(left.size, -1, np.int64)))
    inner = region.set_triples(lifted, sets, gap)
    others = region.triples(left, right, lifted, sets, gap, LISTED + 1)
    if len(inner) + len(others) > LISTED:
        return None
    triples = np.concatenate((others, inner))
    if len(triples):
        triples = np.unique(np.sort(triples, axis=1), axis=0)
    classes = np.concatenate((pairs, triples))
    total = np.concatenate((2 * costs, 3 * region.metric.costs(triples)))
    other = region.kind != CLASS
    classes = np.concatenate((classes, region.classes[other]))
    total = np.concatenate((total, region.costs[other]))
    kind = np.concatenate((np.full(len(pairs) + len(triples), CLASS, np.int8), region.kind[other]))
    rc = reduced(classes, total, lifted, sets)
    found = Columns(classes, total, kind)
    return found.pick((rc <= gap + 1e-9) & ~((kind == BOUNDARY) & (total >= region.core.far)))


def whole_numbers(
    region: OddSetProgram, columns: Columns, most: int, watch: Watch, *, nodes: int | None = None, stay: bool = False
) -> tuple[ClaimsAnswer, NDArray[np.int64], int]:
    """Choose columns that hold every row of the region once, at total cost at most `most`.

    What is returned says whether they exist, which they are, shape (c,), and what they cost (recounted). With `stay`,
    solutions that do not leave the region are preferred.
    """
    none = np.zeros(0, np.int64)
    n, count = region.size, len(columns.classes)
    base = int(region.start[region.rows].sum())
    prices = np.where(columns.classes >= 0, region.start[region.rows[columns.classes]], 0).sum(axis=1)
    used = np.flatnonzero(region.z > 1e-9)
    column, place = np.nonzero(columns.classes >= 0)
    line_parts, column_parts = [columns.classes[column, place]], [column]
    for k, s in enumerate(used):
        mark = np.zeros(n + 1, np.bool_)
        mark[region.sets[s]] = True
        odd = np.flatnonzero(mark[columns.classes].sum(axis=1) % 2)
        line_parts.append(np.full(odd.size, n + k, np.int64))
        column_parts.append(odd)
    row_of, column_of = np.concatenate(line_parts), np.concatenate(column_parts)
    if (np.bincount(row_of, minlength=n)[:n] == 0).any():
        return ClaimsAnswer.NONE, none, 0
    order = np.argsort(row_of, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(row_of, minlength=n + used.size)))).astype(np.int32)
    rows = Rows(
        begins, column_of[order].astype(np.int32), np.ones(order.size),
        np.ones(n + used.size), np.concatenate((np.ones(n), np.full(used.size, np.inf))),
    )  # fmt: skip
    cost = (columns.costs - prices).astype(np.float64)
    if stay:
        cost[(columns.kind == BOUNDARY) | (columns.kind == NOWHERE)] += tuning.DEFAULT.leaving_cost
    program = Program(cost, np.zeros(count), np.ones(count), np.ones(count, np.bool_), rows)
    answer = solve(program, watch=watch, nodes=nodes, abs_gap=2 * tuning.DEFAULT.leaving_cost if stay else 0.999)
    if answer.x is not None:
        chosen = np.flatnonzero(answer.x > 0.5)
        cost = int(columns.costs[chosen].sum())
        members = columns.classes[chosen]
        hit = np.bincount(members[members >= 0], minlength=n)
        if (hit == 1).all() and cost <= most:
            return ClaimsAnswer.FOUND, chosen, cost
    proven = answer.outcome is Outcome.INFEASIBLE or (
        answer.outcome is Outcome.OPTIMAL and not stay and answer.bound + base > most + 1e-6
    )
    return (ClaimsAnswer.NONE if proven else ClaimsAnswer.UNKNOWN), none, 0


def leaving(columns: Columns, chosen: Int64) -> Int64:
    """Return the rows whose chosen column leaves the region, as positions in the region, shape (r,).

    `chosen` is (s,): the indices of the chosen columns.
    """
    out = chosen[(columns.kind[chosen] == BOUNDARY) | (columns.kind[chosen] == NOWHERE)]
    rows: Int64 = columns.classes[out, 0]
    return rows


def settle(region: OddSetProgram, columns: Columns, chosen: Int64, kind: Int8, mate: NDArray[np.int32]) -> None:
    """Write the chosen classes into the arrays over the whole core.

    The `columns` are of that region, and `chosen` is (s,): the indices of the chosen ones, none of which leaves the
    region. `kind`, (n,), and `mate`, (n, 2), are changed in place.
    """
    for at in chosen:
        members = [int(region.rows[v]) for v in columns.classes[at] if v >= 0]
        shape = {1: EXIT, 2: PAIR, 3: TRIPLE}[len(members)]
        for v in members:
            others = [u for u in members if u != v] + [-1, -1]
            kind[v], mate[v] = shape, others[:2]
