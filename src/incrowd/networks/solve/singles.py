"""First half of the sweep: the best single attacker, and for every node a class that must be absorbed.

Level k is out of reach for one node when its smallest layer has fewer than k nodes. Let k1 be the largest
measure of a single node. For k > k1 every node v has a class of at most k1 nodes; any node p(v) of it lies in the
closure of v at every level above k1. This module finds k1 and such a *pointer* for every node, searching from as
few nodes as it can:

- a node of degree d <= k1 needs no search, its neighbours are a class (or part of one): p(v) is a neighbour;
- nodes are taken by falling degree, because a measure is at most the degree in a connected graph;
- two searches from a pivot and a far node resolve thousands of nodes (`incrowd.kernels.networks.pivot`);
- what is left is searched 64 nodes at a time in compact balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs, forest_parents, tail_counts, walk_back
from incrowd.kernels.networks.pivot import certify, descend
from incrowd.kernels.networks.scan import ball, scan, scan_buffers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.networks.values import Int32, Int64

__all__ = ["Singles", "single_nodes"]

BATCH = 64
BATCH_LIMIT = 64  # bits of a word
SAMPLES = 16  # random batches, for a good measure early
FEW = 64  # open nodes that are simply searched
LEVELS = 256  # layers of a source that are kept
KEPT = 16  # scanned batches that a new far node is tried on
FARS = 8  # far nodes seen from which scanned nodes resolve what lies behind them
CHEAP = 4.0  # bit-parallel searches below the cost of so many plain ones are used freely
ROUND = 2  # batches between two looks at the best measure


@dataclass(slots=True)
class Singles:
    """What is known about single attackers of a connected graph.

    Attributes
    ----------
    measure : int
        Largest measure found, or the floor asked for when no node exceeds it.
    node : int
        A node of that measure; -1 when none exceeds the floor asked for.
    pointer : (n,) int32
        A node of a class of at most `measure` nodes, for every node that is not open.
    open : (n,) bool
        Nodes not resolved because the run was stopped.
    searches : int
        Breadth-first searches made.
    """

    measure: int
    node: int
    pointer: Int32
    open: NDArray[np.bool_]
    searches: int


@dataclass(slots=True)
class _Far:
    """A node at the thin end of the graph, distances from it, and what was met walking away from it."""

    node: int
    dist: Int32
    seen: NDArray[np.bool_]


class _Search:
    """The state of one run; methods are the ways to resolve nodes."""

    def __init__(self, indptr: Int64, indices: Int32, floor: int) -> None:
        self.indptr, self.indices = indptr, indices
        self.n = indptr.size - 1
        self.degree = np.diff(indptr)
        self.measure, self.node, self.searches = floor, -1, 0
        self.pointer = np.full(self.n, -1, np.int32)
        self.open = self.degree > floor
        self.fars: list[_Far] = []
        self.scanned: list[tuple[Int32, Int32]] = []  # sources, and nodes at distance j or more from them
        self.scan_cost = 1.0  # of the last bit-parallel search, in plain ones
        self.buffers = scan_buffers(self.n)

    def raise_to(self, measure: int, node: int) -> None:
        if measure > self.measure:
            self.measure, self.node = measure, node
            self.open &= self.degree > measure

    def _scan(self, sources: Int32) -> tuple[Int64, Int64, Int32, int]:
        mu, pointer, singles = (np.empty(BATCH, np.int64) for _ in range(3))
        layers = np.empty((BATCH_LIMIT, LEVELS), np.int32)
        work = scan(self.indptr, self.indices, sources, self.measure, self.buffers, mu, pointer, singles, layers)
        b = sources.size
        depth = int(np.flatnonzero(layers.any(axis=0))[-1]) + 1
        beyond = np.empty((b, depth + 2), np.int32)  # nodes at distance j or more; the last entry bounds all beyond
        beyond[:, 0] = self.n
        beyond[:, 1] = self.n - 1
        beyond[:, 2:] = self.n - 1 - np.cumsum(layers[:b, :depth], axis=1)
        return mu[:b], pointer[:b], beyond, work

    def scan_all(self, batches: list[Int32]) -> None:
        """Search from every batch at the present floor, then look at the results in order."""
        results = [self._scan(batch) for batch in batches]
        for batch, (mu, pointer, beyond, work) in zip(batches, results, strict=True):
            self.searches += batch.size
            self.scan_cost = 1.0 + work / max(1, self.indices.size)
            self.pointer[batch] = pointer
            self.open[batch] = False
            top = int(mu.argmax())
            self.raise_to(int(mu[top]), int(batch[top]))
            if self.scan_cost < CHEAP:
                self.behind(batch, beyond)

    def behind(self, batch: Int32, beyond: Int32) -> None:
        """Resolve what lies behind scanned nodes, seen from far nodes; look for a far node more if some have none."""
        queue = np.empty(self.n, np.int32)
        good = np.zeros(batch.size, np.bool_)
        for far in self.fars:
            good |= self._behind(far, batch, beyond, queue)
        self.scanned = [*self.scanned[1 - KEPT :], (batch, beyond)]
        if good.all() or len(self.fars) == FARS or not self.open.any():
            return
        dist = np.empty(self.n, np.int32)
        reached = bfs(self.indptr, self.indices, int(batch[good.argmin()]), dist, queue)
        thin = np.count_nonzero(dist == dist[queue[reached - 1]]) <= self.measure
        node = int(queue[reached - 1])
        self.searches += 1
        if thin and all(node != far.node for far in self.fars):
            from_far = np.empty(self.n, np.int32)
            bfs(self.indptr, self.indices, node, from_far, queue)
            self.searches += 1
            self.fars.append(_Far(node, from_far, np.zeros(self.n, np.bool_)))
            for earlier in self.scanned:
                self._behind(self.fars[-1], *earlier, queue)

    def _behind(self, far: _Far, batch: Int32, beyond: Int32, queue: Int32) -> NDArray[np.bool_]:
        """Walk away from one far node, from the sources that have few nodes at its distance; which ones do."""
        away = np.minimum(far.dist[batch], beyond.shape[1] - 1)
        good: NDArray[np.bool_] = (away > 0) & (beyond[np.arange(batch.size), away] <= self.measure)
        descend(self.indptr, self.indices, far.dist, batch[good], far.seen, queue, far.node, self.open, self.pointer)
        return good

    def certificate(self, v: int, seed: int) -> int:
        """Search from `v` and, if its far end is thin, certify what shares that end; nodes resolved."""
        before = int(np.count_nonzero(self.open))
        dist, queue = np.empty(self.n, np.int32), np.empty(self.n, np.int32)
        reached = bfs(self.indptr, self.indices, v, dist, queue)
        self.searches += 1
        tail = tail_counts(dist, queue, reached)
        layers = tail[:-1] - tail[1:]
        smallest = int(layers[1:].argmin()) + 1
        self.pointer[v] = queue[reached - tail[smallest]]  # the queue lists layers in order
        self.open[v] = False
        self.raise_to(int(layers[smallest]), v)
        if tail[tail.size - 2] > self.measure:
            return before - int(np.count_nonzero(self.open))
        far = int(queue[reached - 1])
        path = walk_back(self.indptr, self.indices, dist, far, seed)
        pivot, pivot_tail = dist, tail
        low, high = 0, path.size - 2
        while low < high:  # as near to the far node as the tail stays thin
            middle = (low + high + 1) // 2
            probe = np.empty(self.n, np.int32)
            probe_reached = bfs(self.indptr, self.indices, int(path[middle]), probe, queue)
            self.searches += 1
            probe_tail = tail_counts(probe, queue, probe_reached)
            if probe_tail[probe[far]] <= self.measure:
                low, pivot, pivot_tail = middle, probe, probe_tail
            else:
                high = middle - 1
        from_far = np.empty(self.n, np.int32)
        bfs(self.indptr, self.indices, far, from_far, queue)
        self.searches += 1
        certify(pivot, from_far, pivot_tail, self.measure, far, self.open, self.pointer)
        return before - int(np.count_nonzero(self.open))


def single_nodes(
    indptr: Int64,
    indices: Int32,
    *,
    floor: int,
    stopped: Callable[[], bool],
    tell: Callable[..., None],
    seed: int = 0,
) -> Singles:
    """Find the largest measure of a single node above `floor`, and pointers for all others.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph of at least two nodes
    floor : int
        Measures up to `floor` are of no interest; 0 for all.
    stopped : callable
        Asked between batches; true ends the run with what it has.
    tell : callable
        Told the progress, as `Watch.tell`.
    seed : int
        Chooses the nodes from which certificates are tried.

    Returns
    -------
    Singles

    Notes
    -----
    At worst n searches in n / 64 bit-parallel ones; in sparse random graphs of any size a few hundred.
    """
    search = _Search(indptr, indices, floor)
    rng = np.random.default_rng(seed)
    by_degree = np.argsort(-search.degree, kind="stable").astype(np.int32)

    taken = 0
    while taken < 5 * BATCH:
        batch = by_degree[taken : taken + BATCH]
        batch = batch[search.open[batch]]
        if batch.size == 0 or stopped():
            break
        before = search.measure
        search.scan_all([batch])
        taken += BATCH
        if taken > BATCH and search.measure == before:
            break

    # Certificates, as long as a search resolves more nodes than its share of a bit-parallel one would. What a search
    # resolves varies a lot from pivot to pivot: a running mean decides.
    mean = float(BATCH)
    while not stopped():
        candidates = np.flatnonzero(search.open)
        if candidates.size <= FEW or mean < BATCH / search.scan_cost:
            break
        before_searches = search.searches
        resolved = search.certificate(int(rng.choice(candidates)), int(rng.integers(1 << 30)))
        mean += 0.3 * (resolved / (search.searches - before_searches) - mean)
        tell("solve", open_nodes=int(candidates.size) - resolved, at_least=search.measure)

    for _ in range(SAMPLES if search.scan_cost < CHEAP else 0):
        candidates = np.flatnonzero(search.open)
        if candidates.size <= SAMPLES * BATCH or stopped():
            break
        search.scan_all([np.sort(rng.permutation(candidates)[:BATCH]).astype(np.int32)])

    mark, queue = np.full(search.n, -1, np.int32), np.empty(search.n, np.int32)
    stamp = 0
    waiting = by_degree[search.open[by_degree]]
    at = 0
    while at < waiting.size and not stopped():
        batches: list[Int32] = []
        while len(batches) < ROUND and at < waiting.size:
            v = int(waiting[at])
            if search.open[v]:
                batches.append(ball(indptr, indices, v, BATCH, search.open, mark, stamp, queue))
                stamp += 1
            at += 1
        for batch in batches:
            search.open[batch] = True  # resolved only once searched
        search.scan_all(batches)
        tell("solve", open_nodes=int(np.count_nonzero(search.open)), at_least=search.measure)

    low = (search.degree <= search.measure) & (search.pointer < 0)
    if low.any():
        roots = ~low
        if not roots.any():
            roots[by_degree[0]] = True
            search.pointer[by_degree[0]] = indices[indptr[by_degree[0]]]
        forest_parents(indptr, indices, roots, search.pointer)
    return Singles(search.measure, search.node, search.pointer, search.open, search.searches)
