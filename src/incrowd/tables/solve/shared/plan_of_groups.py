"""Groups of rows as a plan: groups that show the same are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.values import Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Problem

__all__ = ["as_plan"]

Group = tuple[Any, "NDArray[np.integer]", "NDArray[np.integer]"]


def as_plan(problem: Problem, groups: Sequence[Group]) -> Plan:
    """Return the plan that releases rows under level vectors, each with row types and the rows of each.

    Parameters
    ----------
    problem : Problem
    groups : sequence of (vector (m,), types (x,), rows (x,))
        Rows that show the same under the same vector are a group, wherever they stand. A type may come several
        times; rows of 0 are passed over.

    Notes
    -----
    O(parts log parts).
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
