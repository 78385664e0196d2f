"""What any set of row types has in common: its join, and the cheapest allowed pattern above it.

The join of a set is the lowest level vector under which its types look alike, with the nodes they then show. The
join of a set and a further type follows from the set's join and the type, so a search that adds one row at a time
needs a table only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.dynamic_programs.subset_dp import NEVER
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Int8, Int32, Int64, Problem

__all__ = ["Joins", "join_types"]


@dataclass(frozen=True, slots=True, eq=False)
class Joins:
    """All joins of a problem's row types.

    Attributes
    ----------
    alone : (t,) int32
        Join of each type by itself.
    table : (j, t) int32
        What a join becomes with a type more.
    vectors : (j, m) int8
        The cheapest allowed pattern above each, -1 throughout where there is none.
    price : (j,) int64
        Cost of a row under it, `NEVER` where there is none.
    """

    alone: Int32
    table: Int32
    vectors: Int8
    price: Int64

    def of(self, types: NDArray[np.integer]) -> int:
        """Return the number of the join of some types, at least one."""
        join = int(self.alone[types[0]])
        for i in types[1:]:
            join = int(self.table[join, i])
        return join


def join_types(problem: Problem) -> Joins:
    """Return all joins of a problem's row types.

    j joins take O(j t m) time and O(j t) memory. j is at most the number of sets of types, and at most t times the
    number of level vectors; it is for tables of a few dozen types.
    """
    encoded = encode(problem)
    t, m = problem.types.codes.shape
    known: dict[bytes, int] = {}
    vectors: list[Int8] = [np.zeros((0, m), np.int8)]
    reps: list[Int32] = [np.zeros(0, np.int32)]

    def numbers(found: Int8, of: Int32) -> tuple[Int32, NDArray[np.bool_]]:
        """Return the number of each join and whether it is new."""
        names = np.concatenate((found.astype(np.int32), _shown(encoded, found, of)), axis=1)
        own = np.empty(len(found), np.int32)
        new = np.zeros(len(found), np.bool_)
        for at, name in enumerate(names):
            key = name.tobytes()
            new[at] = key not in known
            own[at] = known.setdefault(key, len(known))
        return own, new

    every = np.arange(t, dtype=np.int32)
    front, whose = np.zeros((t, m), np.int8), every
    alone, new = numbers(front, whose)
    front, whose = front[new], whose[new]
    lines: list[Int32] = []
    while len(whose):
        vectors.append(front)
        reps.append(whose)
        columns, fresh, owners = [], [], []
        for i in range(t):
            found = encoded.join(front, whose, i)
            own, new = numbers(found, whose)
            columns.append(own)
            fresh.append(found[new])
            owners.append(whose[new])
        lines.append(np.stack(columns, axis=1))
        front, whose = np.concatenate(fresh), np.concatenate(owners)
    common, of = np.concatenate(vectors), np.concatenate(reps)
    best = CanonicalPattern(problem, encoded).first(common, of)
    price = np.full(len(of), NEVER, np.int64)
    for at in np.flatnonzero((best >= 0).all(axis=1)):
        price[at] = encoded.row_costs(best[at], of[at : at + 1])[0]
    return Joins(alone, np.concatenate(lines), best, price)


def _shown(encoded: ProblemArrays, vectors: Int8, rows: Int32) -> Int32:
    """Return the nodes that rows show under level vectors, shape (g, m)."""
    lines = encoded.start[None, :] + vectors
    shown: Int32 = np.take_along_axis(encoded.nodes[rows], lines, axis=1)
    return shown
