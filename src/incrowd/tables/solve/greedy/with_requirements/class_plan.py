"""Classes in the making, for the steps that change them.

Every step is judged anew by every requirement and by k; none of them rests on what a requirement is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping.instances import number_classes
from incrowd.tables.row_numbers import added_up, before_each
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.requirement_check import kinds_of, meets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.partial_plan import Crowd
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock, Plan, Problem


class ClassPlan:
    """Classes with their parts; changed in place.

    `vectors`: (g, m) int8, level vector of each class; a class without rows is dropped by `plan`. `part_type`,
    `part_class`: (p,) int32, in any order, pairs may come twice. `part_rows`: (p,) int64, may be 0.
    """

    def __init__(
        self,
        problem: Problem,
        encoded: ProblemArrays,
        watch: Watch,
        parts: tuple[Int8, Int32, Int32, Int64],
    ) -> None:
        self.problem, self.encoded, self.watch = problem, encoded, watch
        self.vectors, self.part_type, self.part_class, self.part_rows = parts
        self.closure = CanonicalPattern(problem, encoded)
        self.kind = kinds_of(problem)
        self.top = np.array(problem.top, np.int8)
        self.table = self.histogram(np.arange(encoded.t), encoded.counts)

    def holds(self, class_: int) -> NDArray[np.bool_]:
        """Return which parts are rows of a class, shape (p,)."""
        mine: NDArray[np.bool_] = (self.part_class == class_) & (self.part_rows > 0)
        return mine

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

    def plan(self) -> Plan:
        """Return the plan; classes that show the same instance become one."""
        return joined(self.problem, self.vectors, self.part_type, self.part_class, self.part_rows)

    # --- what is asked of classes ------------------------------------------------------------------------------------

    def histogram(self, types: NDArray[np.integer], rows: Int64) -> Int64:
        """Return the rows of each combination of sensitive values, shape (kinds,)."""
        return added_up(self.kind[types], rows, int(self.kind.max(initial=0)) + 1)

    def least(self, vector: Int8) -> int:
        """Return how many rows a class under a level vector needs."""
        free = self.problem.outliers == "suppress" and bool((vector == self.top).all())
        return 1 if free else self.problem.k

    def good(self, vector: Int8, types: NDArray[np.integer], rows: Int64) -> bool:
        """Return whether rows are a class that meets everything."""
        if int(rows.sum()) < self.least(vector):
            return False
        return bool(meets(self.problem, np.zeros(types.size, np.int64), types, rows, 1)[0])

    def tidy(self) -> None:
        """Make one part of all rows of a type in a class, and drop parts without rows."""
        key, place = np.unique(self.part_class * np.int64(self.encoded.t) + self.part_type, return_inverse=True)
        rows = added_up(place, self.part_rows, key.size)
        key, self.part_rows = key[rows > 0], rows[rows > 0]
        self.part_class = (key // self.encoded.t).astype(np.int32)
        self.part_type = (key % self.encoded.t).astype(np.int32)

    # --- steps ------------------------------------------------------------------------------------------------------

    def alone(self, row: int, rows: int) -> int:
        """Open a class of some rows of one type under its cheapest allowed pattern; return its number (-1: none)."""
        rep = np.array([row], np.int32)
        vector = self.closure.first(np.zeros((1, len(self.top)), np.int8), rep)[0]
        return -1 if (vector < 0).any() else self.open(vector, rep, np.array([rows], np.int64))

    def open(self, vector: Int8, types: Int32, rows: Int64) -> int:
        """Add a class of rows that are in none, and return its number."""
        self.vectors = np.concatenate((self.vectors, np.asarray(vector, np.int8)[None, :]))
        class_ = len(self.vectors) - 1
        self.part_type = np.concatenate((self.part_type, types))
        self.part_class = np.concatenate((self.part_class, np.full(types.size, class_, np.int32)))
        self.part_rows = np.concatenate((self.part_rows, rows))
        return class_

    def take(self, vector: Int8, types: Int32, rows: Int64, taken: Int64) -> int:
        """Open a class of rows that are in none and of rows taken from parts; return its number."""
        lent = np.flatnonzero(taken)
        self.part_rows = self.part_rows - taken
        return self.open(vector, np.concatenate((types, self.part_type[lent])), np.concatenate((rows, taken[lent])))


# Cheapest patterns first: every instance takes its remaining rows, or as many of them as meet everything.

SHRINK = 0.8  # hashes are packed anew once so few of their types remain
# How many times its share of the table a sensitive value may have of an instance that is trimmed.
TRIMS = (2.0, 1.4, 1.0, 0.7, 0.5)


def sweep(
    problem: Problem, encoded: ProblemArrays, blocks: Iterable[PatternBlock], watch: Watch, *, visits: int
) -> tuple[list[Crowd], Int64]:
    """Walk through patterns, cheapest first.

    The answer is the crowds found, and the rows of each type that remain, (t,). A crowd is a vector, its types and its
    rows; each meets every requirement and has its k rows. At most `visits` row types times patterns are
    looked at, and the watch is asked between patterns. An instance whose remaining rows fail is trimmed: no sensitive
    value keeps more than a few times the rows that it would have by its share of the table. A pattern takes O(remaining
    types * m) time for its hashes, and as much again for judging the instances with k rows.
    """
    left = encoded.counts.copy()
    types = np.arange(encoded.t, dtype=np.int32)
    table = encoded.table
    share = added_up(kinds_of(problem), left, int(kinds_of(problem).max(initial=0)) + 1) / left.sum()
    found: list[Crowd] = []
    spent = 0
    top = np.array(problem.top, np.int8)
    for block in blocks:
        for vector in block.levels:
            if not types.size or spent >= visits or watch.stopped:
                return found, left
            spent += types.size
            full = bool((vector == top).all())
            least = 1 if problem.outliers == "suppress" and full else problem.k
            hashes = table[encoded.shown(vector)].sum(axis=0, dtype=np.uint64)
            rows = left[types]
            label, crowds = number_classes(hashes, rows, least)
            inside = np.flatnonzero((label >= 0) & (rows > 0))
            if not inside.size:
                continue
            class_, members, mine = label[inside], types[inside], rows[inside]
            # fully suppressed rows are the last class: part of them would leave the others without one
            if full:
                takes = np.where(meets(problem, class_, members, mine, crowds)[class_], mine, 0)
            else:
                takes = largest(problem, share, class_, members, mine, crowds, least)
            if not takes.any():
                continue
            some = takes > 0
            for crowd, amounts in honest(encoded, vector, class_[some], members[some], takes[some]):
                found.append((vector, crowd, amounts))
                left[crowd] -= amounts
            alive = left[types] > 0
            if alive.mean() < SHRINK:
                types, table = types[alive], np.ascontiguousarray(table[:, alive])
    return found, left


def largest(
    problem: Problem, share: NDArray[np.float64], class_: Int64, members: Int32, rows: Int64, crowds: int, least: int
) -> Int64:
    """Return how many rows of each member its class takes, of few ways to take them (0 throughout: it takes none).

    The answer has the shape of `members`, and `share`, (kinds,), is the table's of each combination of values.
    """
    good = meets(problem, class_, members, rows, crowds)
    takes = np.where(good[class_], rows, 0)
    open_ = np.flatnonzero(~good[class_])
    if not open_.size:
        return takes
    kind = kinds_of(problem)[members[open_]]
    wished = share[kind] * added_up(class_, rows, crowds)[class_[open_]]
    earlier = before_each(class_[open_] * share.size + kind, rows[open_])
    for most in TRIMS:
        fewer = np.clip(np.ceil(most * wished).astype(np.int64) - earlier, 0, rows[open_])
        some = fewer > 0
        here, kept = open_[some], fewer[some]
        enough = added_up(class_[here], kept, crowds) >= least
        good = enough & meets(problem, class_[here], members[here], kept, crowds)
        takes[here] = np.where(good[class_[here]], kept, takes[here])
        on = (~good & enough)[class_[open_]]
        open_, wished, earlier = open_[on], wished[on], earlier[on]
        if not open_.size:
            break
    return takes


def honest(
    encoded: ProblemArrays, vector: Int8, class_: Int64, members: Int32, rows: Int64
) -> list[tuple[Int32, Int64]]:  # fmt: skip
    """Return the members and rows of each class, but of classes that do not truly agree (equal hashes may lie).

    `vector`, (m,), are the levels. `class_`, `members` and `rows`, all (p,), give the class of each member, those of a
    class side by side, its row type and its rows.
    """
    order = np.argsort(class_, kind="stable")
    class_, members, rows = class_[order], members[order], rows[order]
    begins = np.flatnonzero(np.concatenate(([True], class_[1:] != class_[:-1])))
    first = np.repeat(members[begins], np.diff(np.append(begins, class_.size)))
    same = np.ones(members.size, np.bool_)
    for line in encoded.shown(vector):
        same &= encoded.nodes[members, line] == encoded.nodes[first, line]
    true: NDArray[np.bool_] = np.logical_and.reduceat(same, begins)
    each = zip(np.split(members, begins[1:]), np.split(rows, begins[1:]), true, strict=True)
    return [(some, amounts) for some, amounts, ok in each if ok]
