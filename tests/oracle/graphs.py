"""Graphs drawn at random, of many families: a number of nodes and pairs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Edges = list[tuple[int, int]]
Drawn = tuple[int, Edges]


def gnp(n: int, p: float, rng: random.Random) -> Edges:
    return [(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < p]


def random_tree(n: int, rng: random.Random) -> Edges:
    return [(rng.randrange(v), v) for v in range(1, n)]


def attached(n: int, rng: random.Random) -> Edges:
    """Preferential attachment, two links a node."""
    edges: Edges = [(0, 1)]
    for v in range(2, n):
        edges += [(rng.choice(rng.choice(edges)), v) for _ in range(2)]
    return edges


def ring(n: int, rng: random.Random) -> Edges:
    return [(v, (v + 1) % n) for v in range(n)]


def ladder(n: int, rng: random.Random) -> Edges:
    """A grid, the last row of which may be cut."""
    wide = max(2, round(n**0.5))
    return [(v, v + 1) for v in range(n - 1) if (v + 1) % wide] + [(v, v + wide) for v in range(n - wide)]


def parted(n: int, rng: random.Random) -> Edges:
    part = [rng.randrange(3) for _ in range(n)]
    return [(a, b) for a in range(n) for b in range(a + 1, n) if part[a] != part[b]]


def star(n: int, rng: random.Random) -> Edges:
    return [(0, v) for v in range(1, n)]


def broom(n: int, rng: random.Random) -> Edges:
    return [(v, v + 1) for v in range(n // 2)] + [(n // 2, v) for v in range(n // 2 + 1, n)]


def twins(n: int, rng: random.Random) -> Edges:
    """A random graph some of whose nodes are cloned."""
    half = max(2, n // 2)
    edges = gnp(half, 0.4, rng)
    for v in range(half, n):
        old = rng.randrange(v)
        edges += [(v, b if a == old else a) for a, b in list(edges) if old in (a, b)]
        if rng.random() < 0.3:
            edges.append((old, v))
    return edges


def pendant(n: int, rng: random.Random) -> Edges:
    """A dense core with trees hanging from it."""
    core = max(3, n // 3)
    return gnp(core, 0.6, rng) + [(rng.randrange(v), v) for v in range(core, n)]


def circulant(n: int, rng: random.Random) -> Edges:
    steps = {1, rng.randrange(1, max(2, n // 2))}
    return [(v, (v + s) % n) for v in range(n) for s in steps]


def caveman(n: int, rng: random.Random) -> Edges:
    size = rng.randrange(3, 6)
    edges = [(a, b) for a in range(n) for b in range(a + 1, n) if a // size == b // size]
    return edges + [(v, v + 1) for v in range(size - 1, n - 1, size)]


def beside(n: int, rng: random.Random) -> Edges:
    """Two graphs side by side."""
    cut = rng.randrange(1, max(2, n - 1))
    left = rng.choice(CONNECTED)(cut, rng) if cut > 2 else []
    right = rng.choice(CONNECTED)(n - cut, rng) if n - cut > 2 else []
    return left + [(a + cut, b + cut) for a, b in right]


CONNECTED: list[Callable[[int, random.Random], Edges]] = [
    random_tree, attached, ring, ladder, star, broom, pendant, circulant, caveman,
    lambda n, rng: gnp(n, 0.5, rng) + random_tree(n, rng),
    lambda n, rng: gnp(n, 2.0 / n, rng) + random_tree(n, rng),
]  # fmt: skip
FAMILIES: list[Callable[[int, random.Random], Edges]] = [
    *CONNECTED, parted, twins, beside, beside, lambda n, rng: gnp(n, rng.random(), rng),
]  # fmt: skip
DENSE: list[Callable[[int, random.Random], Edges]] = [parted, parted, lambda n, rng: gnp(n, 0.75, rng)]


def draw(rng: random.Random, fewest: int, most: int, families=FAMILIES) -> Drawn:
    """A graph of one of the families: its number of nodes and its edges within them."""
    n = rng.randint(fewest, most)
    edges = rng.choice(families)(n, rng)
    return n, [(a, b) for a, b in edges if a != b and max(a, b) < n]


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
    edges = [(i * b + j, i * b + j + 1) for i in range(a) for j in range(b - 1)]
    edges += [(i * b + j, i * b + b + j) for i in range(a - 1) for j in range(b)]
    return shuffled(a * b, edges, rng)


def unicyclic(rng: random.Random, most: int = 40) -> Drawn:
    """A cycle with trees: leaves on all nodes, a tall tree, a few hubs, or long legs on two neighbours."""
    kind = rng.randrange(4)
    length = rng.choice([4, 4, 6, 8]) if kind == 3 else rng.randint(3, max(3, rng.choice([4, 6, most // 2])))
    edges = [(v, (v + 1) % length) for v in range(length)]
    n, w = length, rng.randint(1, 4)

    def leaf(above: int) -> None:
        nonlocal n
        edges.append((above, n))
        n += 1

    if kind == 0:
        for v in range(length):
            for _ in range(w + (rng.random() < 0.1) + (rng.random() < 0.2) * 3):
                leaf(v)
    elif kind == 1:
        while n < max(length + 1, most):
            leaf(rng.randrange(max(length, n - w), n) if n > length and rng.random() < 0.8 else rng.randrange(n))
    elif kind == 2:
        hubs = [rng.randrange(length) for _ in range(2)]
        while n < most:
            leaf(rng.choice([*hubs, (hubs[0] + 1) % length, rng.randrange(n)]))
    else:
        for v in range(length):
            for _ in range(w + 2 + (rng.randrange(5) if v < 2 else 0)):
                leaf(v)
        for foot in (0, 1):
            for _ in range(rng.randint(0, length)):
                leaf(foot)
                foot = n - 1
                for _ in range(w if rng.random() < 0.15 else 0):
                    leaf(foot)
    return shuffled(n, edges, rng)


def multipartite(rng: random.Random, most: int = 24) -> tuple[list[int], Drawn]:
    """A complete multipartite graph of two parts or more, with a few sizes among them: the sizes, and the graph."""
    fewest = rng.randint(1, 4)
    sizes = [fewest, max(fewest, rng.randint(1, most // 2))]
    while sum(sizes) < most and rng.random() < 0.7:
        sizes.append(max(fewest, rng.choice([*sizes, rng.randint(1, most // 3)])))
    part = [i for i, size in enumerate(sizes) for _ in range(size)]
    n = len(part)
    return sizes, shuffled(n, [(a, b) for a in range(n) for b in range(a + 1, n) if part[a] != part[b]], rng)


def cograph(rng: random.Random, most: int = 24) -> Drawn:
    """A connected cograph: graphs joined and put side by side in turns, a join at last."""
    n, many = rng.randint(2, most), rng.choice([2, 4])
    pile = [([v], []) for v in range(n)]
    while len(pile) > 1:
        take = rng.randint(2, min(len(pile), many))
        picked = rng.sample(range(len(pile)), take) if rng.random() < 0.7 else range(take)
        some = [pile[i] for i in picked]
        nodes, edges = [v for part, _ in some for v in part], [e for _, inner in some for e in inner]
        if take == len(pile) or rng.random() < 0.5:
            edges += [
                (a, b) for i, (one, _) in enumerate(some) for other, _ in some[i + 1 :] for a in one for b in other
            ]
        pile = [(nodes, edges), *(part for i, part in enumerate(pile) if i not in set(picked))]
    return shuffled(n, pile[0][1], rng)
