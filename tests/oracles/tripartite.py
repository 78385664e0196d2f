"""Tripartite graphs, and what their two reductions ask for, from the definition."""

import numpy as np

from incrowd.hardness.sources.edge_partition import TRIPARTITE, balanced, planted_triangles
from oracles.hard import distinct


def sources(part):
    rng = np.random.default_rng(part)
    for size in (2, 2, 2, 3, 3):
        yield balanced(rng, size)
    for size in (1, 2, 3):
        yield planted_triangles(rng, size)
    yield from (TRIPARTITE["hexagon"], TRIPARTITE["bow-tie"])


def diverse(instance):
    """The requirement from the definition: in every sensitive column by itself at least so many values."""
    table, asked = instance.table, instance.policy["require"]
    at = {one["column"]: (table.columns.index(one["column"]), one["l"]) for one in asked}
    return lambda block: all(distinct([table.rows[i][j] for i in block]) >= least for j, least in at.values())


def bare(instance):
    width = len(instance.table.quasi_identifiers)
    return [row[:width] for row in instance.table.rows]
