"""Measures of a network by definition: all sets of nodes, vectors of distances, closed forms of families of graphs.

A graph is its number of nodes n and a list of pairs of 0..n-1. The *measure* of a set of nodes is the size of its
smallest class: nodes outside are in one class where every node of the set sees them at the same distance, infinity
included. The closed forms are those proved in `docs/papers/privacy-measures.md`.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from itertools import combinations

Near = list[list[int]]
Edges = list[tuple[int, int]]


def near_of(n: int, edges: Edges) -> Near:
    """The neighbours of every node; loops, repetitions and directions are dropped."""
    near: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        if a != b:
            near[a].add(b)
            near[b].add(a)
    return [sorted(row) for row in near]


def distances(near: Near) -> list[list[float]]:
    """All distances, by one queue a node; infinity between components."""
    return [distances_from(near, s) for s in range(len(near))]


def distances_from(near: Near, source: int) -> list[float]:
    row = [math.inf] * len(near)
    row[source] = 0
    queue = deque([source])
    while queue:
        x = queue.popleft()
        for y in near[x]:
            if row[y] == math.inf:
                row[y] = row[x] + 1
                queue.append(y)
    return row


def classes(near: Near, members, dist=None) -> list[list[int]]:
    """The nodes outside a set, grouped by their vectors of distances, by first node."""
    members = sorted(set(members))
    rows = [dist[s] if dist else distances_from(near, s) for s in members]
    groups: dict[tuple, list[int]] = {}
    for x in range(len(near)):
        if x not in set(members):
            groups.setdefault(tuple(row[x] for row in rows), []).append(x)
    return list(groups.values())


def measure(near: Near, members, dist=None) -> int:
    return min(len(group) for group in classes(near, members, dist))


def singled_out(near: Near, members, dist=None) -> int:
    """How many nodes are alone in their class."""
    return sum(len(group) == 1 for group in classes(near, members, dist))


def measures(near: Near) -> dict[tuple[int, ...], int]:
    """The measure of every set of nodes, but for none and all."""
    dist, n = distances(near), len(near)
    return {s: measure(near, s, dist) for size in range(1, n) for s in combinations(range(n), size)}


def exactly(of_sets: dict[tuple[int, ...], int]) -> dict[int, int]:
    """The size of a smallest set of measure exactly k, for every k that has one."""
    found: dict[int, int] = {}
    for members, k in of_sets.items():
        found[k] = min(found.get(k, len(members)), len(members))
    return found


def at_least(of_sets: dict[tuple[int, ...], int]) -> dict[int, int]:
    """The size of a smallest set of measure k or more, for every k up to the antidimension."""
    sizes = exactly(of_sets)
    return {k: min(size for j, size in sizes.items() if j >= k) for k in range(1, max(sizes) + 1)}


def least(of_sets: dict[tuple[int, ...], int], attackers: int) -> int:
    """The least measure of up to so many attackers: the k of the (k, l)-anonymity."""
    return min(k for members, k in of_sets.items() if len(members) <= attackers)


def chains(near: Near) -> dict[int, int]:
    """The sizes of `at_least` in polynomial time: Algorithm II from every node, every step of every chain written down.

    The chain from a node that lies in a smallest set of measure k or more passes through such a set, for what it takes
    up lies in every one of them.
    """
    dist, n = distances(near), len(near)
    best: dict[int, int] = {}
    for start in range(n):
        label, taken, fresh = [0] * n, {start}, {start}
        while len(taken) < n:
            for s in sorted(fresh):
                names: dict[tuple, int] = {}
                label = [names.setdefault((label[x], dist[s][x]), len(names)) for x in range(n)]
            count = Counter(label[x] for x in range(n) if x not in taken)
            smallest = min(count.values())
            for k in range(1, smallest + 1):
                best[k] = min(best.get(k, n), len(taken))
            fresh = {x for x in range(n) if x not in taken and count[label[x]] == smallest}
            taken |= fresh
    return best


def components(near: Near) -> list[list[int]]:
    """The connected components, by falling size, then by first node."""
    seen: set[int] = set()
    parts = []
    for v in range(len(near)):
        if v not in seen:
            part = [x for x, d in enumerate(distances_from(near, v)) if d < math.inf]
            seen |= set(part)
            parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def diameter(near: Near) -> int:
    """The largest distance that is not infinite."""
    return int(max(d for row in distances(near) for d in row if d < math.inf))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """95 % interval of a share: the shares p with |successes/trials - p| <= z sqrt(p (1 - p) / trials)."""
    z2 = 1.959963984540054**2
    share, middle = successes / trials, (successes + z2 / 2) / (trials + z2)
    half = math.sqrt(z2 * (share * (1 - share) * trials + z2 / 4)) / (trials + z2)
    return middle - half, middle + half


# ------------------------------------------------------------- closed forms of `at_least`, by family


def path(n: int) -> dict[int, int]:
    return {1: 1, 2: 1} if n % 2 and n > 1 else {1: 1}


def cycle(n: int) -> dict[int, int]:
    """Section "Cycles"."""
    return {1: 1, 2: 1 if n % 2 else 2}


def grid(a: int, b: int) -> dict[int, int]:
    """Section "Grids", sides of 2 or more."""
    return [{1: 1, 2: 2}, {1: 1, 2: 1}, dict.fromkeys((1, 2, 3, 4), 1)][a % 2 + b % 2]


def complete(n: int) -> dict[int, int]:
    """One attacker leaves one class of n - 1."""
    return dict.fromkeys(range(1, n), 1)


def star(leaves: int) -> dict[int, int]:
    """The hub sees all leaves at one distance."""
    return dict.fromkeys(range(1, leaves + 1), 1)


def multipartite(sizes: list[int]) -> dict[int, int]:
    """Section "Complete multipartite graphs", M2 and M3."""
    n, smallest = sum(sizes), min(sizes)
    single = max(n - 1 if size == 1 else min(size - 1, n - size) for size in sizes)
    return {k: 1 if k <= single else smallest for k in range(1, max(single, n - smallest) + 1)}


def tree(near: Near) -> dict[int, int]:
    """Section "Trees", T3 to T5: the closure of the middle of a longest path, from the root down."""
    n, dist = len(near), distances(near)
    single = max(min(Counter(d for d in row if d).values()) for row in dist)
    ends = max(((u, v) for u in range(n) for v in range(n)), key=lambda pair: dist[pair[0]][pair[1]])
    length = dist[ends[0]][ends[1]]
    centre = next(v for v in range(n) if [dist[v][u] for u in ends] == [length // 2, length - length // 2])
    depth = dist[centre]
    children = [[w for w in near[v] if depth[w] > depth[v]] for v in range(n)]
    branch: list[set[int]] = [set() for _ in range(n)]
    for v in sorted(range(n), key=lambda v: -depth[v]):
        branch[v] = {v}.union(*(branch[w] for w in children[v]))
    height = [max(depth[x] for x in branch[v]) - depth[v] + 1 for v in range(n)]

    def stays(v: int, k: int) -> float:
        """The largest height at or below which all branches of a node together have k nodes in each layer."""
        for most in sorted({height[w] for w in children[v]}, reverse=True):
            outside = Counter(depth[x] - depth[v] for w in children[v] if height[w] <= most for x in branch[w])
            if all(outside[j] >= k for j in range(1, int(most) + 1)):
                return most
        return 0

    found = dict.fromkeys(range(1, single + 1), 1)
    for k in range(single + 1, n):
        members, waiting = {centre}, [centre]
        while waiting:
            v = waiting.pop()
            taken = [w for w in children[v] if height[w] > stays(v, k)]
            members.update(taken)
            waiting += taken
        if len(members) == n:
            break
        found[k] = len(members)
    return found


def cograph(near: Near) -> dict[int, int]:
    """Section "Cographs", C2 and C4: what lies beside the path from each node to the root of the cotree."""
    n = len(near)
    single = max(min(len(x), n - 1 - len(x)) if len(x) < n - 1 else n - 1 for x in near)
    found = dict.fromkeys(range(1, single + 1), 1)
    beside = [_beside(near, v) for v in range(n)]
    for k in range(single + 1, n):
        left = max(sum(size for size in sizes if size >= k) for both in beside for sizes in both)
        if left:
            found[k] = n - left
    return found


def _beside(near: Near, v: int) -> tuple[list[int], list[int]]:
    """The sizes of what is joined to a node, and of what is not, from the root of the cotree down."""
    inside, joined = set(range(len(near))), True
    sizes: tuple[list[int], list[int]] = ([], [])
    while len(inside) > 1:
        part, waiting = {v}, [v]
        while waiting:  # the part of the graph, or of its complement, that holds the node
            x = waiting.pop()
            more = {y for y in inside - part if (y in near[x]) != joined}
            part |= more
            waiting += more
        sizes[0 if joined else 1].append(len(inside) - len(part))
        inside, joined = part, not joined
    return sizes
