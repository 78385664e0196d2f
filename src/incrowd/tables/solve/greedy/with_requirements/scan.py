"""Cheapest patterns first: every instance takes its remaining rows, or as many of them as meet everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping.labels import number_crowds
from incrowd.kernels.grouping.members import rows_before
from incrowd.tables.solve.shared.requirement_check import kinds_of, meets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock, Problem

__all__ = ["Crowd", "Trim", "honest", "sweep"]

# A level vector, row types that share an instance of it, and the rows of each.
Crowd = tuple["Int8", "Int32", "Int64"]
SHRINK = 0.8  # hashes are packed anew once so few of their types remain
# How many times its share of the table a sensitive value may have of an instance that is trimmed.
TRIMS = (2.0, 1.4, 1.0, 0.7, 0.5)


def sweep(
    problem: Problem, encoded: ProblemArrays, blocks: Iterable[PatternBlock], watch: Watch, *, visits: int
) -> tuple[list[Crowd], Int64, int]:
    """Walk through patterns, cheapest first.

    The answer is the crowds found, the rows of each type that remain, (t,), and the visits. A crowd is a vector, its
    types and its rows; each meets every requirement and has its k rows. At most `visits` row types times patterns are
    looked at, and the watch is asked between patterns.

    Notes
    -----
    An instance whose remaining rows fail is trimmed: no sensitive value keeps more than a few times the rows that it
    would have by its share of the table. A pattern takes O(remaining types * m) time for its hashes, and as much
    again for judging the instances with k rows.
    """
    left = encoded.counts.copy()
    types = np.arange(encoded.t, dtype=np.int32)
    table = encoded.table
    trim = Trim(problem, encoded)
    found: list[Crowd] = []
    spent = 0
    top = np.array(problem.top, np.int8)
    for block in blocks:
        for vector in block.levels:
            if not types.size or spent >= visits or watch.stopped:
                return found, left, spent
            spent += types.size
            full = bool((vector == top).all())
            least = 1 if problem.outliers == "suppress" and full else problem.k
            hashes = table[encoded.shown(vector)].sum(axis=0, dtype=np.uint64)
            rows = left[types]
            label, crowds = number_crowds(hashes, rows, least)
            inside = np.flatnonzero((label >= 0) & (rows > 0))
            if not inside.size:
                continue
            group, members, mine = label[inside], types[inside], rows[inside]
            # fully suppressed rows are the last class: part of them would leave the others without one
            if full:
                takes = np.where(meets(problem, group, members, mine, crowds)[group], mine, 0)
            else:
                takes = trim.largest(group, members, mine, crowds, least)
            if not takes.any():
                continue
            some = takes > 0
            for crowd, amounts in honest(encoded, vector, group[some], members[some], takes[some]):
                found.append((vector, crowd, amounts))
                left[crowd] -= amounts
            alive = left[types] > 0
            if alive.mean() < SHRINK:
                types, table = types[alive], np.ascontiguousarray(table[:, alive])
    return found, left, spent


class Trim:
    """Takes of instances as many rows as meet everything, among few ways to do so."""

    def __init__(self, problem: Problem, encoded: ProblemArrays) -> None:
        self.problem = problem
        self.kind = kinds_of(problem)
        self.kinds = int(self.kind.max(initial=0)) + 1
        table = np.zeros(self.kinds, np.int64)
        np.add.at(table, self.kind, encoded.counts)
        self.share = table / table.sum()

    def largest(self, group: Int64, members: Int32, rows: Int64, crowds: int, least: int) -> Int64:
        """Return how many rows of each member its group takes, shape of `members` (0 throughout: it takes none)."""
        good = meets(self.problem, group, members, rows, crowds)
        takes = np.where(good[group], rows, 0)
        open_ = np.flatnonzero(~good[group])
        if not open_.size:
            return takes
        size = np.zeros(crowds, np.int64)
        np.add.at(size, group, rows)
        kind = self.kind[members[open_]]
        wished = self.share[kind] * size[group[open_]]
        earlier = rows_before(group[open_] * self.kinds + kind, rows[open_], crowds * self.kinds)
        for most in TRIMS:
            fewer = np.clip(np.ceil(most * wished).astype(np.int64) - earlier, 0, rows[open_])
            some = fewer > 0
            here, kept = open_[some], fewer[some]
            size = np.zeros(crowds, np.int64)
            np.add.at(size, group[here], kept)
            good = (size >= least) & meets(self.problem, group[here], members[here], kept, crowds)
            takes[here] = np.where(good[group[here]], kept, takes[here])
            on = (~good & (size >= least))[group[open_]]
            open_, wished, earlier = open_[on], wished[on], earlier[on]
            if not open_.size:
                break
        return takes


def honest(
    encoded: ProblemArrays, vector: Int8, group: Int64, members: Int32, rows: Int64
) -> list[tuple[Int32, Int64]]:  # fmt: skip
    """Return the members and rows of each group, but of groups that do not truly agree (equal hashes may lie).

    `vector`, (m,), are the levels. `group`, `members` and `rows`, all (p,), give the group of each member, those of a
    group side by side, its row type and its rows.
    """
    order = np.argsort(group, kind="stable")
    group, members, rows = group[order], members[order], rows[order]
    begins = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1])))
    first = np.repeat(members[begins], np.diff(np.append(begins, group.size)))
    same = np.ones(members.size, np.bool_)
    for line in encoded.shown(vector):
        same &= encoded.nodes[members, line] == encoded.nodes[first, line]
    true: NDArray[np.bool_] = np.logical_and.reduceat(same, begins)
    each = zip(np.split(members, begins[1:]), np.split(rows, begins[1:]), true, strict=True)
    return [(some, amounts) for some, amounts, ok in each if ok]
