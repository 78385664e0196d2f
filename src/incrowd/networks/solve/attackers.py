"""(k, l)-anonymity: the least measure that an attacker with at most l nodes can reach.

One node: every node is searched, by falling degree, until one singles somebody out. Two: also every pair with
exactly one common neighbour singles it out (a generalization of Theorem 3(c)); else all pairs, on layers as bit
sets. Three: all triples on a distance matrix. More: an interval, from a greedy attacker and from twins.

References
----------
T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under active
attack, Theorem 3; R. Trujillo-Rasua and I. G. Yero, k-metric antidimension: a privacy measure for social graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.partition import count_classes, split_by
from incrowd.kernels.networks.scan import layer_bits, pairs_from, scan, scan_buffers, triples_from
from incrowd.networks.solve.distances import classes_left, distance_matrix, never

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32
    from incrowd.progress import Watch

PAIR_LIMIT = 12_000  # nodes: 288 MB of distances
SQUARES = 200_000_000  # summed squared degrees up to which common neighbours are counted first
PIECE, WALK = 10_000_000, 32  # walks of two edges between two looks at the watch, and bytes of each at most
BITS = 1 << 31  # bytes of layers as bit sets, above which pairs are not tried
BATCH = 64


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
    that are not attackers. l = 1: at worst n searches in n / 64 bit-parallel ones. l = 2: O(n^3 d^2 / 64) for d layers.
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
            done = _pairs_and_triples(graph, attackers, floor, best, watch)
    if done >= attackers or best.upper <= floor:
        best.lower = best.upper
        return best
    _greedy(graph, attackers, best, watch)
    best.lower = best.upper if best.upper <= floor else floor
    return best


def _pair(graph: Graph, watch: Watch) -> tuple[int, int] | None:
    """Return two nodes with one common neighbour, if there is time and memory to find them."""
    piece = watch.affordable(PIECE, WALK)
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
    buffers, layers = scan_buffers(graph.nodes), np.empty((BATCH, 0), np.int32)
    mu, pointer, singles = (np.empty(BATCH, np.int64) for _ in range(3))
    best = Least(floor, graph.nodes, order[:1], "every single node")
    for at in range(0, order.size, BATCH):
        batch = order[at : at + BATCH]
        scan(graph.indptr, graph.indices, batch, -1, buffers, mu, pointer, singles, layers)
        least = int(mu[: batch.size].argmin())
        if mu[least] < best.upper:
            best.upper, best.members = int(mu[least]), batch[[least]]
        if best.upper <= floor or watch.stopped:
            break
    else:
        return best, True
    return best, best.upper <= floor


def _layers(graph: Graph, watch: Watch) -> tuple[NDArray[np.int16], int] | None:
    """Layer numbers 1..layers of every node from every node, infinity last; None for lack of time or memory."""
    if watch.affordable(1, 3 * graph.nodes**2) < 1:
        return None
    distances = distance_matrix(graph, lambda: watch.stopped)
    if distances is None:
        return None
    layers = int(distances.max())
    if (distances < 0).any():
        layers += 1
        distances[distances < 0] = layers
    return distances, layers


def _pairs_and_triples(graph: Graph, attackers: int, floor: int, best: Least, watch: Watch) -> int:
    """Improve `best` over all pairs, and triples; the largest size completed."""
    found = _layers(graph, watch)
    n = graph.nodes
    if found is None or n * found[1] * n // 8 > watch.affordable(BITS, 1):
        return 1
    distances, layers = found
    bits, sizes = layer_bits(distances, layers)
    for u in range(n - 1):
        if watch.stopped:
            return 1
        least, v = pairs_from(distances, bits, sizes, u, u + 1, floor)
        if least < best.upper:
            best.upper, best.members, best.method = int(least), np.array([u, v], np.int32), "every pair"
            if best.upper <= floor:
                return attackers
    best.method = "every pair"
    if attackers == 2 or n <= 3:
        return 2
    for u in range(n - 2):
        for v in range(u + 1, n - 1):
            if watch.stopped:
                return 2
            least, w = triples_from(distances, layers, u, v, floor)
            if least < best.upper:
                best.upper, best.members = int(least), np.array([u, v, w], np.int32)
                if best.upper <= floor:
                    best.method = "every triple"
                    return attackers
    best.method = "every triple"
    return 3


def _greedy(graph: Graph, attackers: int, best: Least, watch: Watch) -> None:
    """Add, one by one, a node that makes the smallest class smallest; candidates of the smallest classes' kind."""
    rng = np.random.default_rng(0)
    members = list(best.members)
    indptr, indices, n = graph.indptr, graph.indices, graph.nodes
    label, classes, _ = classes_left(graph, best.members)
    work = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    while len(members) < attackers and len(members) < graph.nodes - 1 and best.upper > 1 and not watch.stopped:
        rest = np.flatnonzero(label >= 0)
        found: tuple[int, int] | None = None
        for x in rng.permutation(rest)[:256]:
            split = label.copy()
            split[x] = -1
            sizes = count_classes(split, split_by(indptr, indices, int(x), split, classes, *work))
            least = int(sizes[sizes > 0].min())  # the class of `x` alone may be empty now
            if found is None or least < found[0]:
                found = (least, int(x))
            if least == 1 or watch.stopped:
                break
        if found is None:
            break
        members.append(np.int32(found[1]))
        label[found[1]] = -1
        classes = int(split_by(indptr, indices, found[1], label, classes, *work))
        if found[0] < best.upper:
            best.upper, best.members, best.method = found[0], np.sort(np.array(members, np.int32)), "greedy attackers"


# Few attackers who single somebody out: the case k = 1.
#
# Algorithm V guesses a member v to single out and covers all others by the attackers that tell them from v; Theorem
# 3(b) and 3(c) are the cases with a short answer.
#
# References
# ----------
# T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under active
# attack, Theorem 3. D. S. Johnson, Approximation algorithms for combinatorial problems, 1974.
def algorithm_v(distances: np.ndarray, *, watch: Watch | None = None) -> list[int] | None:
    """Algorithm V: a set of measure 1 with at most 1 + ln(n - 1) times the least number of attackers.

    For every v the elements are the other nodes; attacker u != v covers itself and all w with d(u, w) != d(u, v). The
    greedy cover takes, again and again, the attacker that covers most of what is left. The watch is asked after every
    attacker chosen; stopped, the least cover so far is returned. The members are sorted, and None is returned where the
    watch said stop before there was a cover. `distances` is (n, n) integers. O(n^3 s) time for answers of s nodes,
    O(n^2) memory: meant for up to about a thousand nodes. Measured on n - 1 elements the greedy cover is within H(n -
    1) <= 1 + ln(n - 1) of the least cover, and the least cover over the right v is an optimal set.
    """
    n = distances.shape[0]
    best: list[int] | None = None
    for v in range(n):
        covers = distances != distances[:, [v]]  # covers[u, w]
        np.fill_diagonal(covers, True)
        covers[v, :] = False
        left = np.ones(n, np.bool_)
        left[v] = False
        chosen: list[int] = []
        while left.any() and (best is None or len(chosen) + 1 < len(best)):
            if watch is not None and watch.stopped:
                return None if best is None else sorted(best)
            u = int(covers[:, left].sum(axis=1).argmax())
            chosen.append(u)
            left &= ~covers[u]
        if not left.any() and (best is None or len(chosen) < len(best)):
            best = chosen
    assert best is not None  # every u covers itself
    return sorted(best)


def theorem_3b(graph: Graph) -> list[int] | None:
    """Find a leaf, which singles out its only neighbour: Theorem 3(b).

    One node of degree 1 is returned; None where there is none. O(n) time.
    """
    leaves = np.flatnonzero(graph.degrees == 1)
    return [int(leaves[0])] if leaves.size and graph.nodes > 1 else None


def theorem_3c(graph: Graph) -> list[int] | None:
    """Find two nodes with exactly one common neighbour, which single it out: Theorem 3(c), more generally.

    The two are sorted; None is returned where there is no such pair. The paper asks that no cycle has four edges; it is
    enough that one pair has one common neighbour. O(sum of squared degrees).
    """
    pair = one_common_neighbour(graph)
    return None if pair is None else sorted(pair)
