"""Whether a plan is settled: no row can move to another class, and no class be shown otherwise, at less cost.

A last full pass over a plan that is not proven to be the cheapest; one that is needs none. What attackers may conclude
from a release rests on it (docs/papers/attacks.md, premise P2), so in doubt the answer is no.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import kinds_meet, kinds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8, Int64, Plan, Problem, Solution


def settled(problem: Problem, plan: Plan, watch: Watch) -> bool:
    """Return whether a plan is surely settled.

    True only if no row can move to another class of the plan, and no class be shown at another allowed level vector at
    which its rows agree, so that the release stays allowed and costs less. The problem is one of levels, not of ranges.
    Where `watch` ends the pass, nothing is sure. O(p t m) time for p patterns in use and t row types, O((t + g) m)
    memory, and a question to the mask for each class whose rows agree below what it shows.
    """
    if problem.ranges or _doubled(problem, plan):
        return False
    costs = plan.paid(problem)[plan.first()]
    return _at_lowest(problem, plan, costs, watch) and _in_place(problem, plan, costs, watch)


def _doubled(problem: Problem, plan: Plan) -> bool:
    """Return whether two classes stand for the same rows, though at other levels: a release may show them as one."""
    codes = problem.types.codes[plan.part_type[plan.first()]]
    lowest = np.empty((plan.classes, 2 * len(problem.levels)), np.int64)
    for j, level in enumerate(problem.levels):
        sizes = np.stack([np.bincount(up, minlength=up.max(initial=0) + 1)[up] for up in level.up])
        held = sizes[plan.levels[:, j], codes[:, j]]
        lowest[:, 2 * j] = np.argmax(sizes[:, codes[:, j]] == held, axis=0)
        lowest[:, 2 * j + 1] = level.up[lowest[:, 2 * j], codes[:, j]]
    return len(np.unique(lowest, axis=0)) < plan.classes


def _at_lowest(problem: Problem, plan: Plan, costs: Int64, watch: Watch) -> bool:
    """Return whether no class can be shown at another vector at less cost; rows that need no crowd from k on."""
    common = common_of_classes(problem, plan)
    codes = problem.types.codes[plan.part_type[plan.first()]]
    least = np.zeros(plan.classes, np.int64)
    for j, level in enumerate(problem.levels):
        least += level.cost[common[:, j], codes[:, j]]
    asked = least < costs
    if problem.outliers == "suppress":
        full = (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
        asked &= ~full | (plan.sizes() >= problem.k)
    for g in np.flatnonzero(asked):
        if watch.stopped:
            return False
        wanted = tuple(int(level) for level in common[g])
        if problem.patterns.allows(wanted):
            return False
        nodes = [[int(cost) for cost in level.cost[:, codes[g, j]]] for j, level in enumerate(problem.levels)]
        found = problem.patterns.cheapest_above(wanted, nodes)
        if found is not None and sum(nodes[j][at] for j, at in enumerate(found)) < costs[g]:
            return False
    return True


def _in_place(problem: Problem, plan: Plan, costs: Int64, watch: Watch) -> bool:
    """Return whether no row can move to another class at less cost."""
    sizes = plan.sizes()
    leave = (sizes > problem.k) | (sizes == 1)
    if problem.outliers == "suppress":
        leave |= (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    parts = np.flatnonzero(leave[plan.part_class])
    if not parts.size:
        return True
    encoded = encode(problem)
    now = costs[plan.part_class[parts]]
    kinds = kinds_of(problem)
    members = plan.part_type[plan.first()]
    vectors, which = np.unique(plan.levels, axis=0, return_inverse=True)
    for i, vector in enumerate(vectors):
        if watch.stopped:
            return False
        classes = np.flatnonzero(which.reshape(-1) == i)
        near = np.flatnonzero(now > costs[classes].min())
        if not near.size:
            continue
        lines = encoded.shown(vector)
        types = plan.part_type[parts[near]]
        asked = encoded.table[lines][:, types].sum(axis=0, dtype=np.uint64)
        shown = encoded.table[lines][:, members[classes]].sum(axis=0, dtype=np.uint64)
        order = np.argsort(shown)
        if (np.diff(shown[order]) == 0).any():  # two classes with one hash: not worth telling apart
            return False
        place = np.minimum(np.searchsorted(shown[order], asked), classes.size - 1)
        target = classes[order[place]]
        hit = (shown[order[place]] == asked) & (costs[target] < now[near])
        hit &= target != plan.part_class[parts[near]]
        if hit.any() and _some_may(problem, plan, kinds, parts[near[hit]], target[hit]):
            return False
    return True


def _some_may(problem: Problem, plan: Plan, kinds: NDArray[np.integer], parts: Int64, targets: Int64) -> bool:
    """Return whether a row of some of the parts may move to its target, by what is required of both classes."""
    if not problem.requirements:
        return True
    by_class = plan.parts_by_class()
    for part, target in zip(parts.tolist(), targets.tolist(), strict=True):
        kind = kinds[plan.part_type[part]]
        met = True
        for class_, change in ((int(plan.part_class[part]), -1), (target, 1)):
            held = by_class[class_]
            rows = np.append(plan.part_rows[held], max(change, 0))
            types = np.append(kinds[plan.part_type[held]], kind)
            if change < 0:
                rows[np.flatnonzero(held == part)[0]] -= 1
            kept = rows > 0
            one = np.zeros(int(kept.sum()), np.int64)
            met &= bool(kinds_meet(problem, one, types[kept], rows[kept], 1)[0])
        if met:
            return True
    return False


# Among levels of equal cost every class shows the lowest that hold for all its rows.
def lowest_levels(problem: Problem, solution: Solution) -> Solution:
    """Return the solution with the levels of its classes lowered where that costs the same.

    It has the same classes at the same cost (at a lower one where no certificate names it). A class stays as it is
    where the lower instance is another class's, or where it is the fully suppressed one and has fewer than k rows. For
    the levels D at which the rows of a class agree, the levels taken are D where the mask allows them, else the
    cheapest allowed ones above. O(p m h) time for p parts, and one question to the mask per different D.
    """
    plan = solution.plan
    lowest = common_of_classes(problem, plan)
    first = plan.part_type[plan.first()]
    known: dict[bytes, Int8 | None] = {}
    levels = plan.levels.copy()
    sizes = plan.sizes()
    top = np.array(problem.top, np.int8)
    for g in range(plan.classes):
        if (lowest[g] == levels[g]).all():
            continue
        if problem.outliers == "suppress" and sizes[g] < problem.k and (levels[g] == top).all():
            continue
        key = lowest[g].tobytes()
        if key not in known:
            known[key] = _allowed(problem, lowest[g])
        found = known[key]
        if found is None:
            continue
        before, after = (_row_cost(problem, vector, int(first[g])) for vector in (levels[g], found))
        if after == before or (after < before and solution.certificate is None):
            levels[g] = found
    for _ in range(2):
        lowered = dataclasses.replace(plan, levels=levels)
        shown = np.concatenate((levels.astype(np.int32), lowered.nodes(problem)), axis=1)
        _, which, times = np.unique(shown, axis=0, return_inverse=True, return_counts=True)
        shared = times[which.reshape(-1)] > 1
        if not shared.any():
            return dataclasses.replace(solution, plan=lowered)
        levels[shared] = plan.levels[shared]  # an instance has one class
    return solution


def common_of_classes(problem: Problem, plan: Plan) -> Int8:
    """Return the lowest levels at which the rows of each class agree, shape (g, m)."""
    codes = problem.types.codes[plan.part_type]
    out = np.zeros(plan.levels.shape, np.int8)
    for j, level in enumerate(problem.levels):
        agreed = np.zeros(plan.classes, np.bool_)
        for at in range(level.height + 1):
            nodes = level.up[at][codes[:, j]]
            low, high = np.full(plan.classes, np.iinfo(np.int32).max, np.int32), np.full(plan.classes, -1, np.int32)
            np.minimum.at(low, plan.part_class, nodes)
            np.maximum.at(high, plan.part_class, nodes)
            here = (low == high) & ~agreed
            out[here, j] = at
            agreed |= here
    return out


def _allowed(problem: Problem, lowest: Int8) -> Int8 | None:
    """Return the cheapest allowed levels that are at least these, or None where nothing says which they are."""
    wanted = tuple(int(level) for level in lowest)
    if problem.patterns.allows(wanted):
        return lowest
    if not problem.uniform:  # which are the cheapest is different for every row then
        return None
    found = problem.patterns.cheapest_above(wanted, problem.floor_costs())
    return None if found is None else np.array(found, np.int8)


def _row_cost(problem: Problem, vector: Int8, row: int) -> int:
    """Return the scaled cost of one row of a type under a level vector."""
    codes = problem.types.codes[row]
    return sum(int(level.cost[vector[j], codes[j]]) for j, level in enumerate(problem.levels))
