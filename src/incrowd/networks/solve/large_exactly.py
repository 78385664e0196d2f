"""A small set of measure exactly k in networks too large for a distance matrix: an upper bound.

A set that is closed at level k (every class has k nodes or more) grows: a node of its smallest class joins, and what
falls below k is absorbed, until some class has exactly k nodes. Where enough nodes of a class have all their neighbours
in the set, taking these changes no other class (they are *sealed*), and the measure is k at once.

No ratio is proven for the set found, only this: a closed set S with a class of c nodes, c - k of which are sealed,
gives one of measure exactly k with |S| + c - k nodes; where S is the least set of measure k or more, that is at most
c - k above the least. ``docs/papers/privacy-measures.md`` has the proof. The bounds that go with an answer always hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.networks.bfs import bfs
from incrowd.kernels.networks.partition import refine
from incrowd.networks.solve.distances import class_sizes, scans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32, Int64
    from incrowd.progress import Watch

STARTS = 64  # nodes that a descent begins with where there is no time limit, after the least set of measure k or more
EFFORT = 4_000_000_000  # nodes and edges walked by all searches together, where there is no time limit
LEAST_SEARCHES = 256  # searches whatever the size


@dataclass(frozen=True, slots=True)
class Approach:
    """What was found.

    `members`: (s,) int32 or None, the smallest set of measure exactly k that was met, sorted. `searches`: breadth-first
    searches made.
    """

    members: Int32 | None
    searches: int


class _Closed:
    """A set that grows, and the classes of the nodes outside it, by exact distances."""

    def __init__(self, rows: Any, members: Int32) -> None:
        n = rows.shape[0]
        self.rows = rows
        self.inside = np.zeros(n, np.bool_)
        self.searched = np.zeros(n, np.bool_)
        self.label = np.zeros(n, np.int32)
        self.near = np.zeros(n, np.int64)  # neighbours in the set
        self.size = 0
        self.add(members)

    def add(self, members: NDArray[np.integer]) -> None:
        self.inside[members] = True
        self.label[members] = -1
        self.size += members.size
        self.near += np.bincount(self.rows[members].indices, minlength=self.near.size)


class _Descent:
    """One run: its best set and what is left of its effort."""

    def __init__(self, graph: Graph, k: int, watch: Watch, seed: int) -> None:
        n = graph.nodes
        self.graph, self.k, self.watch = graph, k, watch
        self.rows = graph.matrix()
        self.rng = np.random.default_rng(seed)
        self.degree = graph.degrees
        self.best: Int32 | None = None
        self.size = n
        self.searches = 0
        self.most = max(LEAST_SEARCHES, EFFORT // (n + 2 * graph.edges)) if watch.deadline is None else 1 << 62
        self.dist, self.queue = np.empty(n, np.int32), np.empty(n, np.int32)

    @property
    def over(self) -> bool:
        return self.watch.stopped or self.searches >= self.most

    def close(self, s: _Closed) -> Int64 | None:
        """Absorb what is below the level; the classes left, or None where the set is no use or time is over."""
        graph = self.graph
        while not self.watch.stopped:
            # whoever has no neighbour outside tells nothing apart that others do not
            edge = np.flatnonzero(s.inside & ~s.searched & (s.near < self.degree))
            if edge.size:
                few = edge[(self.degree[edge] - s.near[edge]) < self.k]
                if few.size:  # its neighbours outside are fewer than k: no search needed
                    near = np.zeros(graph.nodes, np.bool_)
                    near[self.rows[few].indices] = True
                    s.add(np.flatnonzero(near & ~s.inside))
                    if s.size >= self.size:
                        return None
                    continue
                if self.over:
                    return None
                v = int(edge[0])
                bfs(graph.indptr, graph.indices, v, self.dist, self.queue)
                self.searches += 1
                s.searched[v] = True
                refine(s.label, self.dist)
            counts = class_sizes(s.label)
            small = np.flatnonzero((counts > 0) & (counts < self.k))
            if small.size:
                fewer = np.zeros(counts.size, np.bool_)
                fewer[small] = True
                outside = np.flatnonzero(s.label >= 0)
                s.add(outside[fewer[s.label[outside]]])
            if s.size >= self.size:
                return None
            if not small.size and not edge.size:
                return counts
        return None

    def run(self, members: Int32) -> None:
        """Go down from one set, as long as it is smaller than the best."""
        s = _Closed(self.rows, members)
        while True:
            counts = self.close(s)
            if counts is None:
                return
            least = int(counts[counts > 0].min())
            if least == self.k:
                self.keep(s, np.empty(0, np.int64))
                return
            self.seal(s, counts)
            # a node of the smallest class joins: of those with most neighbours inside, any
            nodes = np.flatnonzero(s.label == int(self.rng.choice(np.flatnonzero(counts == least))))
            open_ends = (self.degree - s.near)[nodes]
            s.add(np.array([self.rng.choice(nodes[open_ends == open_ends.min()])]))
            if s.size >= self.size:
                return

    def seal(self, s: _Closed, counts: Int64) -> None:
        """Keep the set with sealed nodes of one class, where there are enough of them."""
        outside = np.flatnonzero(s.label >= 0)
        sealed = outside[s.near[outside] == self.degree[outside]]
        ready = np.bincount(s.label[sealed], minlength=counts.size)
        fit = np.flatnonzero((counts > self.k) & (counts - self.k <= ready))
        if fit.size:
            c = int(fit[counts[fit].argmin()])
            taken = sealed[s.label[sealed] == c][: int(counts[c]) - self.k]
            if s.size + taken.size < self.size:
                self.keep(s, taken)

    def keep(self, s: _Closed, more: NDArray[np.integer]) -> None:
        self.best = np.sort(np.concatenate([np.flatnonzero(s.inside), more])).astype(np.int32)
        self.size = int(self.best.size)
        self.watch.report("solve", best=self.size, searches=self.searches)


def approach_exactly(graph: Graph, k: int, start: Int32, watch: Watch, seed: int, lower: int = 1) -> Approach:
    """Look for a small set of measure exactly `k`, at least 1, in a graph with an edge.

    `start`, (s,), is a set of measure at least k, the least one if it is known. `lower` is a proven lower bound; a set
    of so many nodes ends the search. The watch is asked before every search; without a time limit about four billion
    nodes and edges are walked. `seed` is that of the nodes drawn. O(n + m) time for every search and O(n + m) memory.
    Classes are decided by exact distances.
    """
    descent = _Descent(graph, k, watch, seed)
    descent.run(start)
    # then nodes that could have measure k or more: those with k neighbours, or few more, first
    nodes = np.flatnonzero(descent.degree >= k)
    drawn = descent.rng.permutation(nodes)
    tried = drawn[: 8 * STARTS]
    first = tried[np.argsort(descent.degree[tried], kind="stable")][:STARTS]
    for v in (first if watch.deadline is None else np.concatenate([first, drawn[8 * STARTS :]])).tolist():
        if descent.size <= lower or descent.over:
            break
        descent.run(np.array([v], np.int32))
    return Approach(descent.best, descent.searches)


# One node of a wanted measure.
def single_of_measure(graph: Graph, k: int, watch: Watch) -> int | None:
    """Find a node v with mu({v}) = k for a k from 1; None where there is none, or the search was stopped.

    Nodes of degree 1..k-1 are left out: their neighbours alone are too few. The watch is asked after every 64 nodes. At
    worst n searches, 64 at a time.
    """
    degree = graph.degrees
    nodes = np.flatnonzero((degree >= k) | (degree == 0)).astype(np.int32)
    for batch, mu, _ in scans(graph, nodes, k - 1):
        hit = np.flatnonzero(mu == k)
        if hit.size:
            return int(batch[hit[0]])
        if watch.stopped:
            return None
    return None
