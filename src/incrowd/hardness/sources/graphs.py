"""Simple graphs and the questions about them: parts of their edges, halves and dense sets of their nodes."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.program import choose, minimise

if TYPE_CHECKING:
    import numpy as np


MOST_PARTS = 200_000


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes 0 to ``nodes - 1`` and edges (u, v) with u < v, each once.

    An edge's index is its place in the tuple `edges`. PolicyError is raised if an edge is a loop, given twice, or names
    no node.
    """

    nodes: int
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if len(set(self.edges)) < len(self.edges) or not all(0 <= u < v < self.nodes for u, v in self.edges):
            raise PolicyError(f"edges must be pairs u < v of the nodes 0 to {self.nodes - 1}, each once")

    def at(self) -> list[list[int]]:
        """Return the indices of the edges at every node."""
        found: list[list[int]] = [[] for _ in range(self.nodes)]
        for e, (u, v) in enumerate(self.edges):
            found[u].append(e)
            found[v].append(e)
        return found

    def triangles(self) -> list[tuple[int, ...]]:
        """Return every triangle as three indices of edges."""
        index = {edge: e for e, edge in enumerate(self.edges)}
        near: list[set[int]] = [set() for _ in range(self.nodes)]
        for u, v in self.edges:
            near[u].add(v)
        return [
            tuple(sorted((index[u, v], index[u, w], index[v, w])))
            for u, v in self.edges
            for w in sorted(near[u] & near[v])
        ]

    def stars(self) -> list[tuple[int, ...]]:
        """Return every 4-star (three edges at one node) as three indices of edges.

        PolicyError is raised if there are more than 200,000.
        """
        _refuse_many(sum(math.comb(len(edges), 3) for edges in self.at()))
        return [three for edges in self.at() for three in itertools.combinations(edges, 3)]

    def edge_partition(self, parts: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...] | None:
        """Return some of the parts that hold every edge exactly once, or None if there are none.

        Each of `parts` holds the indices of its edges. They are chosen by an integer program of one variable per part,
        without a time limit. RuntimeError is raised if HiGHS neither finds a choice nor shows that there is none, and
        PolicyError if there are more than 200,000 parts.
        """
        _refuse_many(len(parts))
        chosen = choose(parts, len(self.edges), least=1, most=1, costs=[0] * len(parts))
        return None if chosen is None else tuple(parts[i] for i in chosen)

    def cut(self, half: tuple[int, ...]) -> int:
        """Return the number of edges with one end among the nodes of `half`."""
        inside = set(half)
        return sum((u in inside) != (v in inside) for u, v in self.edges)

    def bisection(self) -> tuple[int, ...]:
        """Return one half of the nodes with the fewest edges to the other half; node 0 is in it.

        The half has n/2 nodes (rounded down), ascending. It is found by an integer program of n + m variables, without
        a time limit: exponential time in the worst case.
        """
        n, m = self.nodes, len(self.edges)
        # x of the nodes, then y of the edges: y = 1 where the edge is cut
        lines: list[tuple[dict[int, int], int | None, int | None]] = [(dict.fromkeys(range(n), 1), n // 2, n // 2)]
        lines.append(({0: 1}, 1, 1))
        for e, (u, v) in enumerate(self.edges):
            lines += [({n + e: 1, u: -1, v: 1}, 0, None), ({n + e: 1, u: 1, v: -1}, 0, None)]
        found = minimise([0] * n + [1] * m, lines)
        assert found is not None  # any half will do
        return tuple(v for v in found if v < n)

    def densest(self, count: int) -> tuple[int, ...]:
        """Return `count` nodes, ascending, with the most edges among them.

        `count` is from 0 to ``nodes``. They are found by an integer program of n + m variables, without a time limit:
        exponential time in the worst case.
        """
        n, m = self.nodes, len(self.edges)
        lines: list[tuple[dict[int, int], int | None, int | None]] = [(dict.fromkeys(range(n), 1), count, count)]
        for e, (u, v) in enumerate(self.edges):
            lines += [({n + e: -1, u: 1}, 0, None), ({n + e: -1, v: 1}, 0, None)]
        found = minimise([0] * n + [-1] * m, lines)
        assert found is not None  # any set of that size will do
        return tuple(v for v in found if v < n)

    def clique(self) -> tuple[int, ...]:
        """Return a largest set of nodes of which every two are joined, ascending.

        It is found by an integer program of n variables and a line per pair that is not joined, without a time limit:
        exponential time in the worst case.
        """
        there = set(self.edges)
        apart = (pair for pair in itertools.combinations(range(self.nodes), 2) if pair not in there)
        found = minimise([-1] * self.nodes, [({u: 1, v: 1}, None, 1) for u, v in apart])
        assert found is not None  # the empty set will do
        return found

    def inside(self, members: tuple[int, ...]) -> int:
        """Return the number of edges with both ends among the nodes `members`."""
        chosen = set(members)
        return sum(u in chosen and v in chosen for u, v in self.edges)


def _refuse_many(parts: int) -> None:
    if parts > MOST_PARTS:
        raise PolicyError(
            f"the graph has {parts:,} triangles and 4-stars to choose from, more than {MOST_PARTS:,}; leave it unsolved"
        )


def drawn(rng: np.random.Generator, nodes: int, edges: int) -> Graph:
    """Return a uniformly random graph.

    PolicyError is raised if there are more than nodes (nodes - 1) / 2 edges, the number of pairs. It takes O(nodes^2)
    time and memory, as all pairs are listed.
    """
    pairs = list(itertools.combinations(range(nodes), 2))
    if edges > len(pairs):
        raise PolicyError(f"a graph of {nodes} nodes has at most {len(pairs)} edges, not {edges}")
    return Graph(nodes, tuple(pairs[int(i)] for i in sorted(rng.choice(len(pairs), edges, replace=False))))
