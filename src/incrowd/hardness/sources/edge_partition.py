"""Edge partition: into triangles and 4-stars, or, in a tripartite graph, into triangles alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.graphs import Graph, drawn

if TYPE_CHECKING:
    import numpy as np


def cycle(nodes: int) -> Graph:
    """Return a cycle of at least 3 nodes: no triangle (from four nodes on), no 4-star."""
    return Graph(nodes, tuple(sorted((min(v, (v + 1) % nodes), max(v, (v + 1) % nodes)) for v in range(nodes))))


def planted_parts(rng: np.random.Generator, parts: int) -> Graph:
    """Return a graph made of `parts` triangles and 4-stars that share no edge, on about as many nodes.

    There is at least one part, and the graph has ``3 * parts`` edges.
    """
    nodes = max(5, parts + 2)
    edges: set[tuple[int, int]] = set()
    tries = 0
    while len(edges) < 3 * parts:
        tries += 1
        if tries > 50 * parts:  # nothing more may fit: once more from nothing
            edges, tries = set(), 0
        if rng.integers(2):
            a, b, c = sorted(int(v) for v in rng.choice(nodes, 3, replace=False))
            new = {(a, b), (a, c), (b, c)}
        else:
            centre, *leaves = (int(v) for v in rng.choice(nodes, 4, replace=False))
            new = {(min(centre, v), max(centre, v)) for v in leaves}
        if not new & edges:
            edges |= new
    return Graph(nodes, tuple(sorted(edges)))


def sparse(rng: np.random.Generator, parts: int) -> Graph:
    """Return a random graph of ``3 * parts`` edges whose degrees are about three; `parts` is at least 1."""
    nodes = max(5, 2 * parts + 1)
    return drawn(rng, nodes, 3 * parts)


GRAPHS = {
    "k4": Graph(4, tuple(itertools.combinations(range(4), 2))),
    "k33": Graph(6, tuple((u, v) for u in range(3) for v in range(3, 6))),
    "octahedron": Graph(6, tuple(e for e in itertools.combinations(range(6), 2) if e not in ((0, 1), (2, 3), (4, 5)))),
    "hexagon": cycle(6),
    # cubic: every edge has exactly one centre among its ends, so 4-stars need a bipartite graph, which it is not
    "petersen": Graph(
        10,
        tuple(
            sorted(
                (min(u, v), max(u, v))
                for i in range(5)
                for u, v in ((i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5))
            )
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Tripartite:
    """A graph with a class 0, 1 or 2 for every node and no edge inside a class.

    `sides` holds the class of each node. PolicyError is raised if an edge joins two nodes of one class.
    """

    graph: Graph
    sides: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.sides) != self.graph.nodes or any(self.sides[u] == self.sides[v] for u, v in self.graph.edges):
            raise PolicyError("every edge must join two nodes of different classes, and every node needs a class")

    def kinds(self) -> tuple[int, ...]:
        """Return for every edge the class that it does not touch."""
        return tuple(3 - self.sides[u] - self.sides[v] for u, v in self.graph.edges)

    def partition(self) -> tuple[tuple[int, ...], ...] | None:
        """Return triangles (three indices of edges) that hold every edge once, or None."""
        return self.graph.edge_partition(self.graph.triangles())


def planted_triangles(rng: np.random.Generator, triangles: int) -> Tripartite:
    """Return a tripartite graph made of triangles that share no edge.

    The triangles, at least one, are cells of a cyclic Latin square, of which any two share at most one of row, column
    and symbol.
    """
    width = 1
    while width * width < 2 * triangles and width * width != triangles:
        width += 1
    cells = list(itertools.product(range(width), repeat=2))
    # cells of a cyclic Latin square: any two share at most one of row, column, symbol
    chosen = [cells[int(i)] for i in rng.choice(len(cells), triangles, replace=False)]
    threes = [(a, width + b, 2 * width + (a + b) % width) for a, b in chosen]
    edges = {pair for three in threes for pair in itertools.combinations(three, 2)}
    return Tripartite(Graph(3 * width, tuple(sorted(edges))), (0,) * width + (1,) * width + (2,) * width)


def balanced(rng: np.random.Generator, triangles: int) -> Tripartite:
    """Return a random tripartite graph with `triangles` edges, at least 1, between any two classes."""
    width = 2
    while width * width < 2 * triangles:
        width += 1
    edges: list[tuple[int, int]] = []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pairs = [(a * width + u, b * width + v) for u in range(width) for v in range(width)]
        edges += [pairs[int(i)] for i in rng.choice(len(pairs), triangles, replace=False)]
    return Tripartite(Graph(3 * width, tuple(sorted(edges))), (0,) * width + (1,) * width + (2,) * width)


TRIPARTITE = {
    "octahedron": Tripartite(GRAPHS["octahedron"], (0, 0, 1, 1, 2, 2)),
    # the classes in turn around a hexagon: balanced, and without a triangle
    "hexagon": Tripartite(GRAPHS["hexagon"], (0, 1, 2, 0, 1, 2)),
    # two triangles with one common node, each with a pendant 4-star's worth of edges left over
    "bow-tie": Tripartite(
        Graph(5, ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (3, 4))),
        (0, 1, 2, 1, 2),
    ),
}
