"""A problem without its requirements: row types that differ in sensitive values alone become one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Plan, RowTypes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Int64, Problem

__all__ = ["k_alone", "merged_types", "without_kinds"]


def k_alone(problem: Problem) -> Problem:
    """Return the problem of k-anonymity alone; every release of the problem is one of it, and its bounds hold."""
    types = problem.types
    fresh, number = _fresh(problem), merged_types(problem)
    counts: Int64 = np.zeros(int(number[-1]) + 1, np.int64)
    np.add.at(counts, number, types.counts)
    return dataclasses.replace(
        problem,
        types=RowTypes(np.ascontiguousarray(types.codes[fresh]), counts, types.sizes),
        requirements=(),
        sensitive=None,
    )


def merged_types(problem: Problem) -> Int64:
    """Return for each row type its number among the types of k alone, increasing, shape (t,)."""
    number: Int64 = np.cumsum(_fresh(problem), dtype=np.int64) - 1
    return number


def _fresh(problem: Problem) -> NDArray[np.bool_]:
    """Return which row types differ from the one before in more than sensitive values."""
    codes = problem.types.codes
    fresh = np.ones(len(codes), np.bool_)
    fresh[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    return fresh


def without_kinds(problem: Problem, plan: Plan) -> tuple[Problem, Plan]:
    """Return the problem of k-anonymity alone, and the plan as a plan of it."""
    number = merged_types(problem)
    parts, place = np.unique(number[plan.part_type] * plan.groups + plan.part_group, return_inverse=True)
    rows = np.zeros(parts.size, np.int64)
    np.add.at(rows, place.reshape(-1), plan.part_rows)
    whose, group = np.divmod(parts, plan.groups)
    return k_alone(problem), Plan(plan.levels, whose.astype(np.int32), group.astype(np.int32), rows)
