"""Network measures by definition: all subsets, dictionaries of distance vectors, no array tricks."""

from __future__ import annotations

import math
from collections import Counter, deque
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Adjacency = list[list[int]]


def adjacency(n: int, edges: Iterable[tuple[int, int]]) -> Adjacency:
    """Neighbours of every node of a simple graph."""
    near: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        if a != b:
            near[a].add(b)
            near[b].add(a)
    return [sorted(x) for x in near]


def distances(near: Adjacency) -> list[list[float]]:
    """All distances by one queue a node; infinity between components."""
    out = []
    for s in range(len(near)):
        row = [math.inf] * len(near)
        row[s] = 0
        queue = deque([s])
        while queue:
            x = queue.popleft()
            for y in near[x]:
                if row[y] == math.inf:
                    row[y] = row[x] + 1
                    queue.append(y)
        out.append(row)
    return out


def classes(dist: list[list[float]], attackers: Iterable[int]) -> list[list[int]]:
    """Nodes outside, grouped by their vectors of distances."""
    members = sorted(set(attackers))
    groups: dict[tuple[float, ...], list[int]] = {}
    for x in range(len(dist)):
        if x not in members:
            groups.setdefault(tuple(dist[s][x] for s in members), []).append(x)
    return list(groups.values())


def mu(dist: list[list[float]], attackers: Iterable[int]) -> int:
    """Size of the smallest class."""
    return min(len(g) for g in classes(dist, attackers))


def curves(near: Adjacency) -> tuple[dict[int, int], dict[int, int]]:
    """Smallest |V'| with mu >= k, and with mu = k, for every k that has one; 2^n subsets."""
    dist = distances(near)
    exactly: dict[int, int] = {}
    for size in range(1, len(near)):
        for members in combinations(range(len(near)), size):
            exactly.setdefault(mu(dist, members), size)
    top = max(exactly)
    at_least = {k: min(size for j, size in exactly.items() if j >= k) for k in range(1, top + 1)}
    return at_least, exactly


def least_measure(near: Adjacency, attackers: int) -> int:
    """Minimum of mu over 1 <= |V'| <= attackers, V' not everything."""
    dist = distances(near)
    n = len(near)
    return min(mu(dist, s) for r in range(1, min(attackers, n - 1) + 1) for s in combinations(range(n), r))


def chain_curve(near: Adjacency) -> dict[int, int]:
    """The whole curve by literal Algorithm II from every node, recording every step of every chain."""
    dist = distances(near)
    n = len(near)
    best: dict[int, int] = {}
    for v in range(n):
        members = {v}
        while len(members) < n:
            groups = classes(dist, members)
            smallest = min(len(g) for g in groups)
            for k in range(1, smallest + 1):
                best[k] = min(best.get(k, n), len(members))
            for g in groups:
                if len(g) == smallest:
                    members.update(g)
    return best


def singled_out(dist: list[list[float]], attackers: Iterable[int]) -> int:
    """Nodes alone in their class."""
    return sum(len(g) == 1 for g in classes(dist, attackers))


def twin_sizes(near: Adjacency) -> Counter[int]:
    """How many twin classes have how many nodes."""
    n = len(near)
    left = set(range(n))
    sizes: Counter[int] = Counter()
    while left:
        v = left.pop()
        same = {w for w in left if set(near[v]) - {w} == set(near[w]) - {v}}
        left -= same
        sizes[len(same) + 1] += 1
    return sizes
