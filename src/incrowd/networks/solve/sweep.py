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
``papers/privacy-measures.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.build import bfs_order, relabel
from incrowd.kernels.networks.chain import OVER, raise_level, settle, start
from incrowd.kernels.networks.chain_classes import exits, flood, split, uniform
from incrowd.kernels.networks.chain_state import ChainState, make_state
from incrowd.kernels.networks.cycles import pointer_cycles
from incrowd.kernels.networks.scan import scan_buffers
from incrowd.networks.solve.singles import single_nodes
from incrowd.networks.values import NodeSet
from incrowd.progress import Watch, search_time

if TYPE_CHECKING:
    from incrowd.kernels.networks.scan import ScanBuffers
    from incrowd.networks.values import Int32, Int64

__all__ = ["Curve", "sweep"]

BATCH = 64
SCAN_COST = 6  # edges walked by a bit-parallel search, in multiples of those of the graph


@dataclass(slots=True)
class Curve:
    """Least attackers for every level of a connected graph, as an interval.

    Attributes
    ----------
    n : int
        Number of nodes; as an entry of `upper` or `lower` it stands for "no such set".
    first, last : int
        Levels asked for.
    lower, upper : (last + 2,) int64
        Bounds on the size of the smallest set of measure at least k, index k; equal where exact. Only entries
        first..last count; beyond the largest degree there is never a set.
    sets : dict of int to NodeSet
        For a size met in `upper`, a set of that size.
    searches : int
        Breadth-first searches made (64 of them cost about as much as six).
    """

    n: int
    first: int
    last: int
    lower: Int64
    upper: Int64
    sets: dict[int, NodeSet] = field(default_factory=dict)
    searches: int = 0

    @property
    def exact(self) -> bool:
        """True when every level asked for is decided."""
        span = slice(self.first, self.last + 1)
        return bool((self.lower[span] == self.upper[span]).all())


def sweep(
    indptr: Int64,
    indices: Int32,
    *,
    first: int = 1,
    last: int | None = None,
    watch: Watch | None = None,
    seed: int = 0,
    key_mask: int = 0xFFFFFFFFFFFFFFFF,
) -> Curve:
    """Least attackers for every level `first`..`last` of a connected graph.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph of at least two nodes
    first, last : int
        Levels of interest, from 1; `last` beyond the largest degree (its default) is cut to it.
    watch : Watch, optional
        When it stops the run the result is an interval.
    seed : int
        Chooses orders and hashes; never the answer.
    key_mask : int
        Bits kept of the class keys: fewer only makes the exact rechecks fail more often (for tests).

    Returns
    -------
    Curve

    Notes
    -----
    A few hundred searches on sparse random graphs; O(n (n + m)) at worst. About 250 bytes a node and a copy of the
    edges. Keys of 64 bits steer the closure, and every set reported was confirmed without them.
    """
    watch = watch or Watch()
    n = indptr.size - 1
    top = int(np.diff(indptr).max())
    last = top if last is None else min(last, top)
    lower, upper = np.full(max(last, first) + 2, n, np.int64), np.full(max(last, first) + 2, n, np.int64)
    curve = Curve(n, first, last, lower, upper)
    if first > last:
        return curve
    order = bfs_order(indptr, indices, int(np.diff(indptr).argmax()))
    if not _over(watch):
        indptr, indices = relabel(indptr, indices, order)
    if _over(watch):
        lower[: last + 1] = 1
        return curve
    degree = np.diff(indptr)
    until = _share(watch, 0.7)  # the rest of the time is for the closures
    singles = single_nodes(
        indptr,
        indices,
        floor=first - 1,
        stopped=lambda: watch.stopped or search_time() >= until,
        tell=watch.tell,
        seed=seed,
    )
    curve.searches = singles.searches
    if singles.node >= 0:
        upper[: singles.measure + 1] = 1
        curve.sets[1] = NodeSet.of(order[[singles.node]], n)
    lower[: singles.measure + 1] = 1
    level = singles.measure + 1
    if singles.open.any():  # pointers are known only above the largest open degree
        undecided = int(degree[singles.open].max())
        lower[level : undecided + 1] = 1
        level = max(level, undecided + 1)
    if level <= last:
        _close_cycles(curve, order, indptr, indices, singles.pointer, level, watch, seed, key_mask)
    return curve


def _over(watch: Watch) -> bool:
    return watch.stopped


def _share(watch: Watch, part: float) -> float:
    """Return a deadline after `part` of what is left until that of `watch`."""
    if watch.deadline is None:
        return math.inf
    now = search_time()
    return now + part * max(0.0, watch.deadline - now)


def _close_cycles(
    curve: Curve,
    order: Int32,
    indptr: Int64,
    indices: Int32,
    pointer: Int32,
    level: int,
    watch: Watch,
    seed: int,
    key_mask: int,
) -> None:
    """Grow one closure a pointer cycle through all levels from `level`; write bounds and sets into `curve`."""
    basin, cycles = _cycles(pointer)
    if _over(watch):
        curve.lower[level:] = min(cycle.size for cycle in cycles)
        return
    rng = np.random.default_rng(seed)
    state = make_state(indptr, indices, basin, len(cycles), int(rng.integers(1 << 62)), key_mask)
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
        watch.tell("solve", cycles_left=len(cycles), level=int(state.number[2]))
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
            state.salt[1] = 0xFFFFFFFFFFFFFFFF
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
    """Find the cycles of a functional graph: the cycle each node leads to, and the nodes of each cycle."""
    basin, nodes, ends = pointer_cycles(pointer)
    return basin, [nodes[a:b] for a, b in zip(np.r_[0, ends[:-1]], ends, strict=True)]
