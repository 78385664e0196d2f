"""A smaller problem with the way back, and what rules on equal rows share."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Int64, Plan, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reduced", "own_groups", "reason_against_copies", "with_copies", "without_copies"]


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """A smaller problem.

    Attributes
    ----------
    problem : Problem
        Of the same optimum.
    back : callable
        Plan of it -> plan of the problem before, of no greater cost.
    removed : int
        Rows taken away.
    """

    problem: Problem
    back: Callable[[Plan], Plan]
    removed: int


def reason_against_copies(problem: Problem) -> str | None:
    """Return why copies of equal rows may not be taken away, or None."""
    if problem.requirements:
        return "copies count for the requirements on sensitive values"
    if not problem.patterns.allows((0,) * problem.types.m):
        return "copies are released as they are, which the mask does not allow"
    return None


def without_copies(problem: Problem, copies: Int64) -> Problem:
    """Return the problem with fewer copies of some row types.

    `copies` is (t,) int64: how many rows to take away of each type, at most as many as there are.
    """
    types = dataclasses.replace(problem.types, counts=problem.types.counts - copies)
    return dataclasses.replace(problem, types=types)


def own_groups(plan: Plan, types: int) -> Int64:
    """Return for each row type the group that shows it as it is, and hence nothing else, shape (t,).

    It is -1 where there is none. Two rows that are shown as they are in one group are equal.
    """
    found = np.full(types, -1, np.int64)
    plain = (plan.levels[plan.part_group] == 0).all(axis=1)
    found[plan.part_type[plain]] = plan.part_group[plain]
    return found


def with_copies(plan: Plan, copies: Int64) -> Plan:
    """Return a plan with further copies of each row type in groups of their own, opened where there is none.

    `copies` is (t,) int64: how many rows to add of each type.
    """
    own = own_groups(plan, copies.size)
    fresh = np.flatnonzero((own < 0) & (copies > 0))
    own[fresh] = plan.groups + np.arange(fresh.size)
    more = np.flatnonzero(copies)
    levels = np.concatenate((plan.levels, np.zeros((fresh.size, plan.levels.shape[1]), np.int8)))
    types = np.concatenate((plan.part_type, more))
    groups = np.concatenate((plan.part_group, own[more]))
    rows = np.concatenate((plan.part_rows, copies[more]))
    part, back = np.unique(np.column_stack((types, groups)), axis=0, return_inverse=True)
    total = np.zeros(len(part), np.int64)
    np.add.at(total, back.reshape(-1), rows)
    return Plan(levels, part[:, 0].astype(np.int32), part[:, 1].astype(np.int32), total)
