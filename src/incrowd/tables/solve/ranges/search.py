"""Annealing over the instances that prices favour, for releases with ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.candidates import candidates_over
from incrowd.tables.solve.improve.restarts import evolve
from incrowd.tables.solve.ranges import tuning
from incrowd.tables.solve.ranges.classes import extents, plan_of
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.ranged_plan import RangedPlan
    from incrowd.tables.solve.improve.candidates import Candidates
    from incrowd.tables.solve.ranges.prices import RangePrices
    from incrowd.tables.solve.shared.time_share import TimeShare
    from incrowd.tables.values import Int64

__all__ = ["search"]


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

    Parameters
    ----------
    prices : RangePrices
    plan : RangedPlan
    watch : TimeShare
    seed : int
    work : int or None
        Moves; None: as many as the time allows.
    heard : callable
        Told the cost reached.
    """
    found = candidates_of(prices, plan)
    annealing = Annealing(found, prices.lattice.problem.k, prices.star)
    if work is None:
        rows, _ = evolve(annealing, watch, seed=seed, enough=prices.bound, heard=heard)
    else:
        _, rows = annealing.run(found.rows, watch, total=work, seed=seed, enough=prices.bound, heard=heard)
    return _plan(prices, found, rows)


def candidates_of(prices: RangePrices, plan: RangedPlan) -> Candidates:
    """Return the stored instances with small reduced costs and those of a plan, as the annealing reads them.

    Parameters
    ----------
    prices : RangePrices
    plan : RangedPlan
    """
    lattice, own = prices.lattice, tuning.DEFAULT
    starred = np.zeros(plan.groups, np.bool_)
    if lattice.free:
        starred = (plan.levels == np.array(lattice.problem.top, np.int8)).all(axis=1)
    number = np.cumsum(~starred) - 1
    inside = ~starred[plan.part_group]
    mine = extents(
        lattice, plan.part_type[inside].astype(np.int64), number[plan.part_group[inside]], int((~starred).sum())
    )
    rc = lagrangian.reduced_costs(lattice.instances(prices.stored), prices.best)[: prices.stored.size]
    crowd = max(lattice.problem.k / 5, 1.0)
    order = np.argsort(rc, kind="stable")
    order = order[rc[order] <= own.searched * prices.star * crowd]
    order = order[np.cumsum(np.diff(prices.stored.begins)[order]) <= own.searched_pairs]
    listed = mine.union(prices.stored.only(order))
    listed = listed.only(np.argsort(lattice.costs(listed), kind="stable"))
    instances = _sorted(lattice.instances(listed))
    # where the plan's rows lie among the pairs
    key = {}
    for g, (w, a, b, f) in enumerate(zip(listed.which, *listed.ends.T, listed.firsts, strict=True)):
        key[int(w), int(a), int(b), int(f)] = g
    where = [
        key[int(w), int(a), int(b), int(f)] for w, a, b, f in zip(mine.which, *mine.ends.T, mine.firsts, strict=True)
    ]
    place = np.full(plan.groups, instances.hub, np.int64)
    place[~starred] = where
    spots = instances.owners.astype(np.int64) * lattice.t + instances.members
    rows = np.zeros(instances.pairs, np.int64)
    np.add.at(rows, np.searchsorted(spots, place[plan.part_group] * lattice.t + plan.part_type), plan.part_rows)
    return candidates_over(instances, rows, prices.best)


def _sorted(instances: Instances) -> Instances:
    """Return the instances with the members of each in increasing order."""
    order = np.lexsort((instances.members, instances.owners))
    return Instances(
        instances.vectors, instances.costs, instances.needs, instances.begins,
        np.ascontiguousarray(instances.members[order]), instances.counts, instances.hub,
    )  # fmt: skip


def _plan(prices: RangePrices, found: Candidates, rows: Int64) -> RangedPlan:
    """Return the plan for rows per pair of the lists; as `Candidates.plan`."""
    types, groups, lengths = found.parts(rows)
    return plan_of(prices.lattice, types, np.where(groups == found.instances.hub, -1, groups).astype(np.int64), lengths)
