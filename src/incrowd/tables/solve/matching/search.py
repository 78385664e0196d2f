"""From row types to an optimal solution of the core, step by step, with the best bound so far at any time."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import odd_sets
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.assignment_relaxation import Relaxed, relax
from incrowd.tables.solve.matching.groups_of_cycles import Groups, cost_of, quick, repaired
from incrowd.tables.solve.matching.last_step import (
    ClaimsAnswer,
    Columns,
    columns_within,
    leaving,
    settle,
    whole_numbers,
)  # fmt: skip
from incrowd.tables.solve.matching.limits import Stopped
from incrowd.tables.solve.matching.odd_set_lp import BOUNDARY, GROUP, LEAVE, NOWHERE, OddSetProgram, Prices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.active_rows import ActiveRows
    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["Found", "optimum"]


@dataclass(eq=False)
class Found:
    """What is known about the optimum of a core; costs in units of the divisor.

    Attributes
    ----------
    kind (n,) int8, mate (n, 2) int32 : the best solution, None if there is none yet
    cost : int or None
    bound : int
        No solution is cheaper.
    prices : Prices
        A dual solution that proves it, but for what the closing search added.
    base : Prices
        Whole prices that hold as they are, for a lower bound.
    infeasible : bool
        Whether it is proven that there is no solution.
    steps : dict
        What happened, in numbers.
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

    When the watch says stop, the best that was found stands.

    Notes
    -----
    Proven: the bound. Heuristic, for speed only: which rows are repaired, how the region grows, which cuts are
    found. The linear program with all odd sets is not integral in general, so no polynomial time is claimed.
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
    groups = repaired(core, relaxed, watch)
    found.steps["exposed"] = int(groups.exposed.size)
    first = quick(core, groups, watch)
    if first is not None:
        found.kind, found.mate, found.cost = *first, cost_of(core, *first)
        found.steps["quick"] = found.cost
        watch.tell("solve", cost=found.cost, bound=found.bound)
    if not found.optimal and relaxed.done and not watch.stopped:
        with contextlib.suppress(Stopped):  # what was found by then stands
            _around(core, relaxed, groups, found, watch)
    return found


def _around(core: ActiveRows, relaxed: Relaxed, groups: Groups, found: Found, watch: Watch) -> None:
    region = OddSetProgram(core, relaxed.y, relaxed.unit, watch)
    region.grow(_first_rows(core, groups))
    region.add_sets(_blossoms(groups, region))
    ring = tuning.DEFAULT.ring_rows
    while region.optimise(watch):
        prices = region.prices()
        if prices.value > found.prices.value:
            found.prices = prices
        low = ceil(prices.value - 1e-4)
        found.bound = max(found.bound, low)
        outside = int(relaxed.y[~region.inside].sum())
        watch.tell("bound", bound=found.bound, rows=region.size, sets=len(prices.sets), columns=region.lp.columns)
        found.steps.update(region=region.size, sets=len(prices.sets), columns=region.lp.columns)
        if found.bound >= core.far:
            found.infeasible = True
            return
        used = region.x > 1e-6
        out = region.groups[used & ((region.kind == BOUNDARY) | (region.kind == NOWHERE)), 0]
        if out.size and not region.whole:
            # Ties often let it stay: ask before growing.
            around = _stays(core, region, groups, found, outside, watch)
            if found.optimal:
                return
            out = out if around is None or not around.size else around
        else:
            around = _close(core, region, groups, found, outside, watch)
            if around is None:
                return
            out = around
        ring = _grow(core, region, groups, out, ring)


def _stays(
    core: ActiveRows, region: OddSetProgram, groups: Groups, found: Found, outside: int, watch: Watch
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
        _take(core, region, groups, found, columns, chosen)
    return out


def _close(
    core: ActiveRows, region: OddSetProgram, groups: Groups, found: Found, outside: int, watch: Watch
) -> NDArray[np.int64] | None:
    """Look for whole numbers; return the rows around which to grow, or None when nothing is left to do."""
    if (np.abs(region.x - np.rint(region.x)) < 1e-6).all():
        pool = Columns(region.groups, region.costs, region.kind)
        chosen = np.flatnonzero(region.x > 0.5)
        if not leaving(pool, chosen).size:
            _take(core, region, groups, found, pool, chosen)
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
        found.steps["closing columns"] = len(columns.groups)
        stay = columns.pick((columns.kind == GROUP) | (columns.kind == LEAVE))
        answered, chosen, _ = whole_numbers(region, stay, goal - outside, watch)
        if answered is ClaimsAnswer.FOUND:
            _take(core, region, groups, found, stay, chosen)
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
            columns = columns.pick((columns.kind == GROUP) | (columns.kind == LEAVE))
        answered, chosen, _ = whole_numbers(region, columns, goal - outside, watch)
        if answered is ClaimsAnswer.FOUND:
            out = leaving(columns, chosen)
            if out.size:
                return out
            _take(core, region, groups, found, columns, chosen)
            return None
        if answered is ClaimsAnswer.UNKNOWN:
            return None
        found.bound = goal + 1
        found.steps["closing"] = found.steps.get("closing", 0) + 1


def _take(
    core: ActiveRows, region: OddSetProgram, groups: Groups, found: Found, columns: Columns, chosen: Int64
) -> None:
    kind, mate = groups.kind.copy(), groups.mate.copy()
    settle(region, columns, chosen, kind, mate)
    cost = cost_of(core, kind, mate)
    if found.cost is None or cost < found.cost:
        found.kind, found.mate, found.cost = kind, mate, cost


def _first_rows(core: ActiveRows, groups: Groups) -> NDArray[np.bool_]:
    """Return the search trees of the exposed rows, whole groups."""
    inside: NDArray[np.bool_] = np.zeros(core.n, np.bool_)
    exposed = groups.exposed
    trees = groups.tree > 0
    if trees.sum() > tuning.DEFAULT.tree_rows:
        quota = max(tuning.DEFAULT.tree_rows, 2 * exposed.size)
        odd_sets.grow(groups.ptr, groups.adj, groups.kind, groups.mate, inside, exposed, quota)
    else:
        inside |= trees
    inside[exposed] = True
    return inside


def _blossoms(groups: Groups, region: OddSetProgram) -> list[Int64]:
    """Return the outer blossoms of the failed searches that lie in the region."""
    place = np.full(groups.kind.size, -1, np.int64)
    place[region.rows] = np.arange(region.size)
    rows = np.flatnonzero((groups.tree > 0) & (groups.home >= 0) & region.inside)
    name = groups.tree[rows].astype(np.int64) * groups.kind.size + groups.home[rows]
    order = np.argsort(name, kind="stable")
    parts = np.split(rows[order], np.flatnonzero(np.diff(name[order])) + 1)
    sets = [np.sort(place[p]) for p in parts if p.size > 1 and p.size % 2]
    return [s for s in sets if 2 * s.size <= region.size]


def _grow(core: ActiveRows, region: OddSetProgram, groups: Groups, out: Int64, ring: int) -> int:
    """Take in what lies around the rows that want to leave; return the next ring."""
    inside = region.inside.copy()
    nearest = region.near_outside[out]
    nearest = nearest[nearest >= 0]
    inside[nearest] = True
    # Who loses its partner to a row inside looks for another one.
    seeds = groups.mate[nearest].reshape(-1)
    seeds = np.concatenate((seeds[seeds >= 0], nearest)).astype(np.int64)
    quota = max(ring, 10 * out.size)
    joined = odd_sets.grow(groups.ptr, groups.adj, groups.kind, groups.mate, inside, seeds, quota)
    if joined < quota:
        everyone = region.rows.copy()
        joined += odd_sets.grow(groups.ptr, groups.adj, groups.kind, groups.mate, inside, everyone, quota - joined)
    if joined == 0 or inside.sum() > tuning.DEFAULT.region_share * core.n:
        inside[:] = True
    region.grow(inside)
    return 2 * ring
