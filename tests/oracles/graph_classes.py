"""Random graphs of the classes whose curves are known by closed forms, or hard to get right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.build import simple_csr

if TYPE_CHECKING:
    import random

Edges = list[tuple[int, int]]
Drawn = tuple[int, Edges]


def shuffled(n: int, edges: Edges, rng: random.Random) -> Drawn:
    """The same graph with its nodes renamed."""
    name = rng.sample(range(n), n)
    return n, [(name[a], name[b]) for a, b in edges]


def tree(rng: random.Random, most: int = 40) -> Drawn:
    """A tree of 2 to `most` nodes: random, deep, wide, with long legs, with hubs."""
    n, kind, w = rng.randint(2, most), rng.randrange(5), rng.randint(1, 6)
    above = [
        lambda v: rng.randrange(v),
        lambda v: max(0, v - rng.randint(1, w)),
        lambda v: (v - 1) // w,
        lambda v: v - 1 if v % w else rng.randrange(v),
        lambda v: rng.choice([0, rng.randrange(v), v - 1]),
    ][kind]
    return shuffled(n, [(above(v), v) for v in range(1, n)], rng)


def grid(a: int, b: int, rng: random.Random) -> Drawn:
    """A grid of a rows and b columns."""
    edges = [(i * b + j, i * b + j + 1) for i in range(a) for j in range(b - 1)]
    edges += [(i * b + j, i * b + b + j) for i in range(a - 1) for j in range(b)]
    return shuffled(a * b, edges, rng)


def unicyclic(rng: random.Random, most: int = 40) -> Drawn:
    """A cycle with trees: a few nodes each, a tall one, the same everywhere, hubs, or long legs of two neighbours."""
    kind = rng.randrange(6)
    length = rng.choice([4, 4, 6, 8]) if kind == 5 else rng.randint(3, max(3, rng.choice([4, 6, most // 2])))
    edges = [(v, (v + 1) % length) for v in range(length)]
    n, w = length, rng.randint(1, 4)
    if kind == 0:
        most_here = rng.randint(length, most)
        while n < most_here:
            edges.append((rng.randrange(n), n))
            n += 1
    elif kind == 1:  # leaves on all
        for v in range(length):
            for _ in range(w + (rng.random() < 0.1)):
                edges.append((v, n))
                n += 1
    elif kind == 2:  # one tall tree, leaves around
        bare = n
        while n < max(length + 1, most):
            above = rng.randrange(max(bare, n - w), n) if n > bare else 0
            edges.append((above if rng.random() < 0.8 else rng.randrange(n), n))
            n += 1
    elif kind == 3:  # a few hubs
        hubs = [rng.randrange(length) for _ in range(2)]
        while n < most:
            edges.append((rng.choice([*hubs, (hubs[0] + 1) % length, rng.randrange(n)]), n))
            n += 1
    elif kind == 5:  # thick all around, and long legs that two neighbours have
        for v in range(length):
            for _ in range(w + 2 + (rng.randrange(5) if v < 2 else 0)):
                edges.append((v, n))
                n += 1
        for v in (0, 1):
            foot = v
            for _ in range(rng.randint(0, length)):
                edges.append((foot, n))
                foot, n = n, n + 1
                if rng.random() < 0.15:
                    edges += [(foot, n + i) for i in range(w)]
                    n += w
    else:  # two adjacent hubs, thick arms
        for v in range(length):
            for _ in range(rng.choice([w, w + 1, w + 3]) + (3 if v < 2 else 0)):
                edges.append((v, n))
                n += 1
    return shuffled(n, edges, rng)


def multipartite(rng: random.Random, most: int = 24) -> tuple[list[int], Drawn]:
    """A complete multipartite graph with at least two parts, a few sizes among them: the sizes, and the graph."""
    least = rng.randint(1, 4)
    sizes = [least, max(least, rng.randint(1, most // 2))]
    while sum(sizes) < most and rng.random() < 0.7:
        sizes.append(max(least, rng.choice([*sizes, rng.randint(1, most // 3)])))
    part = [i for i, size in enumerate(sizes) for _ in range(size)]
    n = len(part)
    return sizes, shuffled(n, [(a, b) for a in range(n) for b in range(a + 1, n) if part[a] != part[b]], rng)


def cograph(rng: random.Random, most: int = 24) -> Drawn:
    """A connected cograph: twins added one after the other, or parts joined and put side by side in turns."""
    n, kind = rng.randint(2, most), rng.randrange(4)
    near = [[False] * n for _ in range(n)]
    if kind == 3:  # groups joined and put beside in turns
        at = rng.randint(1, max(1, n // 3))
        join = rng.random() < 0.5
        while at < n:
            step = rng.randint(1, max(1, n // 3))
            step, join = (step, not join) if at + step < n else (n - at, True)
            inside = rng.random() < 0.3
            for v in range(at, at + step):
                for w in range(v):
                    near[v][w] = near[w][v] = join if w < at else inside
            at += step
        if n > 1 and not any(near[0]):
            return cograph(rng, most)
    elif kind == 0:
        near[0][1] = near[1][0] = True
        for v in range(2, n):
            old = rng.randrange(v)
            near[v] = [near[old][w] for w in range(n)]
            near[v][old] = rng.random() < 0.4
            near[v][v] = False
            for w in range(n):
                near[w][v] = near[v][w]
    else:
        pile, join = [([v], False) for v in range(n)], False
        while len(pile) > 1:
            take = rng.randint(2, min(len(pile), 2 if kind == 1 else 4))
            picked = pile[:take] if kind == 1 else rng.sample(pile, take)
            join = take == len(pile) or (not join if rng.random() < 0.8 else rng.random() < 0.5)
            if join:
                for i, (one, _) in enumerate(picked):
                    for other, _ in picked[i + 1 :]:
                        for a in one:
                            for b in other:
                                near[a][b] = near[b][a] = True
            pile = [([v for some, _ in picked for v in some], join), *(x for x in pile if x not in picked)]
    return shuffled(n, [(a, b) for a in range(n) for b in range(a) if near[a][b]], rng)


def csr(n: int, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of a graph."""
    ends = np.array(edges, np.int32).reshape(-1, 2)
    indptr, indices, _ = simple_csr(ends[:, 0].copy(), ends[:, 1].copy(), n)
    return indptr, indices


def adjacency(indptr: np.ndarray, indices: np.ndarray) -> list[list[int]]:
    """Neighbours of every node."""
    return [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(indptr.size - 1)]
