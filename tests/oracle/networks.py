"""Measures of a network by definition: all sets of nodes, vectors of distances, closed forms of families of graphs.

A graph is its number of nodes n and a list of pairs of 0..n-1. The *measure* of a set of nodes is the size of its
smallest class: nodes outside are in one class where every node of the set sees them at the same distance, infinity
included. The closed forms are proved here; F_k (the sets of measure k or more), cl_k(v) (the least of them with v in it), L(k) (the
least size) and L1 to L5 are those of `docs/papers/privacy-measures.md`.
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
    """The curve of a cycle.

    Around an odd cycle each layer of a node has two nodes: L(1) = L(2) = 1. Around an even one each layer but the last, which has one, so
    measure 1; two opposite nodes leave layers of two: L(1) = 1, L(2) = 2. No node has three neighbours, so k <= 2. Exactly 1 takes 1 in an
    even cycle, 2 in an odd one (two nodes with one between them); exactly 2 takes 2 and 1.
    """
    return {1: 1, 2: 1 if n % 2 else 2}


def grid(a: int, b: int) -> dict[int, int]:
    """The curve of a grid, sides of 2 or more.

    G is the grid of a times b nodes, a, b >= 2, d((x, y), (x', y')) = |x - x'| + |y - y'|.

    - **G1.** For k >= 3, V' is in F_k only if a and b are odd, V' is the centre, and k <= 4. *Proof.* Let V' be in F_k with k >= 3 and u in V'. The nodes
      farthest from u are corners, one in each direction that is no tie: 4 if u is the middle of both sides, 2 if of one, else 1. If u is not the
      centre, they are a class of fewer than 3 and in V': so is a corner, say (0, 0). Its neighbours (1, 0) and (0, 1) are a class of two, and in
      V' too. Then for every t the node (t, 0) is alone at distance t from (0, 0) and t + 1 from (0, 1) (for t >= 1, the others at distance t
      from (0, 0) have y >= 1 and distance t - 1): the side y = 0 is in V'. Let (x, y) be any node. From
      (0, 0) it is at x + y, and from (a - 1, 0) at a - 1 - x + y: no other node is at both. So V' is everything. Hence no u in V' but
      the centre, a and b odd; its neighbours are a class of 4.
    - **G2.** If a and b are odd, the centre has measure 4. *Proof.* Its layer 1 has 4 nodes. A layer t >= 2 with a node off both axes has its four
      mirror images; one with a node (t, 0) on an axis also has (t - 1, +-1), off both, as b >= 3.
    - **G3.** If a is odd, every node v in the middle of that side has measure 2 or more: each layer has a node off the axis, and its mirror image (the farthest
      have, and a node (0, t) on the axis has (1, t - 1) in its layer). If v is off the middle of the other side, two corners are farthest:
      measure 2.
    - **G4.** If a and b are even, one corner alone is farthest from each node, so k1 = 1, and a V' in F_2 holds two opposite corners (the one
      farthest from a member, and the one farthest from that). These two have the diagonals x + y = 1, ..., a + b - 3 for classes, of 2 and more
      nodes, the first of exactly 2.
    - So L(k) = 1 for k <= 4 if both sides are odd; 1 for k <= 2 if one is; 1, 2 for k = 1, 2 if none is; no set above. Exactly k: a corner
      sees the opposite one alone, k = 1 takes 1; k = 2 takes 1 if a side is odd (G3), else 2 (G4); k = 3 none (G1, G2); k = 4 takes the centre, if both are
      odd. Paths are trees.
    """
    return [{1: 1, 2: 2}, {1: 1, 2: 1}, dict.fromkeys((1, 2, 3, 4), 1)][a % 2 + b % 2]


def complete(n: int) -> dict[int, int]:
    """One attacker leaves one class of n - 1."""
    return dict.fromkeys(range(1, n), 1)


def star(leaves: int) -> dict[int, int]:
    """The hub sees all leaves at one distance."""
    return dict.fromkeys(range(1, leaves + 1), 1)


def multipartite(sizes: list[int]) -> dict[int, int]:
    """M2 and M3 below.

    G has r >= 2 parts of a_1 <= ... <= a_r nodes, n in all; two nodes are at distance 2 in one part, else at distance 1. Complete graphs
    and stars are among them. V' has b_i nodes in part i and touches the parts T with b_i > 0, T not empty.

    - **M1.** The classes of V' are the a_i - b_i nodes left of each part in T, and all nodes of the parts outside T together. *Proof.* A node of
      part i is at distance 2 from the b_i members of its part and at distance 1 from the others.
    - **M2 (one node).** A node of part i has measure n - 1 if a_i = 1, else min(a_i - 1, n - a_i). (M1.)
    - **M3 (curve).** L(k) = 1 for k <= k1, the largest of these; L(k) = a_1 for k1 < k <= n - a_1; beyond, there is no set. *Proof.*
      Part 1 as V' leaves one class of n - a_1. Let V' be in F_k, k > k1. If V' leaves a part untouched, the untouched parts have k or more nodes,
      and so n - a_i >= k for every i in T; a part in T of which something is left would have a_i - 1 >= k, and one node of it measure
      k or more. So V' holds a whole part: |V'| >= a_1, and k <= n - |V'| <= n - a_1. If V' touches every part, something is left of one, i, with
      a_i >= k + 1, so that n - a_i < k (else k <= k1): the other parts have fewer than k nodes and are wholly in V', and |V'| >= n - a_i + 1 >
      a_1. Also k < a_i <= n - a_1.
    """
    n, smallest = sum(sizes), min(sizes)
    single = max(n - 1 if size == 1 else min(size - 1, n - size) for size in sizes)
    return {k: 1 if k <= single else smallest for k in range(1, max(single, n - smallest) + 1)}


def tree(near: Near) -> dict[int, int]:
    """The closure of the middle of a longest path, from the root down: T3 to T5 below.

    T is a tree of n >= 2 nodes, k >= 2, V' in F_k. A *branch* of s is a component of T - s; its layer j holds its nodes at distance j
    from s, its height is the number of its layers. For a root r and v != r the branches of v other than r's are those of its children.

    - **T1.** V' induces a subtree. *Proof.* For u, w in V' and x between them, no other node y has d(u, y) = d(u, x) and
      d(w, y) = d(w, x): the sum is d(u, w), so y is on the path, at the same place. A class of one node is absorbed (L1).
    - **T2.** For x outside let s(x) be the node of V' nearest to it; by T1 every path from V' to x ends with the one from s(x). Two nodes x, y
      outside are in one class if and only if s(x) = s(y) and they are equally far from it. *Proof.* "If" is clear. Let s = s(x), t = s(y), and
      the vectors be equal: d(s, x) = d(s, t) + d(t, y) and d(t, y) = d(t, s) + d(s, x), so d(s, t) = 0.
    - **T3.** So a subtree V' other than T is in F_k if and only if, for every s in V', the branches of s outside V' together have k or more
      nodes in each layer that one of them reaches. Root T at r in V'. For v in V' let g_v(J) be the least of layers 1 to J of all children's
      branches of height at most J, and J_k(v) the largest height J of a child with g_v(J) >= k (0 if none). If H are the branches of v outside and
      J is the greatest of their heights, then g_v(J) >= k, since branches of height at most J that are not in H only add nodes; so J <= J_k(v).
      Hence V' holds every child whose branch is higher than J_k(v). Taking r, and with each node these children and no others, gives a
      set that is in F_k or is T, and that every member of F_k with r holds: it is cl_k(r). A child of height h is
      taken, once its parent is, from level 1 + max of g_v(J) over heights J >= h on.
    - **T4.** Let c be the middle node of a longest path (of length D), v != c, d = d(v, c). The branch of v with c is higher than all its
      others. *Proof.* One half of the path, of floor(D/2) or more edges from c on, does not hold v; the branch with c reaches
      d + floor(D/2) or farther. Another branch of height h makes a path of h + d + floor(D/2) <= D edges, so h <= ceil(D/2) - d <
      floor(D/2) + d.
    - **T5.** Let k1 be the largest measure of one node. For k > k1, L(k) = |cl_k(c)|, and there is no set if that is T.
      *Proof.* Let v in V', v != c. If the branch with c were outside V', then with r = v in T3 g_v of its height, the greatest, is k or more:
      all branches of v have k or more nodes in every layer, and mu({v}) >= k > k1. So V' holds the neighbour of v towards c, and so on: V'
      holds c, and with it cl_k(c).
    """
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
    """What lies beside the path from each node to the root of the cotree: C2 and C4 below.

    G is a connected cograph of n >= 2 nodes: its cotree joins and puts side by side in turns, the root joins. Distances are 1 and 2, so two nodes
    are in one class of V' if and only if they have the same neighbours in V'. Let the path from v to the root pass inner nodes Q_1, Q_2, ...;
    beside it at Q_i lies the set X_i of the nodes below Q_i and not below Q_(i-1): an A where Q_i puts side by side, a B where it
    joins. A's and B's take turns, and none is empty.

    - **C1.** v is joined to all B's and to no A; B_i to all A's below it, to no A above it, and to all other B's; A_i to all B's above it, to no B
      below it, and to no other A. (The lowest common ancestor decides.) The nodes of one portion have the same neighbours outside it.
    - **C2 (one node).** mu({v}) is the least of deg(v) and n - 1 - deg(v), the latter where it is not 0.
    - **C3 (closures).** Let k > k1, so k >= 2, and no node is joined to all others (its measure n - 1 would be k1, and no set reaches n). Then v has
      fewer than k nodes in all its B's together, or fewer than k in all its A's. If the A's have fewer than k: cl_k(v) = V without the B's that have
      k or more nodes. If the B's have: V without the A's that have k or more. *Proof.* By symmetry (the complement of G has the same
      classes), let the A's have fewer than k, at least one since v is not joined to all. They are a class of {v} and absorbed. Then each B is a class of
      its own: equal vectors inside by C1, and two B's are told apart by the A between them. B's below k are absorbed; that tells no two
      nodes of another B apart (C1), so the B's that are left are the classes of what has been taken.
    - **C4.** So for k > k1, L(k) is n less the largest, over nodes v, of the sum of v's B's of k or more nodes and of the sum of its A's of k
      or more; there is no set where that is 0. (If v's A's have fewer than k nodes, their sum adds nothing that counts, and where both have, the
      closure is V.)
    """
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
