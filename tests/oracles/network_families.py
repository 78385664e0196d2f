"""Small graphs of many shapes, as edge lists: what the network tests draw from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Edges = list[tuple[int, int]]


def gnp(n: int, p: float, rng: random.Random) -> Edges:
    return [(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < p]


def tree(n: int, rng: random.Random) -> Edges:
    return [(rng.randrange(v), v) for v in range(1, n)]


def attached(n: int, rng: random.Random) -> Edges:
    """Preferential attachment, two links a node."""
    edges: Edges = [(0, 1)]
    for v in range(2, n):
        edges += [(rng.choice(rng.choice(edges)), v) for _ in range(2)]
    return edges


def cycle(n: int, rng: random.Random) -> Edges:
    return [(v, (v + 1) % n) for v in range(n)]


def grid(n: int, rng: random.Random) -> Edges:
    wide = max(2, round(n**0.5))
    return [(v, v + 1) for v in range(n - 1) if (v + 1) % wide] + [(v, v + wide) for v in range(n - wide)]


def multipartite(n: int, rng: random.Random) -> Edges:
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


def union(n: int, rng: random.Random) -> Edges:
    """Two graphs side by side."""
    cut = rng.randrange(1, max(2, n - 1))
    left = rng.choice(CONNECTED)(cut, rng) if cut > 2 else []
    right = rng.choice(CONNECTED)(n - cut, rng) if n - cut > 2 else []
    return left + [(a + cut, b + cut) for a, b in right]


CONNECTED: list[Callable[[int, random.Random], Edges]] = [
    tree,
    attached,
    cycle,
    grid,
    star,
    broom,
    pendant,
    circulant,
    caveman,
    lambda n, rng: gnp(n, 0.5, rng) + tree(n, rng),
    lambda n, rng: gnp(n, 2.0 / n, rng) + tree(n, rng),
]
ALL: list[Callable[[int, random.Random], Edges]] = [
    *CONNECTED,
    multipartite,
    twins,
    union,
    union,
    lambda n, rng: gnp(n, rng.random(), rng),
]


def draw(rng: random.Random, least: int, most: int) -> tuple[int, Edges]:
    """A random graph of a random family: its number of nodes and its edges within them."""
    n = rng.randint(least, most)
    edges = rng.choice(ALL)(n, rng)
    return n, [(a, b) for a, b in edges if a != b and max(a, b) < n]
