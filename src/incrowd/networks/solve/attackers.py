"""(k, l)-anonymity: the least measure that an attacker with at most l nodes can reach.

One node: every node is searched, by falling degree, until one singles somebody out. Two: also every pair with
exactly one common neighbour singles it out (a generalization of Theorem 3(c)); else all pairs, on a distance matrix.
Three: all triples. More: an interval, from a greedy attacker and from twins.

References
----------
T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under active
attack, Theorem 3; R. Trujillo-Rasua and I. G. Yero, k-metric antidimension: a privacy measure for social graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.partition import refine
from incrowd.kernels.networks.scan import smallest_beside
from incrowd.networks.solve.distances import class_sizes, classes_beside, classes_left, distance_matrix, never, scans

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32
    from incrowd.progress import Watch

PAIR_LIMIT = 12_000  # nodes: 288 MB of distances
SQUARES = 200_000_000  # summed squared degrees up to which common neighbours are counted first
PIECE, WALK = 10_000_000, 32  # walks of two edges between two looks at the watch, and bytes of each at most


@dataclass(slots=True)
class Least:
    """Bounds on the least measure of at most l nodes. `members`: (s,) int32, a set of measure `upper`, s <= l."""

    lower: int
    upper: int
    members: Int32
    method: str


def least_measure(graph: Graph, attackers: int, twins_of: NDArray[np.int64] | None, watch: Watch) -> Least:
    """Find the least measure over the sets of 1..`attackers` nodes, not everything.

    `attackers` is l, from 1 to n - 1. `twins_of`, (n,), is the size of every node's twin class: a class keeps all twins
    that are not attackers. l = 1: at worst n searches in n / 64 bit-parallel ones. l = 2: O(n^3).
    l = 3: O(n^4). All of them end at a measure of 1, which nearly every sparse network has at l = 1.
    """
    floor = 1
    if twins_of is not None:
        floor = max(1, int(twins_of.min()) - attackers)
    best, complete = _one(graph, floor, watch)
    if best.upper <= floor:
        return Least(best.upper, best.upper, best.members, best.method)
    done = 1 if complete else 0
    if attackers >= 2 and complete and graph.nodes > 2:
        squares = int((graph.degrees**2).sum())
        worth = squares <= SQUARES or graph.nodes > PAIR_LIMIT  # else looking at all pairs is as quick
        pair = _pair(graph, watch) if floor == 1 and worth else None
        if pair is not None:
            return Least(1, 1, np.sort(np.array(pair, np.int32)), "a pair with one common neighbour")
        if graph.nodes <= PAIR_LIMIT:
            done = _groups(graph, attackers, floor, best, watch)
    if done >= attackers or best.upper <= floor:
        best.lower = best.upper
        return best
    _greedy(graph, attackers, best, watch)
    best.lower = best.upper if best.upper <= floor else floor
    return best


def _pair(graph: Graph, watch: Watch) -> tuple[int, int] | None:
    """Return two nodes with one common neighbour, if there is time and memory to find them."""
    piece = watch.within_memory(PIECE, WALK)
    return one_common_neighbour(graph, lambda: watch.stopped, piece) if piece >= PIECE // 100 else None


def one_common_neighbour(
    graph: Graph, stopped: Callable[[], bool] = never, piece: int | None = None
) -> tuple[int, int] | None:
    """Find two nodes with exactly one common neighbour: together they single it out.

    `stopped` is asked after every piece, and true ends the search; `piece` is how many walks of two edges are taken at
    a time, 10 million by default. None is returned where there is no such pair, or the search was ended before one was
    found. O(sum of squared degrees) time; the rows of the product that are held at a time take some 250 MB at most, or
    those of one node.
    """
    piece = piece or PIECE
    matrix = graph.matrix().astype(np.int32)
    walks = np.cumsum(matrix @ graph.degrees)  # of two edges, from the first node up to each
    at = 0
    while at < graph.nodes and not stopped():
        before = int(walks[at - 1]) if at else 0
        end = max(int(np.searchsorted(walks, before + piece, side="right")), at + 1)
        rows = (matrix[at:end] @ matrix).tocoo()
        hit = np.flatnonzero((rows.data == 1) & (rows.row + at != rows.col))
        if hit.size:
            return int(rows.row[hit[0]]) + at, int(rows.col[hit[0]])
        at = end
    return None


def _one(graph: Graph, floor: int, watch: Watch) -> tuple[Least, bool]:
    """Least measure of one node; whether all were looked at."""
    order = np.argsort(-graph.degrees, kind="stable").astype(np.int32)
    best = Least(floor, graph.nodes, order[:1], "every single node")
    for batch, mu, _ in scans(graph, order):
        least = int(mu.argmin())
        if mu[least] < best.upper:
            best.upper, best.members = int(mu[least]), batch[[least]]
        if best.upper <= floor or watch.stopped:
            return best, best.upper <= floor or batch[-1] == order[-1]
    return best, True


def _groups(graph: Graph, attackers: int, floor: int, best: Least, watch: Watch) -> int:
    """Improve `best` over all pairs, and triples; the largest size completed."""
    n = graph.nodes
    distances = distance_matrix(graph, lambda: watch.stopped) if watch.within_memory(1, 3 * n**2) else None
    if distances is None:
        return 1
    span = int(distances.max()) + 2
    for size, name in ((2, "every pair"), (3, "every triple")):
        if size > min(attackers, n - 1):
            break
        for others in combinations(range(n - 1), size - 1):
            if watch.stopped:
                return size - 1
            label = np.zeros(n, np.int32)
            label[list(others)] = -1
            for x in others:
                refine(label, distances[x])
            least, last = smallest_beside(distances, label, span, others[-1] + 1, floor)
            if least < best.upper:
                best.upper, best.members, best.method = int(least), np.array([*others, last], np.int32), name
                if best.upper <= floor:
                    return attackers
        best.method = name
    return min(attackers, 3) if n > 3 else attackers


def _greedy(graph: Graph, attackers: int, best: Least, watch: Watch) -> None:
    """Add, one by one, a node that makes the smallest class smallest; candidates of the smallest classes' kind."""
    rng = np.random.default_rng(0)
    members = list(best.members)
    label, _ = classes_left(graph, best.members)
    while len(members) < attackers and len(members) < graph.nodes - 1 and best.upper > 1 and not watch.stopped:
        found: tuple[int, int] | None = None
        for x in rng.permutation(np.flatnonzero(label >= 0))[:256].tolist():
            sizes = class_sizes(classes_beside(graph, label, x))
            least = int(sizes[sizes > 0].min())  # the class of `x` alone may be empty now
            if found is None or least < found[0]:
                found = (least, x)
            if least == 1 or watch.stopped:
                break
        if found is None:
            break
        members.append(np.int32(found[1]))
        label = classes_beside(graph, label, found[1])
        if found[0] < best.upper:
            best.upper, best.members, best.method = found[0], np.sort(np.array(members, np.int32)), "greedy attackers"
