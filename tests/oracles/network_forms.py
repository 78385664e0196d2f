"""The least attackers for every level of graphs whose form is known, as proved in `papers/privacy-measures.md`.

Each curve is a dictionary: level k to the size of the smallest set of measure at least k, for the levels that have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles import networks as plain

if TYPE_CHECKING:
    from oracles.networks import Adjacency


def cycle(n: int) -> dict[int, int]:
    """Section "Cycles"."""
    return {1: 1, 2: 1 if n % 2 else 2}


def grid(a: int, b: int) -> dict[int, int]:
    """Section "Grids", sides of 2 or more."""
    odd = a % 2 + b % 2
    return [{1: 1, 2: 2}, {1: 1, 2: 1}, dict.fromkeys((1, 2, 3, 4), 1)][odd]


def multipartite(sizes: list[int]) -> dict[int, int]:
    """Section "Complete multipartite graphs", M2 and M3."""
    n, least = sum(sizes), min(sizes)
    single = max(n - 1 if size == 1 else min(size - 1, n - size) for size in sizes)
    return {k: 1 if k <= single else least for k in range(1, max(single, n - least) + 1)}


def tree(near: Adjacency) -> dict[int, int]:
    """Section "Trees", T3 to T5: the closure of the middle of a longest path, from the root down."""
    n, dist = len(near), plain.distances(near)
    single = max(plain.mu(dist, {v}) for v in range(n))
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
            outside = [depth[x] - depth[v] for w in children[v] if height[w] <= most for x in branch[w]]
            if all(outside.count(j) >= k for j in range(1, int(most) + 1)):
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


def cograph(near: Adjacency) -> dict[int, int]:
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


def _beside(near: Adjacency, v: int) -> tuple[list[int], list[int]]:
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
