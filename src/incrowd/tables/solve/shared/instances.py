"""The instances worth opening: with a crowd, and not dominated.

An instance g = (level vector, nodes shown) may hold the row types E(g) that agree with it, N(g) rows in all,
at w_g a row; it needs k_g = k rows, or none when it is fully suppressed and outliers may be.

*Too small.* N(g) < k_g: never open.

*Dominated.* Let D(g) be the lowest levels at which E(g) agrees. Every level vector v >= D(g) has one instance
that E(g) agrees with, and that costs some w_v. Order the allowed vectors above D(g) by (w_v, stars, the vector
itself). If g's own vector is not the first, the first one's instance g' can take all of g's rows: E(g') holds
E(g), w_g' <= w_g, and g' has at least k rows afterwards whether it was open or not. Every move goes down a strict
order, so moves end. Hence only instances whose vector comes first for their own D are kept, and no two kept ones
have the same E (same D, same first vector). The free fully suppressed instance is kept: its substitutes are not free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from incrowd.kernels.grouping import frequent
from incrowd.tables.row_numbers import places_in_runs
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.refusals import LISTED_PAIR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8, Int32, Int64, Problem


# Pairs (type, instance) kept at most: 12 bytes each while listing, 24 with their transposed lists.
MOST_PAIRS = 40_000_000
# Patterns between two looks at the watch.
BLOCK = 64


class TooManyInstances(Exception):
    """More pairs than may be kept; `estimate` is what all of them would come to."""

    def __init__(self, estimate: int) -> None:
        super().__init__(f"about {estimate} pairs")
        self.estimate = estimate


@dataclass(frozen=True, eq=False)
class Instances:
    """A list of instances with the row types that agree with each.

    `vectors`: (g, m) int8, level vectors. `costs`: (g,) int64, scaled cost of a row in the instance. `needs`: (g,)
    int64, rows an open instance needs: k, or 0 for a free one. `begins`: (g + 1,) int64. `members`: (p,) int32,
    instance x holds the types ``members[begins[x]:begins[x + 1]]``, increasing. `counts`: (t,) int64, rows of each
    type. `suppressed`: the instance that all types agree with, -1 when the list has none; the free one where there is
    one.
    """

    vectors: Int8
    costs: Int64
    needs: Int64
    begins: Int64
    members: Int32
    counts: Int64
    suppressed: int

    @property
    def t(self) -> int:
        """Number of row types."""
        return int(self.counts.size)

    @property
    def size(self) -> int:
        """Number of instances."""
        return int(self.costs.size)

    @property
    def pairs(self) -> int:
        """Number of pairs (type, instance)."""
        return int(self.members.size)

    @cached_property
    def owners(self) -> Int32:
        """Instance of each pair, shape (p,)."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.begins))

    @cached_property
    def rows(self) -> Int64:
        """N(g): rows of the table that agree with each instance, shape (g,)."""
        held = np.concatenate(([0], np.cumsum(self.counts[self.members])))
        return np.asarray(held[self.begins[1:]] - held[self.begins[:-1]], np.int64)

    @cached_property
    def by_type(self) -> tuple[Int64, Int32, Int64]:
        """The lists turned round: (t + 1,) begins, (p,) instances, (p,) places of the pairs."""
        lists = (np.arange(self.pairs), self.members, self.begins)
        turned = csr_matrix(lists, shape=(self.size, self.t)).tocsc()
        return turned.indptr.astype(np.int64), turned.indices.astype(np.int32), turned.data

    @classmethod
    def joined(cls, lists: Sequence[Instances], encoded: ProblemArrays) -> Instances:
        """Return lists of different instances without a suppressed one, one behind the other."""
        parts = [_joined([], encoded), *lists]
        ends = np.cumsum([0, *(part.pairs for part in parts)])
        begins = [part.begins[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
        return cls(
            np.concatenate([part.vectors for part in parts]), np.concatenate([part.costs for part in parts]),
            np.concatenate([part.needs for part in parts]), np.concatenate([np.zeros(1, np.int64), *begins]),
            np.concatenate([part.members for part in parts]), encoded.counts, -1,
        )  # fmt: skip

    def with_everyone(self, vector: Int8, cost: int, need: int) -> Instances:
        """Return the list with the instance that all types agree with, under the vector of stars, behind it."""
        return Instances(
            np.concatenate((self.vectors, vector[None, :])), np.append(self.costs, cost), np.append(self.needs, need),
            np.append(self.begins, self.pairs + self.t),
            np.concatenate((self.members, np.arange(self.t, dtype=np.int32))), self.counts, self.size,
        )  # fmt: skip

    @property
    def reps(self) -> Int32:
        """First member of each instance: with its vector it names the instance."""
        return self.members[self.begins[:-1]]

    def only(self, keep: NDArray[np.bool_]) -> Instances:
        """Return the instances marked in `keep`, shape (g,), over the same types."""
        lengths = np.diff(self.begins)[keep]
        pairs = np.repeat(keep, np.diff(self.begins))
        suppressed = -1
        if self.suppressed >= 0 and keep[self.suppressed]:
            suppressed = int(np.count_nonzero(keep[: self.suppressed]))
        return Instances(
            self.vectors[keep],
            self.costs[keep],
            self.needs[keep],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            self.members[pairs],
            self.counts,
            suppressed,
        )

    @property
    def names(self) -> Int32:
        """Level vector and first type of each instance, shape (g, m + 1): equal for the same one in other lists."""
        return np.concatenate((self.vectors.astype(np.int32), self.reps[:, None]), axis=1)

    def union(self, other: Instances) -> Instances:
        """Return the instances of both lists, each once; both hold full extents over the same types.

        Order: this list's, then what the other adds. O((g + g') log + pairs).
        """
        vectors = np.concatenate((self.vectors, other.vectors))
        named = np.concatenate((self.names, other.names))
        _, first = np.unique(named, axis=0, return_index=True)
        keep = np.zeros(len(named), np.bool_)
        keep[first] = True
        suppressed = self.suppressed
        if suppressed < 0 and other.suppressed >= 0:
            suppressed = self.size + other.suppressed
        both = Instances(
            vectors,
            np.concatenate((self.costs, other.costs)),
            np.concatenate((self.needs, other.needs)),
            np.concatenate((self.begins, self.begins[-1] + other.begins[1:])),
            np.concatenate((self.members, other.members)),
            self.counts,
            suppressed,
        )
        return both.only(keep)

    def nearest(self, rc: NDArray[np.float64], most_pairs: float, reach: float = np.inf) -> NDArray[np.bool_]:
        """Return which instances have the least of some reduced costs, (g,), up to one and to so many pairs in all."""
        order = np.argsort(rc, kind="stable")
        near = np.zeros(self.size, np.bool_)
        near[order[(np.cumsum(np.diff(self.begins)[order]) <= most_pairs) & (rc[order] <= reach)]] = True
        return near

    def cheapest_first(self) -> tuple[Instances, Int64]:
        """Return the instances by rising cost, the free one behind equally dear ones, and the place of each here."""
        order = np.lexsort((self.needs == 0, self.costs))
        lengths = np.diff(self.begins)[order]
        begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        place = places_in_runs(self.begins[:-1][order], lengths)
        suppressed = int(np.flatnonzero(order == self.suppressed)[0]) if self.suppressed >= 0 else -1
        found = Instances(
            np.ascontiguousarray(self.vectors[order]), self.costs[order], self.needs[order], begins,
            self.members[place], self.counts, suppressed,
        )  # fmt: skip
        return found, order

    def part(self, keep: NDArray[np.bool_], needs: Int64, counts: Int64) -> tuple[Instances, Int64]:
        """Return some instances over some rows of the table, numbered anew, with the places here of their pairs.

        `keep`, (g,), marks instances; those that fewer rows agree with than they need are left out. `needs`, (g,), and
        `counts`, (t,), are theirs, and types without rows are left out.
        """
        within = np.bincount(self.owners, weights=counts[self.members], minlength=self.size)
        keep = keep & (within >= np.maximum(needs, 1))
        places = np.flatnonzero(keep[self.owners] & (counts[self.members] > 0))
        ids, types = np.flatnonzero(keep), np.flatnonzero(counts)
        lengths = np.bincount(self.owners[places], minlength=self.size)[ids]
        number = np.full(self.t, -1, np.int32)
        number[types] = np.arange(types.size)
        found = Instances(
            self.vectors[ids], self.costs[ids], needs[ids],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), number[self.members[places]], counts[types], -1,
        )  # fmt: skip
        return found, places

    def free_suppression(self) -> Instances:
        """Return the same list with a suppressed class that needs no crowd: a relaxation."""
        return self.suppression_needs(0)

    def suppression_needs(self, rows: int) -> Instances:
        """Return the same list with a suppressed class that needs so many rows."""
        if self.suppressed < 0:
            return self
        needs = self.needs.copy()
        needs[self.suppressed] = rows
        return Instances(self.vectors, self.costs, needs, self.begins, self.members, self.counts, self.suppressed)


def list_instances(
    problem: Problem,
    encoded: ProblemArrays | None = None,
    *,
    watch: Watch | None = None,
    most_pairs: int = MOST_PAIRS,
    raw: bool = False,
) -> Instances:
    """List the kept instances of a problem, cheapest patterns first.

    The suppressed class is the free all-star instance, else the kept instance that all types agree with. The watch is
    told about the progress, and asked what memory is left. With `raw` every instance of every pattern is listed, small
    and dominated ones too (for the literal integer program). Raises TooManyInstances, with an estimate, as soon as more
    than `most_pairs` pairs (type, instance) would be kept, or more than memory is left for.

    Notes
    -----
    O(p t m) time in the worst case for p patterns and t types. Memory: the kept pairs and one pattern's classes,
    never all raw instances.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2: the instances of the integer program.
    """
    e = encoded or encode(problem)
    if watch is not None:
        most_pairs = watch.within_memory(most_pairs, LISTED_PAIR)
    closure = CanonicalPattern(problem, e)
    least = 1 if raw else problem.k
    top = np.array(problem.top, np.int8)
    free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
    parts: list[tuple[Int8, Int64, Int64, Int64, Int32]] = []
    kept = seen = 0
    total = problem.patterns.count()
    for block in problem.patterns.by_cost(problem.floor_costs(), problem.ties()):
        for vectors in np.array_split(block.levels, -(-len(block.costs) // BLOCK)):
            for vector, rows, hashes in _crowded(e, vectors, least):
                begins, members = frequent.crowds(
                    e.nodes, e.shown(vector), rows, hashes, np.ones(e.t, np.bool_), e.weights, least
                )
                spare = free and bool((vector == top).all())
                if len(begins) == 1 or spare:
                    continue
                keep = np.ones(len(begins) - 1, np.bool_) if raw else closure.comes_first(vector, begins, members)
                if keep.any():
                    parts.append(_selected(e, vector, begins, members, keep, problem.k))
                    kept += parts[-1][4].size
            seen += len(vectors)
            if kept > most_pairs:
                raise TooManyInstances(kept * total // seen)
            if watch is not None:
                watch.report("solve", patterns=seen, instances_pairs=kept)
    if free:
        hashes = np.zeros(e.t, np.uint64)
        begins, members = frequent.crowds(
            e.nodes, e.shown(top), np.arange(e.t, dtype=np.int32), hashes, np.ones(e.t, np.bool_), e.weights, 1
        )
        keep = np.ones(len(begins) - 1, np.bool_)
        parts.append(_selected(e, top, begins, members, keep, 0))
    return _joined(parts, e)


def extents(problem: Problem, encoded: ProblemArrays, vectors: Int8, reps: Int32) -> Instances:
    """List given instances in full, each named by its level vector and one type that agrees with it.

    `vectors` is (c, m) and `reps` (c,). Doubles are dropped, and so are instances with fewer rows than they need.
    Domination is not looked at: see `CanonicalPattern`. O(u t + c m) time for u different vectors.
    """
    e = encoded
    top = np.array(problem.top, np.int8)
    free = problem.outliers == "suppress"
    parts: list[tuple[Int8, Int64, Int64, Int64, Int32]] = []
    if len(reps):
        used, which = np.unique(vectors, axis=0, return_inverse=True)
        everybody, alive = np.arange(e.t, dtype=np.int32), np.ones(e.t, np.bool_)
        for x, vector in enumerate(used):
            lines = e.shown(vector)
            # Not summed along the first axis: that would add one line after the other and copy them all.
            hashes = np.zeros(e.t, np.uint64)
            for line in lines:
                hashes += e.table[line]
            need = 0 if free and bool((vector == top).all()) else problem.k
            begins, members = frequent.crowds(e.nodes, lines, everybody, hashes, alive, e.weights, max(need, 1))
            classes = len(begins) - 1
            label = np.full(e.t, classes)
            label[members] = np.repeat(np.arange(classes), np.diff(begins))
            keep = np.zeros(classes + 1, np.bool_)
            keep[label[reps[which.reshape(-1) == x]]] = True
            if keep[:-1].any():
                parts.append(_selected(e, vector, begins, members, keep[:-1], need))
    return _joined(parts, e)


def common_step(costs: Iterable[Int64]) -> int:
    """Return the largest number that divides every given cost (1 when all are 0).

    Costs of releases are multiples of it: a release better than one of cost c costs at most c minus the step. The
    `costs` are arrays of any shape.
    """
    steps = [np.gcd.reduce(part, axis=None, initial=0) for part in costs]
    return max(int(np.gcd.reduce(steps, initial=0)), 1)


def _crowded(e: ProblemArrays, vectors: Int8, k: int) -> Iterable[tuple[Int8, Int32, NDArray[np.uint64]]]:
    """Yield the patterns under which some types may have a crowd, in the order given, and those types."""
    order = np.lexsort(vectors.T[::-1]) if vectors.shape[1] else np.arange(len(vectors))
    begins, rows, hashes = frequent.frequent(
        e.table, e.start, e.heights, np.ascontiguousarray(vectors[order]), e.weights, k
    )
    for p in np.argsort(order):
        here = slice(int(begins[p]), int(begins[p + 1]))
        if here.start < here.stop:
            yield vectors[order[p]], rows[here], hashes[here].view(np.uint64)


def _selected(
    e: ProblemArrays, vector: Int8, begins: Int64, members: Int32, keep: NDArray[np.bool_], need: int
) -> tuple[Int8, Int64, Int64, Int64, Int32]:
    lengths = np.diff(begins)
    chosen = members[np.repeat(keep, lengths)]
    lengths = lengths[keep]
    firsts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    count = len(lengths)
    return (
        np.broadcast_to(vector, (count, len(vector))),
        e.row_costs(vector, chosen[firsts]),
        np.full(count, need, np.int64),
        lengths.astype(np.int64),
        chosen,
    )


def _joined(parts: list[tuple[Int8, Int64, Int64, Int64, Int32]], e: ProblemArrays) -> Instances:
    if not parts:
        m = len(e.start)
        none = np.zeros(0, np.int64)
        return Instances(
            np.zeros((0, m), np.int8), none, none, np.zeros(1, np.int64), np.zeros(0, np.int32), e.counts, -1
        )
    vectors, costs, needs, lengths, members = (np.concatenate(part) for part in zip(*parts, strict=True))
    covering = np.flatnonzero(lengths == e.t)
    free = covering[needs[covering] == 0]
    suppressed = int(free[0]) if free.size else int(covering[0]) if covering.size else -1
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return Instances(np.ascontiguousarray(vectors), costs, needs, begins, members, e.counts, suppressed)
