"""Row Assignment: given the opened instances, the best way to fill them.

A flow with lower bounds: each type sends its n_i rows to opened instances that it agrees with, each opened
instance takes at least k_g, at w_g a row. Solved as a linear program, whose vertices are whole (a bipartite
incidence matrix with bounds is totally unimodular).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Linear, Outcome, Program, rows_of
from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.partial_plan import shown
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Int8, Int32, Plan, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64


def assign(instances: Instances, opened: NDArray[np.bool_], watch: Watch | None = None) -> tuple[Int64, int] | None:
    """Return the cheapest way to fill exactly the opened instances: the rows per pair of the list, and the scaled cost.

    `opened` is (g,), and the rows are (p,); every opened instance gets the rows it needs. None is returned when the
    opened instances cannot be filled, or when time ran out: the deadline of the watch ends the flow. It takes the time
    of a linear program with one column per pair of an opened instance. Recounted in integers.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Theorem 3, Phase 2.
    """
    chosen = np.flatnonzero(opened[instances.owners])
    classes = np.flatnonzero(opened)
    members, owners = instances.members[chosen], instances.owners[chosen]
    if np.unique(members).size < instances.t:
        return None
    place = np.zeros(instances.size, np.int64)
    place[classes] = np.arange(classes.size)
    every = np.arange(chosen.size)
    total = instances.counts.astype(np.float64)
    costs = instances.costs[owners].astype(np.float64)
    scale = max(float(costs.max(initial=1.0)), 1.0) / 64
    program = Program(
        cost=costs / scale,
        lower=np.zeros(chosen.size),
        upper=instances.counts[members].astype(np.float64),
        whole=np.zeros(chosen.size, np.bool_),
        rows=rows_of(
            [(members, every, np.ones(chosen.size)), (place[owners], every, np.ones(chosen.size))],
            [(total, total), (instances.needs[classes].astype(np.float64), np.full(classes.size, np.inf))],
        ),
    )
    answer = Linear(program, method="simplex").solve(watch)
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        return None
    rows = np.zeros(instances.pairs, np.int64)
    rows[chosen] = np.rint(answer.x).astype(np.int64)
    return (rows, cost_of(instances, rows)) if holds(instances, rows) else None


def best_rows(instances: Instances, opened: NDArray[np.bool_], x: NDArray[np.float64], watch: Watch) -> Int64 | None:
    """Return whole rows per pair for a solution with whole u: rounded if that is a release, else by flow.

    `opened` is (g,): the instances that may hold rows. `x` is (p,): rows per pair, perhaps fractions of rows. The watch
    may end the flow.
    """
    rows: Int64 = np.rint(x).astype(np.int64)
    if holds(instances, rows):
        return rows
    found = assign(instances, opened, watch)
    return None if found is None else found[0]


def cost_of(instances: Instances, rows: Int64) -> int:
    """Return the scaled cost of rows per pair, which come as (p,)."""
    return int((instances.costs[instances.owners] * rows).sum())


def holds(instances: Instances, rows: Int64) -> bool:
    """Return whether (p,) rows per pair make a release: all rows placed, every used instance full enough."""
    placed = added_up(instances.members, rows, instances.t)
    held = added_up(instances.owners, rows, instances.size)
    return bool(
        (rows >= 0).all() and (placed == instances.counts).all() and ((held == 0) | (held >= instances.needs)).all()
    )


def to_plan(instances: Instances, rows: Int64) -> Plan:
    """Return the plan that puts ``rows[x]`` rows of ``members[x]`` into the instance of pair x.

    The `rows`, of shape (p,), are those of a release.
    """
    used = np.flatnonzero(rows > 0)
    owners, which = np.unique(instances.owners[used], return_inverse=True)
    types = instances.members[used]
    order = np.lexsort((which, types))
    return Plan(
        np.ascontiguousarray(instances.vectors[owners]),
        types[order].astype(np.int32),
        which[order].astype(np.int32),
        rows[used][order],
    )


def rows_in(problem: Problem, encoded: ProblemArrays, instances: Instances, plan: Plan) -> Int64 | None:
    """Return the rows per pair of a plan, shape (p,); None when a class's closure is not listed.

    The plan is one of the problem, and the instances are listed of it. O((g + pairs) log) time.
    """
    vectors, first = closed(problem, plan, encoded)
    return _placed(problem, instances, plan, vectors, first)


def as_listed(problem: Problem, instances: Instances, plan: Plan) -> Int64:
    """Return the rows per pair of a plan in a list that holds every instance of the mask, shape (p,)."""
    rows = _placed(problem, instances, plan, plan.levels, plan.part_type[plan.first()])
    assert rows is not None
    return rows


def _placed(problem: Problem, instances: Instances, plan: Plan, vectors: Int8, first: Int32) -> Int64 | None:
    both = np.concatenate((instances.vectors, vectors))
    _, number = row_numbers(shown(problem, both, np.concatenate((instances.reps, first))), len(both))
    listed = np.full(int(number.max(initial=-1)) + 1, -1, np.int64)
    listed[number[: instances.size]] = np.arange(instances.size)
    class_ = listed[number[instances.size :]]
    if (class_ < 0).any():
        return None
    keys = instances.owners.astype(np.int64) * instances.t + instances.members
    asked = class_[plan.part_class] * instances.t + plan.part_type
    return added_up(np.searchsorted(keys, asked), plan.part_rows, instances.pairs)


def closed(problem: Problem, plan: Plan, encoded: ProblemArrays) -> tuple[Int8, Int32]:
    """Return per class of a plan the kept instance that stands for it: its vector and a type that agrees.

    The first allowed vector above the levels at which the class's rows agree: never dearer, and kept. The free fully
    suppressed class stays as it is.
    """
    order = np.argsort(plan.part_class, kind="stable")
    members = plan.part_type[order].astype(np.int32)
    lengths = np.bincount(plan.part_class, minlength=plan.classes)
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    closure = CanonicalPattern(problem, encoded)
    reps: Int32 = members[begins[:-1]]
    vectors = closure.first(closure.levels(plan.levels, begins, members), reps)
    if problem.outliers == "suppress":
        top = np.array(problem.top, np.int8)
        vectors[(plan.levels == top).all(axis=1)] = top
    return vectors, reps


def polish(problem: Problem, plan: Plan, watch: Watch, encoded: ProblemArrays | None = None) -> Plan:
    """Return the best assignment of the rows to the instances that the plan opens; never a dearer plan.

    The plan is a release of the problem; it is returned as it is when the watch ends the search. The arrays `encoded`
    are made here where they are not given. Instances are replaced by the first of their closure beforehand: the
    cheapest that shows the same rows alike. The cost of a linear program with one column for every pair of a type and
    an opened instance.
    """
    e = encoded or encode(problem)
    instances = extents(problem, e, *closed(problem, plan, e))
    found = assign(instances, np.ones(instances.size, np.bool_), watch)
    if found is None or found[1] >= plan.cost(problem):
        return plan
    return to_plan(instances, found[0])
