"""The whole trade-off curve of a connected graph in one sweep: least attackers for every k, exactly.

Let cl_k(S) be the least set that holds S and leaves only classes of k or more nodes (or is everything). The
smallest V' with measure at least k is the smallest cl_k(v) that is not everything. Above k1, the largest measure of
a single node, every node v has a pointer p(v) in cl_k(v); following pointers ends in a cycle Z, all nodes of which
have the same closures, contained in those of every node that leads there. So one closure a cycle is enough, grown
through the levels; it stops when it meets a node whose cycle is finished.

References
----------
T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three
privacy measures for large networks under active attack, Theorem 1. The proofs of this faster way are in
``docs/papers/privacy-measures.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs, forest_parents, walk_back
from incrowd.kernels.networks.chain import (
    OVER,
    ChainState,
    exits,
    flood,
    make_state,
    raise_level,
    settle,
    split,
    start,
    uniform,
)
from incrowd.kernels.networks.scan import ball, certify, descend, scan, scan_buffers
from incrowd.networks.values import NodeSet
from incrowd.progress import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.kernels.networks.scan import ScanBuffers
    from incrowd.networks.values import Graph, Int32, Int64

BATCH = 64
SCAN_COST = 6  # edges walked by a bit-parallel search, in multiples of those of the graph


@dataclass(slots=True)
class Curve:
    """Least attackers for every level of a connected graph, as an interval.

    `n`: number of nodes; as an entry of `upper` or `lower` it stands for "no such set". `first`, `last`: levels asked
    for. `lower`, `upper`: (last + 2,) int64, bounds on the size of the smallest set of measure at least k, index k;
    equal where exact. Only entries first..last count; beyond the largest degree there is never a set. `sets`: for a
    size met in `upper`, a set of that size. `searches`: breadth-first searches made (64 of them cost about as much as
    six).
    """

    n: int
    first: int
    last: int
    lower: Int64
    upper: Int64
    sets: dict[int, NodeSet] = field(default_factory=dict)
    searches: int = 0


def sweep(graph: Graph, *, first: int = 1, last: int | None = None, watch: Watch | None = None, seed: int = 0) -> Curve:
    """Least attackers for every level `first`..`last` of a connected graph of at least two nodes.

    `first`, `last`: levels of interest, from 1; `last` beyond the largest degree (its default) is cut to it. `watch`:
    when it stops the run the result is an interval. `seed`: chooses orders and hashes; never the answer. A few hundred
    searches on sparse random graphs; O(n (n + m)) at worst. About 250 bytes a node and a copy of the edges. Keys of 64
    bits steer the closure, and every set reported was confirmed without them.
    """
    from scipy.sparse.csgraph import breadth_first_order

    watch = watch or Watch()
    n, top = graph.nodes, int(graph.degrees.max())
    last = top if last is None else min(last, top)
    lower, upper = np.full(max(last, first) + 2, n, np.int64), np.full(max(last, first) + 2, n, np.int64)
    curve = Curve(n, first, last, lower, upper)
    if first > last:
        return curve
    # neighbours close in memory: breadth first from a node of the largest degree
    order = breadth_first_order(graph.matrix(), int(graph.degrees.argmax()), return_predecessors=False)
    if not watch.stopped:
        graph = graph.part(order)
    if watch.stopped:
        lower[: last + 1] = 1
        return curve
    # the rest of the time is for the closures
    singles = single_nodes(graph, floor=first - 1, watch=watch.share(0.7), seed=seed)
    curve.searches = singles.searches
    if singles.node >= 0:
        upper[: singles.measure + 1] = 1
        curve.sets[1] = NodeSet.of(order[[singles.node]], n)
    lower[: singles.measure + 1] = 1
    level = singles.measure + 1
    if singles.open.any():  # pointers are known only above the largest open degree
        undecided = int(graph.degrees[singles.open].max())
        lower[level : undecided + 1] = 1
        level = max(level, undecided + 1)
    if level <= last:
        _close_cycles(curve, order, graph, singles.pointer, level, watch, seed)
    return curve


def _over(watch: Watch) -> bool:
    return watch.stopped


def _close_cycles(
    curve: Curve, order: Int32, graph: Graph, pointer: Int32, level: int, watch: Watch, seed: int
) -> None:
    """Grow one closure a pointer cycle through all levels from `level`; write bounds and sets into `curve`."""
    basin, cycles = _cycles(pointer)
    if _over(watch):
        curve.lower[level:] = min(cycle.size for cycle in cycles)
        return
    rng = np.random.default_rng(seed)
    state = make_state(graph.indptr, graph.indices, basin, len(cycles), int(rng.integers(1 << 62)))
    buffers = scan_buffers(curve.n)
    best = curve.upper
    unfinished = np.full(best.size, curve.n, np.int64)  # how small a set some cut-off closure may still become
    for c in rng.permutation(len(cycles)):
        if watch.stopped:
            np.minimum(unfinished[level:], cycles[c].size, out=unfinished[level:])
            continue
        start(state, cycles[c], level)
        _grow(curve, order, state, buffers, watch, rng, unfinished)
        state.finished[c] = True
        watch.report("solve", cycles_left=len(cycles), level=int(state.number[2]))
    curve.lower[level:] = np.minimum(best, unfinished)[level:]


def _grow(
    curve: Curve,
    order: Int32,
    state: ChainState,
    buffers: ScanBuffers,
    watch: Watch,
    rng: np.random.Generator,
    unfinished: Int64,
) -> None:
    """One closure through all its levels; records what it finds."""
    number = state.number
    edges = int(state.indptr[-1]) + curve.n
    while settle(state, curve.upper, curve.last) != OVER:
        if watch.stopped:
            level = int(number[2])
            np.minimum(unfinished[level:], int(number[0]), out=unfinished[level:])
            return
        members = state.members[: number[0]]
        edge = members[state.free[members] > 0]
        pending = int(np.count_nonzero(~state.searched[edge]))
        verdict = exits(state, SCAN_COST * edges * (-(-pending // BATCH)) + edges)
        confirmed = verdict == 1
        if not confirmed:
            flood(state, verdict < 0)
            matter = edge[state.relevant[edge]]
            fresh = matter[~state.searched[matter]]
            if fresh.size:
                batch = np.sort(rng.permutation(fresh)[:BATCH])
                split(state, batch, buffers)
                curve.searches += batch.size
                continue
            # every distance that can matter is in the keys: confirm without them
            confirmed = all(uniform(state, matter[at : at + BATCH], buffers) for at in range(0, matter.size, BATCH))
            curve.searches += matter.size
        if not confirmed:  # two classes shared a key: new hashes, and every search again
            state.salt[0] = rng.integers(1 << 62)
            state.searched[:] = False
            number[6] = number[7] = -1
            continue
        size, level = int(number[0]), int(number[2])
        measure = min(int(number[5]), curve.last)
        np.minimum(curve.upper[level : measure + 1], size, out=curve.upper[level : measure + 1])
        curve.sets[size] = NodeSet.of(order[members], curve.n)
        if measure == curve.last:
            return
        raise_level(state, measure + 1)


def _cycles(pointer: Int32) -> tuple[Int32, list[Int32]]:
    """Find the cycles of a functional graph, where -1 ends a walk: the cycle each node leads to, and their nodes."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = pointer.size
    step = np.where(pointer < 0, np.arange(n, dtype=np.int32), pointer)
    arcs = csr_array((np.ones(n, np.int8), step, np.arange(n + 1)), shape=(n, n))
    basin: Int32 = connected_components(arcs, connection="weak")[1]
    for _ in range(n.bit_length()):  # after n steps and more all are on their cycles
        step = step[step]
    on = np.unique(step)
    on = on[np.argsort(basin[on], kind="stable")]
    return basin, np.split(on, np.flatnonzero(np.diff(basin[on])) + 1)


# First half of the sweep: the best single attacker, and for every node a class that must be absorbed.
#
# Level k is out of reach for one node when its smallest layer has fewer than k nodes. Let k1 be the largest measure of
# a single node. For k > k1 every node v has a class of at most k1 nodes; any node p(v) of it lies in the closure of v
# at every level above k1. This module finds k1 and such a *pointer* for every node, searching from as few nodes as it
# can:
#
# - a node of degree d <= k1 needs no search, its neighbours are a class (or part of one): p(v) is a neighbour;
# - nodes are taken by falling degree, because a measure is at most the degree in a connected graph;
# - two searches from a pivot and a far node resolve thousands of nodes (`incrowd.kernels.networks.scan`);
# - what is left is searched 64 nodes at a time in compact balls.
BATCH_LIMIT = 64  # bits of a word
SAMPLES = 16  # random batches, for a good measure early
FEW = 64  # open nodes that are simply searched
LEVELS = 256  # layers of a source that are kept
KEPT = 16  # scanned batches that a new far node is tried on
FARS = 8  # far nodes seen from which scanned nodes resolve what lies behind them
CHEAP = 4.0  # bit-parallel searches below the cost of so many plain ones are used freely
ROUND = 2  # batches between two looks at the best measure


@dataclass(slots=True)
class _Far:
    """A node at the thin end of the graph, distances from it, and what was met walking away from it."""

    node: int
    dist: Int32
    seen: NDArray[np.bool_]


class Singles:
    """What is known about single attackers of a connected graph; methods are the ways to resolve nodes.

    `measure`: largest measure found, or the floor asked for when no node exceeds it. `node`: a node of that measure; -1
    when none exceeds the floor asked for. `pointer`: (n,) int32, a node of a class of at most `measure` nodes, for
    every node that is not open. `open`: (n,) bool, nodes not resolved. `searches`: breadth-first searches made.
    """

    def __init__(self, graph: Graph, floor: int) -> None:
        self.indptr, self.indices = graph.indptr, graph.indices
        self.n = graph.nodes
        self.degree = graph.degrees
        self.measure, self.node, self.searches = floor, -1, 0
        self.pointer = np.full(self.n, -1, np.int32)
        self.open = self.degree > floor
        self.fars: list[_Far] = []
        self.scanned: list[tuple[Int32, Int32]] = []  # sources, and nodes at distance j or more from them
        self.scan_cost = 1.0  # of the last bit-parallel search, in plain ones
        self.buffers = scan_buffers(self.n)

    def raise_to(self, measure: int, node: int) -> None:
        """Take a node of a measure as the best, if it is."""
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
        tail = _tail_counts(dist)
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
            bfs(self.indptr, self.indices, int(path[middle]), probe, queue)
            self.searches += 1
            probe_tail = _tail_counts(probe)
            if probe_tail[probe[far]] <= self.measure:
                low, pivot, pivot_tail = middle, probe, probe_tail
            else:
                high = middle - 1
        from_far = np.empty(self.n, np.int32)
        bfs(self.indptr, self.indices, far, from_far, queue)
        self.searches += 1
        certify(pivot, from_far, pivot_tail, self.measure, far, self.open, self.pointer)
        return before - int(np.count_nonzero(self.open))


def _tail_counts(dist: Int32) -> Int64:
    """Count the nodes at distance j or more, for j from 0 to the largest distance and one more."""
    return np.append(np.bincount(dist)[::-1].cumsum()[::-1], 0)


def single_nodes(graph: Graph, *, floor: int, watch: Watch, seed: int = 0) -> Singles:
    """Find the largest measure of a single node above `floor`, and pointers for all others.

    The graph is connected and has at least two nodes. Measures up to `floor` are of no interest; 0 for all. The watch
    is asked between batches; stopped, the run ends with what it has. `seed` chooses the nodes from which certificates
    are tried. At worst n searches in n / 64 bit-parallel ones; in sparse random graphs of any size a few hundred.
    """
    search = Singles(graph, floor)
    rng = np.random.default_rng(seed)
    by_degree = np.argsort(-search.degree, kind="stable").astype(np.int32)

    taken = 0
    while taken < 5 * BATCH:
        batch = by_degree[taken : taken + BATCH]
        batch = batch[search.open[batch]]
        if batch.size == 0 or watch.stopped:
            break
        before = search.measure
        search.scan_all([batch])
        taken += BATCH
        if taken > BATCH and search.measure == before:
            break

    # Certificates, as long as a search resolves more nodes than its share of a bit-parallel one would. What a search
    # resolves varies a lot from pivot to pivot: a running mean decides.
    mean = float(BATCH)
    while not watch.stopped:
        candidates = np.flatnonzero(search.open)
        if candidates.size <= FEW or mean < BATCH / search.scan_cost:
            break
        before_searches = search.searches
        resolved = search.certificate(int(rng.choice(candidates)), int(rng.integers(1 << 30)))
        mean += 0.3 * (resolved / (search.searches - before_searches) - mean)
        watch.report("solve", open_nodes=int(candidates.size) - resolved, at_least=search.measure)

    for _ in range(SAMPLES if search.scan_cost < CHEAP else 0):
        candidates = np.flatnonzero(search.open)
        if candidates.size <= SAMPLES * BATCH or watch.stopped:
            break
        search.scan_all([np.sort(rng.permutation(candidates)[:BATCH]).astype(np.int32)])

    mark, queue = np.full(search.n, -1, np.int32), np.empty(search.n, np.int32)
    stamp = 0
    waiting = by_degree[search.open[by_degree]]
    at = 0
    while at < waiting.size and not watch.stopped:
        batches: list[Int32] = []
        while len(batches) < ROUND and at < waiting.size:
            v = int(waiting[at])
            if search.open[v]:
                batches.append(ball(graph.indptr, graph.indices, v, BATCH, search.open, mark, stamp, queue))
                stamp += 1
            at += 1
        for batch in batches:
            search.open[batch] = True  # resolved only once searched
        search.scan_all(batches)
        watch.report("solve", open_nodes=int(np.count_nonzero(search.open)), at_least=search.measure)

    low = (search.degree <= search.measure) & (search.pointer < 0)
    if low.any():
        roots = ~low
        if not roots.any():
            roots[by_degree[0]] = True
            search.pointer[by_degree[0]] = graph.indices[graph.indptr[by_degree[0]]]
        forest_parents(graph.indptr, graph.indices, roots, search.pointer)
    return search
