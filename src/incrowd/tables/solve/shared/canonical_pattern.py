"""The first allowed level vector above given ones: the canonical instance of a set of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import instances as kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, Problem


class CanonicalPattern:
    """Finds, for the levels D at which rows agree, the first allowed vector v >= D.

    *First* is by (cost of the rows under v, stars of v, v in lexicographic order). Where D itself is allowed it is the
    first: costs do not fall with the level, nor do stars. Where the cost depends on the node (a hierarchy), the first
    is looked for among the minimal allowed vectors above D, for the same reason. Every D is worked out once: O(states *
    levels) where the cost depends on the pattern alone, else one pass over the list of all patterns.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays) -> None:
        self.problem = problem
        self.encoded = encoded
        self._floors = problem.floor_costs()
        self._known: dict[bytes, Int8 | None] = {}
        self._minimal: dict[bytes, Int8] = {}
        self._all: Int8 | None = None

    def levels(self, vectors: Int8, begins: Int64, members: Int32) -> Int8:
        """Return D per class: the lowest levels at which its members agree, shape (g, m).

        `vectors` is (g, m): levels at which they are known to agree, which nobody looks at. `begins`, (g + 1,), and
        `members` are as in `Instances`.
        """
        e = self.encoded
        found: Int8 = kernel.common_levels(e.nodes, e.start, np.ascontiguousarray(vectors), begins, members)
        return found

    def of(self, begins: Int64, members: Int32) -> Int8:
        """Return the first allowed vector under which the members of each class agree, shape (g, m); -1: none."""
        top = np.array(self.problem.top, np.int8)
        return self.first(self.levels(np.tile(top, (begins.size - 1, 1)), begins, members), members[begins[:-1]])

    def comes_first(self, vector: Int8, begins: Int64, members: Int32) -> NDArray[np.bool_]:
        """Return which instances of one pattern are not dominated, shape (g,)."""
        return self.come_first(np.broadcast_to(vector, (len(begins) - 1, len(vector))), begins, members)

    def come_first(self, vectors: Int8, begins: Int64, members: Int32) -> NDArray[np.bool_]:
        """Return which instances, each of its own pattern, are not dominated, shape (g,)."""
        common = self.levels(vectors, begins, members)
        # Classes that agree on no lower level than they show are kept; most others are not.
        keep: NDArray[np.bool_] = (common == vectors).all(axis=1)
        other = np.flatnonzero(~keep)
        if other.size:
            keep[other] = (self.first(common[other], members[begins[:-1][other]]) == vectors[other]).all(axis=1)
        return keep

    def first(self, common: Int8, reps: Int32) -> Int8:
        """Return the first allowed vector above each D, shape (g, m); -1 throughout where there is none.

        `common` is (g, m). `reps` is (g,): a type of each class, which says what the nodes cost.
        """
        result = np.full(common.shape, -1, np.int8)
        if not len(common):
            return result
        distinct, which = np.unique(common, axis=0, return_inverse=True)
        which = which.reshape(-1)
        for x, levels in enumerate(distinct):
            key = levels.tobytes()
            if key not in self._known and key not in self._minimal:
                self._look(levels, key)
            if key in self._known:
                known = self._known[key]
                if known is not None:
                    result[which == x] = known
                continue
            here = np.flatnonzero(which == x)
            options = self._minimal[key]
            costs = np.stack([self.encoded.row_costs(option, reps[here]) for option in options])
            result[here] = options[np.argmin(costs, axis=0)]
        return result

    def _look(self, levels: Int8, key: bytes) -> None:
        patterns = self.problem.patterns
        if patterns.allows(tuple(int(x) for x in levels)):
            self._known[key] = levels
        elif self.problem.uniform:
            found = patterns.cheapest_above(tuple(int(x) for x in levels), self._floors)
            self._known[key] = None if found is None else np.array(found, np.int8)
        else:
            minimal = self._minimal_above(levels)
            if len(minimal) > 1:
                self._minimal[key] = minimal
            else:
                self._known[key] = minimal[0] if len(minimal) else None

    def _minimal_above(self, levels: Int8) -> Int8:
        """Return the minimal allowed vectors above `levels`, by (stars, lexicographic order)."""
        if self._all is None:
            blocks = self.problem.patterns.by_cost(self._floors, self.problem.ties())
            self._all = np.concatenate([np.zeros((0, len(levels)), np.int8), *(b.levels for b in blocks)])
        above = self._all[(self._all >= levels).all(axis=1)]
        above = above[np.argsort(above.sum(axis=1, dtype=np.int64), kind="stable")]
        minimal = []
        while len(above):
            minimal.append(above[0])
            above = above[~(above >= above[0]).all(axis=1)]
        found = np.array(minimal, np.int8).reshape(len(minimal), len(levels))
        stars = (found == self.encoded.heights).sum(axis=1)
        return found[np.lexsort((*found.T[::-1], stars))]
