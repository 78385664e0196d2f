"""The least number of attackers with measure exactly k: best-first search over closed sets.

A set of measure k leaves only classes of k or more: it is *closed* at level k. Every closed set that holds S and x
holds their closure, so the closed sets form a tree under "add a node, close". The search takes the smallest closed
set first: when it has measure k, or is no smaller than the best known, nothing smaller exists; the smallest set
still waiting is a lower bound at any time. Twins are interchangeable, so that only sets which take the first
members of each twin class are kept.

The problem is NP-hard (Theorem 2(a)) and hard to approximate (2(b)); this is exact, and anytime.

References
----------
T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under active
attack, Theorem 2.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.partition import closures, labels_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32
    from incrowd.progress import Watch


NODE_LIMIT = 12_000  # a distance matrix of 16-bit entries: 288 MB
MEMORY = 1 << 30  # bytes of waiting sets
CHUNK = 256  # closures between two looks at the watch


@dataclass(slots=True)
class Exactly:
    """What the search found.

    `lower`: no set of measure k is smaller. `upper`: size of the smallest set found. `members`: (upper,) int32 or None.
    `complete`: True when the bounds meet or no set exists. `expanded`: closed sets taken from the queue.
    """

    lower: int
    upper: int | None
    members: Int32 | None
    complete: bool
    expanded: int


def search_exactly(
    graph: Graph,
    distances: NDArray[np.int16],
    twins: Int32,
    k: int,
    *,
    watch: Watch,
    lower: int = 1,
) -> Exactly:
    """Find the smallest set of measure exactly `k`, which is at least 1.

    `twins`, (n,), is the class of every node under interchange, and `distances` is (n, n). `lower` is a proven lower
    bound. The watch is asked after every few hundred closures. Exponential time and memory at worst. Every class is
    decided by exact pairs (class, distance).
    """
    n = distances.shape[0]
    members_of = _twin_lists(twins)
    best_size, best = n, None
    rows, span = (graph.indptr, graph.indices), int(distances.max()) + 2
    table, touched = np.full((n + 1) * span, -1, np.int32), np.empty(n, np.int64)

    dead = np.zeros(n, np.bool_)
    heap: list[tuple[int, int, bytes]] = []
    seen: set[bytes] = set()
    tick = 0
    expanded = 0
    floor = lower

    def over() -> bool:
        return watch.stopped

    def close(flags: NDArray[np.bool_], label: Int32, starts: Int32, limit: int) -> None:
        nonlocal best_size, best, tick
        sets, sizes, measures = closures(*rows, distances, flags, label, starts, k, limit, dead, span, table, touched)
        for bits, size, measure in zip(sets, sizes.tolist(), measures.tolist(), strict=True):
            if size >= best_size:
                continue
            flags = np.unpackbits(bits.view(np.uint8), bitorder="little", count=n).astype(np.bool_)
            _canonical(flags, members_of)
            packed = np.packbits(flags).tobytes()
            if packed in seen:
                continue
            seen.add(packed)
            if measure == k:
                best_size, best = size, np.flatnonzero(flags).astype(np.int32)
            else:
                tick += 1
                heapq.heappush(heap, (size, tick, packed))

    memory = watch.within_memory(MEMORY, 1)

    nothing = np.zeros(n, np.bool_)
    zero = np.zeros(n, np.int32)
    heads = np.array([m[0] for m in members_of.values()], np.int32)
    degree_like = (distances == 1).sum(axis=1)
    heads = heads[np.argsort(degree_like[heads], kind="stable")].astype(np.int32)
    for at in range(0, heads.size, CHUNK):
        if best_size <= floor:
            return Exactly(best_size, best_size, best, True, expanded)
        if over():
            return Exactly(floor, _size(best), best, False, expanded)
        close(nothing, zero, heads[at : at + CHUNK], n)
    for group in members_of.values():
        dead[group] = dead[group[0]]
    alive = ~dead

    while heap and heap[0][0] < best_size:
        if over() or tick * (n // 8 + 120) > memory:
            lower = max(floor, heap[0][0])
            return Exactly(lower, _size(best), best, lower == _size(best), expanded)
        size, _, packed = heapq.heappop(heap)
        expanded += 1
        flags = np.unpackbits(np.frombuffer(packed, np.uint8), count=n).astype(np.bool_)
        starts = _next_of_twins(flags, alive, members_of)
        label = labels_of(*rows, distances, flags)
        for at in range(0, starts.size, CHUNK):
            if over():
                lower = max(floor, size)
                return Exactly(lower, _size(best), best, lower == _size(best), expanded)
            close(flags, label, starts[at : at + CHUNK], best_size)
        if expanded % 64 == 0:
            watch.report("solve", smallest=size, best=_size(best), waiting=len(heap))
    return Exactly(best_size, _size(best), best, True, expanded)


def _size(members: Int32 | None) -> int | None:
    return None if members is None else int(members.size)


def _twin_lists(twins: Int32) -> dict[int, NDArray[np.int64]]:
    order = np.argsort(twins, kind="stable")
    cuts = np.flatnonzero(np.diff(twins[order])) + 1
    return {int(twins[group[0]]): group for group in np.split(order, cuts)}


def _canonical(flags: NDArray[np.bool_], members_of: dict[int, NDArray[np.int64]]) -> None:
    """Move the set to the first members of every twin class: an automorphism of the graph."""
    for group in members_of.values():
        if group.size > 1:
            inside = int(flags[group].sum())
            flags[group[:inside]] = True
            flags[group[inside:]] = False


def _next_of_twins(
    flags: NDArray[np.bool_], alive: NDArray[np.bool_], members_of: dict[int, NDArray[np.int64]]
) -> Int32:
    """Return the first member outside the set of every live twin class."""
    out = []
    for group in members_of.values():
        inside = int(flags[group].sum())
        if inside < group.size and alive[group[inside]]:
            out.append(group[inside])
    return np.array(sorted(out), np.int32)
