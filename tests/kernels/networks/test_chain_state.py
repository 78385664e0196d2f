from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain_state import SIZE, absorb, mix
from oracles.graphs_drawn import begun, drawn


def test_a_node_that_joins_the_set_is_a_free_neighbour_of_nobody_any_more():
    for rng, graph, indptr, indices in drawn(40):
        nodes = [int(v) for v in rng.permutation(len(graph))]
        state, _ = begun(graph, indptr, indices, nodes[:1], 2)
        for joined, v in enumerate(nodes[1:], 2):
            absorb(state, v)
            inside = set(nodes[:joined])
            assert state.number[SIZE] == joined and set(np.flatnonzero(state.inside)) == inside
            assert state.free.tolist() == [sum(w not in inside for w in graph[x]) for x in range(len(graph))]


def test_mixed_numbers_are_all_different_as_the_function_can_be_undone():
    assert len({int(mix(np.uint64(x))) for x in range(5000)}) == 5000
