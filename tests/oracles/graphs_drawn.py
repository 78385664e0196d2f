"""Small graphs drawn at random, as networkx and as compressed sparse rows, and their plain distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator


def csr(graph: nx.Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return (indptr, indices) of a graph on 0..n-1, rows sorted."""
    rows = [sorted(graph[v]) for v in range(len(graph))]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return indptr, np.array([w for row in rows for w in row], np.int32)


def drawn(count: int, *, most: int = 14, connected: bool = False, seed: int = 0) -> Iterator[tuple]:
    """Yield (rng, graph, indptr, indices)."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        n = int(rng.integers(2, most + 1))
        graph = nx.gnp_random_graph(n, float(rng.choice([0.15, 0.3, 0.6])), seed=int(rng.integers(2**31)))
        if connected:
            order = rng.permutation(n)
            graph.add_edges_from((int(order[i]), int(order[rng.integers(i)])) for i in range(1, n))
        yield rng, graph, *csr(graph)


def distances(graph: nx.Graph) -> np.ndarray:
    """Return the distance matrix, -1 between components."""
    out = np.full((len(graph), len(graph)), -1, np.int64)
    for v, reached in nx.all_pairs_shortest_path_length(graph):
        for w, d in reached.items():
            out[v, w] = d
    return out


def classes(columns: np.ndarray) -> list[int]:
    """Return for every line of distances the first line that is equal."""
    lines = [tuple(line) for line in columns.tolist()]
    return [lines.index(line) for line in lines]


def closure(matrix: np.ndarray, start: set[int], level: int) -> set[int]:
    """Return the least set around `start` that leaves only classes of `level` nodes or more."""
    inside = set(start)
    while True:
        others = [x for x in range(len(matrix)) if x not in inside]
        label = classes(matrix[np.ix_(others, sorted(inside))])
        small = {x for x, c in zip(others, label, strict=True) if label.count(c) < level}
        if not small:
            return inside
        inside |= small


def begun(graph: nx.Graph, indptr: np.ndarray, indices: np.ndarray, seeds: list[int], level: int):
    """Return the state of a closure with kernels that has begun at `seeds`, and bests that rule nothing out."""
    from incrowd.kernels.networks.chain import make_state, start

    n = len(graph)
    state = make_state(indptr, indices, np.zeros(n, np.int32), 1, 7)
    start(state, np.array(seeds, np.int32), level)
    return state, np.full(level + 1, n + 1, np.int64)
