"""Plans from classes of rows: classes that show the same are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.values import Int8, Int32, Int64, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Problem


def shown(problem: Problem, vectors: Int8, types: NDArray[np.integer]) -> list[NDArray[np.integer]]:
    """Return the levels and the nodes that rows of some types show under the vectors beside them, column by column."""
    codes = problem.types.codes
    return [*vectors.T, *(level.up[vectors[:, j], codes[types, j]] for j, level in enumerate(problem.levels))]


def joined(
    problem: Problem,
    vectors: Int8,
    types: NDArray[np.integer],
    class_: NDArray[np.integer],
    rows: NDArray[np.integer],
) -> Plan:
    """Return the plan of rows in classes; those that show the same under the same vector are one, wherever they stand.

    `vectors` is (g, m): the levels of each class. `types`, `class_` and `rows`, (p,) each, are the parts; a type may
    come several times, and rows of 0 are passed over. O(p (m + log p)).
    """
    keep = rows > 0
    types, class_, rows = types[keep], class_[keep], rows[keep]
    first, number = row_numbers(shown(problem, vectors[class_], types), len(rows))
    part, back = row_numbers([types, number], len(rows))
    return Plan(
        np.ascontiguousarray(vectors[class_[first]]), types[part].astype(np.int32), number[part].astype(np.int32),
        added_up(back, rows, len(part)),
    )  # fmt: skip


# A level vector, row types that share an instance of it, and the rows of each.
Crowd = tuple[Any, "NDArray[np.integer]", "NDArray[np.integer]"]


def parts_of(crowds: Sequence[Crowd], m: int) -> tuple[Int8, Int32, Int32, Int64]:
    """Return crowds as the vectors, (g, m), and the parts' types, classes and rows that `joined` takes."""
    return (
        np.array([vector for vector, _, _ in crowds], np.int8).reshape(len(crowds), m),
        np.concatenate([np.zeros(0, np.int32), *(types for _, types, _ in crowds)]).astype(np.int32),
        np.repeat(np.arange(len(crowds), dtype=np.int32), [len(types) for _, types, _ in crowds]),
        np.concatenate([np.zeros(0, np.int64), *(rows for _, _, rows in crowds)]).astype(np.int64),
    )


def as_plan(problem: Problem, crowds: Sequence[Crowd]) -> Plan:
    """Return the plan that releases rows under level vectors, each with row types and the rows of each."""
    return joined(problem, *parts_of(crowds, problem.types.m))


def stars_alone(problem: Problem) -> Plan | None:
    """Return the plan that suppresses every row whole, or None where it is no release.

    That is so where the patterns do not have it, the limit on suppressed rows forbids it, or the whole table as one
    class is too small or fails a requirement.
    """
    types = problem.types
    whole = problem.outliers == "suppress" or types.n >= problem.k
    whole = whole and (problem.most_suppressed is None or problem.most_suppressed >= types.n)
    if not problem.patterns.allows_full_suppression or not whole:
        return None
    plan = as_plan(problem, [(problem.top, np.arange(types.t), types.counts)])
    return None if broken(problem, plan) else plan
