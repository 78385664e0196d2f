"""Annealing over the instances that prices favour, for releases with ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.block_dives import BlockDives
from incrowd.tables.solve.improve.candidates import candidates_over
from incrowd.tables.solve.improve.restarts import evolve
from incrowd.tables.solve.ranges import tuning
from incrowd.tables.solve.ranges.classes import opened, plan_of, raise_to_mask
from incrowd.tables.solve.shared.instances import Instances
from incrowd.tables.solve.shared.problem_arrays import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.ranged_plan import RangedPlan
    from incrowd.tables.solve.improve.candidates import Candidates
    from incrowd.tables.solve.ranges.lattice import RangeLattice
    from incrowd.tables.solve.ranges.prices import RangePrices
    from incrowd.tables.solve.shared.time_share import TimeShare
    from incrowd.tables.values import Int64

__all__ = ["candidates_of", "dives_of", "raised", "rows_over", "search"]


def search(
    prices: RangePrices,
    plan: RangedPlan,
    watch: TimeShare,
    *,
    seed: int,
    work: int | None,
    heard: Callable[[int], None],
) -> RangedPlan:
    """Return the best release found from a given one on.

    `work` is the number of moves; with None there are as many as the time allows. `heard` is told the cost reached.
    """
    found = candidates_of(prices, plan)
    annealing = Annealing(found, prices.lattice.problem.k, prices.star)
    if work is None:
        rows, _ = evolve(annealing, watch, seed=seed, enough=prices.bound, heard=heard)
    else:
        _, rows = annealing.run(found.rows, watch, total=work, seed=seed, enough=prices.bound, heard=heard)
    return _plan(prices, found, rows)


def candidates_of(prices: RangePrices, plan: RangedPlan) -> Candidates:
    """Return the stored instances with small reduced costs and those of a plan, as the annealing reads them."""
    lattice, own = prices.lattice, tuning.DEFAULT
    mine, place = opened(lattice, plan)
    stored = prices.stored
    rc = lagrangian.reduced_costs(stored, prices.best)
    crowd = max(lattice.problem.k / 5, 1.0)
    order = np.argsort(np.where(stored.needs == 0, np.inf, rc), kind="stable")
    order = order[rc[order] <= own.searched * prices.star * crowd]
    order = order[np.cumsum(np.diff(stored.begins)[order]) <= own.searched_pairs]
    near, allowed = np.zeros(stored.size, np.bool_), lattice.openable(stored)
    near[order] = (stored.needs[order] > 0) & allowed[order]
    listed = mine.union(stored.only(near))
    if not allowed.all():
        listed = listed.union(raised(lattice, stored, order[~allowed[order]][: own.raised]))
    instances, where = _cheapest_first(listed)
    rows = rows_over(lattice, instances, where[place], plan)
    return candidates_over(instances, rows, prices.best)


def raised(lattice: RangeLattice, stored: Instances, which: Int64) -> Instances:
    """Return the cheapest instances that the mask allows above some that it does not.

    `which` is (q,), and the free one is not among them.
    """
    firsts = stored.members[stored.begins[which]].astype(np.int64)
    vectors = stored.vectors[which].astype(np.int64)
    raise_to_mask(lattice, vectors, firsts)
    keep = (vectors != np.array(lattice.whole)).any(axis=1)
    vectors, firsts = vectors[keep], firsts[keep]
    found = lattice.extents(vectors, firsts)
    # instances of one vector are told apart by their first type
    least = found.members[found.begins[: len(vectors)]].astype(np.int64)
    once = np.unique(np.concatenate((vectors, least[:, None]), axis=1), axis=0, return_index=True)[1]
    some = np.zeros(found.size, np.bool_)
    some[once] = True
    some[len(vectors) :] = True
    return found.only(some)


def dives_of(prices: RangePrices, plan: RangedPlan, seed: int) -> BlockDives:
    """Return dives from a release, over the stored instances of small reduced costs and the release's own."""
    lattice, own = prices.lattice, tuning.DEFAULT
    mine, place = opened(lattice, plan)
    stored = prices.stored
    rc = np.where(stored.needs == 0, np.inf, lagrangian.reduced_costs(stored, prices.best))
    order = np.argsort(rc, kind="stable")
    within = np.cumsum(np.diff(stored.begins)[order]) <= own.dive_room * lattice.t
    near = np.zeros(stored.size, np.bool_)
    near[order[within]] = rc[order[within]] <= own.dive_near * prices.star * lattice.problem.k / 5
    near &= lattice.openable(stored)
    both, where = _cheapest_first(mine.union(stored.only(near)))
    rows = rows_over(lattice, both, where[place], plan)
    free = np.where(both.needs == 0, -1, np.arange(both.size))

    def planned(held: Int64) -> RangedPlan:
        return plan_of(lattice, both.members.astype(np.int64), free[both.owners], held)

    return BlockDives(
        lattice.problem.k,
        encode(lattice.problem),
        both,
        rows,
        both.needs > 0,
        max(round(prices.star), 1),
        seed,
        planned,
    )


def rows_over(lattice: RangeLattice, instances: Instances, place: Int64, plan: RangedPlan) -> Int64:
    """Return a plan's rows per pair of some instances.

    The members of each instance are increasing. `place` is (g,): where each group's instance stands.
    """
    spots = instances.owners.astype(np.int64) * lattice.t + instances.members
    rows: Int64 = np.zeros(instances.pairs, np.int64)
    np.add.at(rows, np.searchsorted(spots, place[plan.part_group] * lattice.t + plan.part_type), plan.part_rows)
    return rows


def _cheapest_first(instances: Instances) -> tuple[Instances, Int64]:
    """Return the instances by cost, the free one last, and where each of them went."""
    order = np.lexsort((instances.costs, instances.needs == 0))
    lengths = np.diff(instances.begins)[order]
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    at = np.arange(begins[-1]) + np.repeat(instances.begins[:-1][order] - begins[:-1], lengths)
    where = np.empty(instances.size, np.int64)
    where[order] = np.arange(instances.size)
    hub = -1 if instances.hub < 0 else int(where[instances.hub])
    found = Instances(
        instances.vectors[order], instances.costs[order], instances.needs[order], begins,
        np.ascontiguousarray(instances.members[at]), instances.counts, hub,
    )  # fmt: skip
    return found, where


def _plan(prices: RangePrices, found: Candidates, rows: Int64) -> RangedPlan:
    """Return the plan for rows per pair of the lists; as `Candidates.plan`."""
    types, groups, lengths = found.parts(rows)
    return plan_of(prices.lattice, types, np.where(groups == found.instances.hub, -1, groups).astype(np.int64), lengths)
