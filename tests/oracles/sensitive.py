"""Models about sensitive values straight from their definitions, on plain lists of values in fractions; and tables of them."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np

from incrowd.tables.values import Domain, Sensitive
from oracle.rules import beta, delta, distinct, entropy, frequency, ground, joint, recursive, shares

__all__ = [
    "beta", "delta", "distinct", "domain_of", "entropy", "frequency", "ground", "joint", "moved", "recursive", "shares",
]  # fmt: skip


def domain_of(rows):
    """The domain of a table's sensitive rows (tuples of texts or None), and the kind of every row."""
    width = len(rows[0])
    order = lambda value: (value is not None, (value or "").encode())
    values = [sorted({row[j] for row in rows}, key=order) for j in range(width)]
    coded = [tuple(values[j].index(row[j]) for j in range(width)) for row in rows]
    kinds = sorted(set(coded))
    times = Counter(coded)
    sensitive = Sensitive(
        np.array(kinds, np.int32).reshape(len(kinds), width),
        tuple(f"s{j}" for j in range(width)),
        tuple(len(v) for v in values),
    )
    counts = np.array([times[kind] for kind in kinds], np.int64)
    return Domain(sensitive, tuple(map(tuple, values)), counts), np.array([kinds.index(c) for c in coded], np.int32)


def moved(members, table, distance):
    """The earth mover's distance by a network simplex on whole numbers."""
    have, want = Counter(members), Counter(table)
    values = sorted(want, key=str)
    scale = math.lcm(*(distance(a, b).denominator for a in values for b in values))
    graph = nx.DiGraph()
    for v in values:
        graph.add_node(("from", v), demand=-have[v] * len(table))
        graph.add_node(("to", v), demand=want[v] * len(members))
        for w in values:
            graph.add_edge(("from", v), ("to", w), weight=int(distance(v, w) * scale))
    cost, _ = nx.network_simplex(graph)
    return Fraction(cost, scale * len(table) * len(members))
