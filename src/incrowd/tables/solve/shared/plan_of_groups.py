"""Groups of rows as a plan: groups that show the same are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.values import Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Problem

__all__ = ["as_plan", "stars_alone"]

Group = tuple[Any, "NDArray[np.integer]", "NDArray[np.integer]"]


def as_plan(problem: Problem, groups: Sequence[Group]) -> Plan:
    """Return the plan that releases rows under level vectors, each with row types and the rows of each.

    A group is (vector (m,), types (x,), rows (x,)). Rows that show the same under the same vector are a group, wherever
    they stand. A type may come several times; rows of 0 are passed over. O(parts log parts).
    """
    m = problem.types.m
    vectors = np.array([vector for vector, _, _ in groups], np.int8).reshape(len(groups), m)
    lengths = [len(types) for _, types, _ in groups]
    of = np.repeat(np.arange(len(groups)), lengths)
    types = np.concatenate([np.asarray(types, np.int64) for _, types, _ in groups])
    rows = np.concatenate([np.asarray(rows, np.int64) for _, _, rows in groups])
    keep = rows > 0
    of, types, rows = of[keep], types[keep], rows[keep]
    codes = problem.types.codes
    shown = [level.up[vectors[of, j], codes[types, j]] for j, level in enumerate(problem.levels)]
    first, group = row_numbers([*vectors[of].T, *shown], len(of))
    part, back = row_numbers([types, group], len(of))
    total = np.zeros(len(part), np.int64)
    np.add.at(total, back, rows)
    return Plan(
        np.ascontiguousarray(vectors[of[first]]), types[part].astype(np.int32), group[part].astype(np.int32), total
    )


def stars_alone(problem: Problem) -> Plan | None:
    """Return the plan that suppresses every row whole, or None where it is no release.

    That is so where the patterns do not have it, the limit on suppressed rows forbids it, or the whole table as one
    group is too small or fails a requirement.
    """
    types = problem.types
    whole = problem.outliers == "suppress" or types.n >= problem.k
    whole = whole and (problem.most_suppressed is None or problem.most_suppressed >= types.n)
    if not problem.patterns.allows_full_suppression or not whole:
        return None
    plan = as_plan(problem, [(problem.top, np.arange(types.t), types.counts)])
    return None if broken(problem, plan) else plan
