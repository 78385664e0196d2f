"""What attackers learn: alone, in random groups, and as a greedy group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.distances import class_sizes, classes_beside, classes_left, scans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32, Int64
    from incrowd.progress import Watch


CANDIDATES = 256


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
    measures, singled = [], []
    for _, mu, singles in scans(graph, nodes):
        measures.append(mu)
        singled.append(singles)
        if watch.stopped:
            break
    measure, singles = np.concatenate(measures), np.concatenate(singled)
    order = np.argsort(nodes[: measure.size])
    return Alone(nodes[order], measure[order], singles[order])


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
        label, whole = classes_left(graph, group, lambda: watch.stopped)
        if shares and not whole:
            break
        share = _singled_out(label) / (graph.nodes - attackers)
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
    for _ in range(attackers):
        hubs = np.argsort(-graph.degrees, kind="stable")[: CANDIDATES // 4]
        others = np.flatnonzero(label >= 0)
        drawn = rng.permutation(others)[: CANDIDATES // 4] if n > CANDIDATES else others
        pool = np.setdiff1d(np.concatenate([strong, hubs, drawn]), np.array(members, np.int64))
        best = -1
        for candidate in pool.tolist():
            gain = _singled_out(classes_beside(graph, label, candidate))
            if gain > best:
                best, chosen = gain, candidate
            if watch.stopped:
                break
        members.append(chosen)
        label = classes_beside(graph, label, chosen)
        if watch.stopped:
            break
    share = _singled_out(label) / (n - len(members))
    return Groups(np.array([share]), np.sort(np.array(members, np.int32)))


def _singled_out(label: Int32) -> int:
    """Count the nodes that are alone in their class."""
    return int((class_sizes(label) == 1).sum())


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
    from scipy.stats import binomtest

    low, high = binomtest(successes, trials).proportion_ci(0.95, "wilson")
    return float(low), float(high)
