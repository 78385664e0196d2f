"""Among levels of equal cost every class shows the lowest that hold for all its rows."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.values import Int8, Plan, Problem, Solution

__all__ = ["common_of_groups", "lowest_levels"]


def lowest_levels(problem: Problem, solution: Solution) -> Solution:
    """Return the solution with the levels of its groups lowered where that costs the same.

    It has the same groups at the same cost (at a lower one where no certificate names it). A group stays as it is where
    the lower instance is another group's, or where it is the fully suppressed one and has fewer than k rows.

    Notes
    -----
    For the levels D at which the rows of a group agree, the levels taken are D where the mask allows them, else the
    cheapest allowed ones above. O(p m h) time for p parts, and one question to the mask per different D.
    """
    plan = solution.plan
    lowest = common_of_groups(problem, plan)
    first = np.zeros(plan.groups, np.int64)
    first[plan.part_group[::-1]] = plan.part_type[::-1]
    known: dict[bytes, Int8 | None] = {}
    levels = plan.levels.copy()
    sizes = plan.sizes()
    top = np.array(problem.top, np.int8)
    for g in range(plan.groups):
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
    lowered = dataclasses.replace(plan, levels=levels)
    shown = np.concatenate((levels.astype(np.int32), lowered.nodes(problem)), axis=1)
    _, which, times = np.unique(shown, axis=0, return_inverse=True, return_counts=True)
    shared = times[which.reshape(-1)] > 1
    if shared.any():  # an instance has one group
        levels[shared] = plan.levels[shared]
        lowered = dataclasses.replace(plan, levels=levels)
        if _doubled(problem, lowered):
            return solution
    return dataclasses.replace(solution, plan=lowered)


def common_of_groups(problem: Problem, plan: Plan) -> Int8:
    """Return the lowest levels at which the rows of each group agree, shape (g, m)."""
    codes = problem.types.codes[plan.part_type]
    out = np.zeros(plan.levels.shape, np.int8)
    for j, level in enumerate(problem.levels):
        agreed = np.zeros(plan.groups, np.bool_)
        for at in range(level.height + 1):
            nodes = level.up[at][codes[:, j]]
            low, high = np.full(plan.groups, np.iinfo(np.int32).max, np.int32), np.full(plan.groups, -1, np.int32)
            np.minimum.at(low, plan.part_group, nodes)
            np.maximum.at(high, plan.part_group, nodes)
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


def _doubled(problem: Problem, plan: Plan) -> bool:
    """Return whether two groups share an instance."""
    shown = np.concatenate((plan.levels.astype(np.int32), plan.nodes(problem)), axis=1)
    return len(np.unique(shown, axis=0)) < plan.groups
