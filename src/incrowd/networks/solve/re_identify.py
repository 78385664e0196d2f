"""What attackers learn: alone, in random groups, and as a greedy group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs
from incrowd.kernels.networks.partition import count_classes, single_classes, split_by
from incrowd.kernels.networks.scan import scan, scan_buffers
from incrowd.networks.solve.distances import classes_left

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32, Int64
    from incrowd.progress import Watch


BATCH = 64
CANDIDATES = 256
TABLE, FEW = 16, 1 << 16  # entries of a table of classes and distances: so many for each node, or a few


@dataclass(slots=True)
class Alone:
    """What single nodes learn.

    `examined`: (s,) int32, the nodes looked at, sorted. `measure`: (s,) int64, mu of each of them alone. `singles`:
    (s,) int64, members that each of them singles out.
    """

    examined: Int32
    measure: Int64
    singles: Int64


@dataclass(slots=True)
class Groups:
    """What groups of attackers learn.

    `shares`: (g,) float64, share of the other members whom each group singles out, from 0 to 1. `members`: (a,) int32,
    the group with the largest share, sorted.
    """

    shares: NDArray[np.float64]
    members: Int32


def alone(graph: Graph, sample: int, watch: Watch, seed: int) -> Alone:
    """Find the measure of single nodes, and how many members each singles out.

    `sample` nodes are examined, drawn by `seed`; all, if there are no more. The watch is asked after every 64 nodes;
    stopped, the nodes examined so far are returned. One bit-parallel search for every 64 nodes, of about the cost of
    two plain ones.
    """
    rng = np.random.default_rng(seed)
    n = graph.nodes
    nodes = np.arange(n, dtype=np.int32) if n <= sample else rng.permutation(n)[:sample].astype(np.int32)
    buffers, layers = scan_buffers(n), np.empty((BATCH, 0), np.int32)
    measure, singles = np.zeros(nodes.size, np.int64), np.zeros(nodes.size, np.int64)
    pointer = np.empty(BATCH, np.int64)
    done = 0
    for at in range(0, nodes.size, BATCH):
        batch = nodes[at : at + BATCH]
        span = slice(at, at + batch.size)
        scan(graph.indptr, graph.indices, batch, -1, buffers, measure[span], pointer, singles[span], layers)
        done = at + batch.size
        if watch.stopped:
            break
    order = np.argsort(nodes[:done])
    return Alone(nodes[:done][order], measure[:done][order], singles[:done][order])


def random_groups(graph: Graph, attackers: int, groups: int, watch: Watch, seed: int) -> Groups:
    """Find the shares of the members singled out by groups drawn uniformly; exact for every group drawn.

    There are `attackers` nodes in a group, from 1 to n - 1, and `groups` groups to draw, from 1. The watch is asked
    after every attacker; stopped, the groups drawn so far are returned. A first group that was cut short counts with
    the members whom it is known to single out. O(attackers (n + m)) time a group.
    """
    rng = np.random.default_rng(seed)
    shares: list[float] = []
    worst, members = -1.0, np.zeros(0, np.int32)
    for _ in range(groups):
        group = np.sort(rng.choice(graph.nodes, attackers, replace=False)).astype(np.int32)
        label, classes, whole = classes_left(graph, group, lambda: watch.stopped)
        if shares and not whole:
            break
        share = int((count_classes(label, classes) == 1).sum()) / (graph.nodes - attackers)
        shares.append(share)
        if share > worst:
            worst, members = share, group
        if watch.stopped:
            break
    return Groups(np.array(shares), members)


def greedy_group(graph: Graph, attackers: int, first: Alone, watch: Watch, seed: int) -> Groups:
    """Grow a group by the node that singles out most members in addition, among up to 256 candidates a step.

    Candidates are the best alone, nodes of high degree, and random ones; a step costs one search a candidate. `first`
    is what single nodes learn, and the best of them are candidates. The group gets `attackers` nodes, from 1 to n - 1,
    and the result has one share. The watch is asked after every candidate; stopped, the group is left as large as it
    is.
    """
    n = graph.nodes
    rng = np.random.default_rng(seed)
    strong = first.examined[np.argsort(-first.singles, kind="stable")][: CANDIDATES // 2]
    members: list[int] = []
    label = np.zeros(n, np.int32)
    classes = 1
    dist, queue, other = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    touched, counts = np.empty(n, np.int64), np.zeros(n, np.int32)
    for _ in range(attackers):
        hubs = np.argsort(-graph.degrees, kind="stable")[: CANDIDATES // 4]
        drawn = rng.permutation(n)[: CANDIDATES // 4] if n > CANDIDATES else np.arange(n)
        pool = np.setdiff1d(np.concatenate([strong, hubs, drawn]), np.array(members, np.int64))
        gains = np.full(pool.size, -1, np.int64)
        table = np.zeros(0, np.int32)
        for i, candidate in enumerate(pool):
            reached = bfs(graph.indptr, graph.indices, int(candidate), dist, queue)
            span = int(dist[queue[reached - 1]]) + 2
            if classes * span > max(TABLE * n, FEW):  # far apart, and told apart: a table would be too large
                gains[i] = _singles_by_sorting(label, dist, span)
            else:
                if table.size < classes * span:
                    table = np.full(classes * span, -1, np.int32)
                gains[i] = single_classes(label, classes, dist, span, table, touched, counts)
            if watch.stopped:
                break
        chosen = int(pool[gains.argmax()])
        members.append(chosen)
        label[chosen] = -1
        classes = int(split_by(graph.indptr, graph.indices, chosen, label, classes, dist, queue, other))
        if watch.stopped:
            break
    share = int((count_classes(label, classes) == 1).sum()) / (n - len(members))
    return Groups(np.array([share]), np.sort(np.array(members, np.int32)))


def _singles_by_sorting(label: Int32, dist: Int32, span: int) -> int:
    """Return what `single_classes` does, in O(n log n) time whatever the distances."""
    keep = (label >= 0) & (dist != 0)
    key = np.sort(label[keep].astype(np.int64) * span + dist[keep] + 1)
    new = np.concatenate(([True], key[1:] != key[:-1], [True]))
    return int((new[1:] & new[:-1]).sum()) if key.size else 0


def mean_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """95 % confidence interval of a mean of values in 0..1, by Student's t; the whole range for one value."""
    from scipy.stats import t

    if values.size < 2:
        return 0.0, 1.0
    half = float(t.ppf(0.975, values.size - 1)) * float(values.std(ddof=1)) / math.sqrt(values.size)
    mean = float(values.mean())
    return max(0.0, mean - half), min(1.0, mean + half)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """95 % confidence interval of a share by Wilson's score."""
    if trials == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    p = successes / trials
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    return low, 1.0 if successes == trials else min(1.0, centre + half)
