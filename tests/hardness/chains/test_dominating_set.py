"""Dominating set as ADIM=k, against trying every set of nodes of the source."""

import itertools

import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.questions.graphs import DOMINATING_SET
from incrowd.hardness.sources.graphs import Graph, drawn
from seeds import seeds


def domination_number(source):
    return min(
        size
        for size in range(1, source.nodes + 1)
        for some in itertools.combinations(range(source.nodes), size)
        if DOMINATING_SET.solves(source, some)
    )


@seeds(200, 12)
def test_the_smallest_node_set_is_a_smallest_dominating_set(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    source = drawn(rng, n, int(rng.integers(0, n * (n - 1) // 2 + 1)))
    right = domination_number(source)
    made = instance("dominating-set-network", source, k=k)
    no = instance("dominating-set-network", source, k=k, goal=right - 1)
    assert (made.optimum, made.yes, no.yes) == (right, True, False)
    found = networks.antidimension(made.edges, exactly=k, show_labels=True)
    assert found.optimal
    assert found.attackers == right
    back = made.backward(int(v) for v in found.witness)
    assert len(back) <= right
    assert DOMINATING_SET.solves(source, back)


def test_a_graph_without_nodes_is_refused():
    with pytest.raises(PolicyError, match="needs a node"):
        instance("dominating-set-network", Graph(0, ()))
