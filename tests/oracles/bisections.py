"""Graphs to be cut in halves, and whether nodes are such a half."""

import numpy as np

from incrowd.hardness.bisection import HALVES
from incrowd.hardness.sources.graphs import drawn


def graphs(part, most=8):
    rng = np.random.default_rng(part)
    for _ in range(6):
        nodes = int(rng.choice([n for n in (4, 6, 8) if n <= most]))
        yield drawn(rng, nodes, int(rng.integers(1, nodes * (nodes - 1) // 2 + 1)))
    yield from HALVES.values()


def is_half(graph, nodes, cut):
    return len(nodes) == graph.nodes // 2 and graph.cut(nodes) == cut
