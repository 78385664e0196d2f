"""A plan in the making: classes, and rows that are in none yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.values import Int8, Int32, Int64, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Problem


@dataclass(slots=True, eq=False)
class PartialPlan:
    """Classes with their parts, and the rest. Changed in place; `copy` before trying something.

    `vectors`: (g, m) int8, level vector of each class; a class without rows is dropped by `plan`. `part_type`,
    `part_class`: (p,) int32, in any order, pairs may come twice. `part_rows`: (p,) int64, may be 0. `rest_type`: (r,)
    int32. `rest_rows`: (r,) int64, at least 1.
    """

    encoded: ProblemArrays
    vectors: Int8
    part_type: Int32
    part_class: Int32
    part_rows: Int64
    rest_type: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    rest_rows: Int64 = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, encoded: ProblemArrays, label: Int32, vectors: list[Int8]) -> PartialPlan:
        """Return the draft in which each row type lies whole in class `label` (-1: in none)."""
        inside, outside = np.flatnonzero(label >= 0), np.flatnonzero(label < 0)
        return cls(
            encoded,
            np.array(vectors, np.int8).reshape(len(vectors), encoded.start.size),
            inside.astype(np.int32),
            label[inside],
            encoded.counts[inside],
            outside.astype(np.int32),
            encoded.counts[outside],
        )

    def copy(self) -> PartialPlan:
        """Return a draft that can be changed without changing this one."""
        return PartialPlan(
            self.encoded,
            self.vectors.copy(),
            self.part_type,
            self.part_class,
            self.part_rows.copy(),
            self.rest_type,
            self.rest_rows,
        )

    def sizes(self) -> Int64:
        """Return the rows of each class, shape (g,)."""
        sizes = np.zeros(len(self.vectors), np.int64)
        np.add.at(sizes, self.part_class, self.part_rows)
        return sizes

    def first(self) -> Int32:
        """Return a row type of each class (any of those it ever had), shape (g,)."""
        first = np.zeros(len(self.vectors), np.int32)
        first[self.part_class[::-1]] = self.part_type[::-1]
        return first

    def class_costs(self) -> Int64:
        """Return the scaled cost of one row of each class, shape (g,)."""
        lines = self.vectors + self.encoded.start
        first = self.first()
        total: Int64 = np.zeros(len(self.vectors), np.int64)
        for column in lines.T:
            total += self.encoded.costs[column, first]
        return total

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
        self.rest_rows = np.zeros(self.rest_type.size, np.int64)
        np.add.at(self.rest_rows, place, rows[rows > 0])

    def move(self, amounts: Int64, class_: int) -> None:
        """Move ``amounts[x]`` rows of part x to a class."""
        chosen = amounts > 0
        self.part_rows = self.part_rows - amounts
        self.add(self.part_type[chosen], class_, amounts[chosen])

    def plan(self) -> Plan:
        """Return the plan; classes that show the same instance become one."""
        assert not self.rest_rows.size
        kept = self.part_rows > 0
        types, rows = self.part_type[kept], self.part_rows[kept]
        used, first, classes = np.unique(self.part_class[kept], return_index=True, return_inverse=True)
        vectors = self.vectors[used]
        nodes = np.take_along_axis(self.encoded.nodes[types[first]], vectors + self.encoded.start, axis=1)
        instances = np.concatenate((vectors, nodes), axis=1)
        if instances.shape[1]:
            order = np.lexsort(instances.T[::-1])
            fresh = np.concatenate(([True], (instances[order[1:]] != instances[order[:-1]]).any(axis=1)))
        else:
            order, fresh = np.arange(len(used)), np.arange(len(used)) == 0
        number = np.empty(len(used), np.int64)
        number[order] = np.cumsum(fresh) - 1
        parts = types.astype(np.int64) * len(used) + number[classes]
        parts, place = np.unique(parts, return_inverse=True)
        merged = np.zeros(parts.size, np.int64)
        np.add.at(merged, place, rows)
        return Plan(
            vectors[order][fresh],
            (parts // len(used)).astype(np.int32),
            (parts % len(used)).astype(np.int32),
            merged,
        )


# Classes of rows as a plan: classes that show the same are one.
Group = tuple[Any, "NDArray[np.integer]", "NDArray[np.integer]"]


def as_plan(problem: Problem, classes: Sequence[Group]) -> Plan:
    """Return the plan that releases rows under level vectors, each with row types and the rows of each.

    A class is (vector (m,), types (x,), rows (x,)). Rows that show the same under the same vector are a class, wherever
    they stand. A type may come several times; rows of 0 are passed over. O(parts log parts).
    """
    m = problem.types.m
    vectors = np.array([vector for vector, _, _ in classes], np.int8).reshape(len(classes), m)
    lengths = [len(types) for _, types, _ in classes]
    of = np.repeat(np.arange(len(classes)), lengths)
    types = np.concatenate([np.asarray(types, np.int64) for _, types, _ in classes])
    rows = np.concatenate([np.asarray(rows, np.int64) for _, _, rows in classes])
    keep = rows > 0
    of, types, rows = of[keep], types[keep], rows[keep]
    codes = problem.types.codes
    shown = [level.up[vectors[of, j], codes[types, j]] for j, level in enumerate(problem.levels)]
    first, class_ = row_numbers([*vectors[of].T, *shown], len(of))
    part, back = row_numbers([types, class_], len(of))
    total = np.zeros(len(part), np.int64)
    np.add.at(total, back, rows)
    return Plan(
        np.ascontiguousarray(vectors[of[first]]), types[part].astype(np.int32), class_[part].astype(np.int32), total
    )


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
