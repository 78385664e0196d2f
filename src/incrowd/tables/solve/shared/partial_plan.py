"""A plan in the making: classes, and rows that are in none yet."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.values import Int8, Int32, Int64, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Problem


@dataclass(eq=False)
class PartialPlan:
    """Classes with their parts, and the rest. Changed in place; `copy` before trying something.

    `vectors`: (g, m) int8, level vector of each class; a class without rows is dropped by `plan`. `part_type`,
    `part_class`: (p,) int32, in any order, pairs may come twice. `part_rows`: (p,) int64, may be 0. `rest_type`: (r,)
    int32. `rest_rows`: (r,) int64, at least 1.
    """

    problem: Problem
    encoded: ProblemArrays
    vectors: Int8
    part_type: Int32
    part_class: Int32
    part_rows: Int64
    rest_type: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    rest_rows: Int64 = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, problem: Problem, encoded: ProblemArrays, label: Int32, vectors: list[Int8]) -> PartialPlan:
        """Return the draft in which each row type lies whole in class `label` (-1: in none)."""
        inside, outside = (np.flatnonzero(some).astype(np.int32) for some in (label >= 0, label < 0))
        listed = np.array(vectors, np.int8).reshape(len(vectors), encoded.start.size)
        counts = encoded.counts
        return cls(problem, encoded, listed, inside, label[inside], counts[inside], outside, counts[outside])

    def copy(self) -> PartialPlan:
        """Return a draft that can be changed without changing this one: no array is changed in place."""
        return copy(self)

    def sizes(self) -> Int64:
        """Return the rows of each class, shape (g,)."""
        return added_up(self.part_class, self.part_rows, len(self.vectors))

    def first(self) -> Int32:
        """Return a row type of each class (any of those it ever had), shape (g,)."""
        first = np.zeros(len(self.vectors), np.int32)
        first[self.part_class[::-1]] = self.part_type[::-1]
        return first

    def class_costs(self) -> Int64:
        """Return the scaled cost of one row of each class, shape (g,)."""
        return self.encoded.costs_under(self.vectors, self.first())

    def open_class(self, vector: Int8) -> int:
        """Add an empty class and return its number."""
        self.vectors = np.concatenate((self.vectors, np.asarray(vector, np.int8)[None, :]))
        return len(self.vectors) - 1

    def add(self, types: Int32, class_: int, rows: Int64) -> None:
        """Put rows into a class."""
        self.part_type = np.concatenate((self.part_type, types))
        self.part_class = np.concatenate((self.part_class, np.full(types.size, class_, np.int32)))
        self.part_rows = np.concatenate((self.part_rows, rows))

    def settle(self, which: NDArray[np.bool_], class_: int) -> None:
        """Put the chosen entries of the rest into a class."""
        self.add(self.rest_type[which], class_, self.rest_rows[which])
        self.rest_type, self.rest_rows = self.rest_type[~which], self.rest_rows[~which]

    def unsettle(self, which: NDArray[np.bool_]) -> None:
        """Put the chosen parts back into the rest."""
        types = np.concatenate((self.rest_type, self.part_type[which]))
        rows = np.concatenate((self.rest_rows, self.part_rows[which]))
        self.part_rows = np.where(which, 0, self.part_rows)
        self.rest_type, place = np.unique(types[rows > 0], return_inverse=True)
        self.rest_rows = added_up(place, rows[rows > 0], self.rest_type.size)

    def move(self, amounts: Int64, class_: int) -> None:
        """Move ``amounts[x]`` rows of part x to a class."""
        chosen = amounts > 0
        self.part_rows = self.part_rows - amounts
        self.add(self.part_type[chosen], class_, amounts[chosen])

    def plan(self) -> Plan:
        """Return the plan; classes that show the same instance become one."""
        assert not self.rest_rows.size
        return joined(self.problem, self.vectors, self.part_type, self.part_class, self.part_rows)


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
