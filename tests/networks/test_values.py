"""Graphs, sets of nodes and classes as values."""

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.values import NodeSet, Step


def test_a_graph_counts_nodes_edges_and_components():
    graph = networks.read([("a", "b"), ("b", "c"), ("x", "y")])
    assert (graph.nodes, graph.edges, graph.components) == (5, 3, 2)
    assert graph.degrees.tolist() == [1, 2, 1, 1, 1]
    assert graph.component_sizes.tolist() == [3, 2]
    assert graph.matrix().toarray().sum() == 6


def test_nodes_are_found_by_their_labels_and_a_stranger_is_not_repeated():
    graph = networks.read([("a", "b"), ("b", "c")])
    assert graph.index_of(["c", "a", "c"]).tolist() == [0, 2]
    assert [graph.label(i) for i in range(3)] == ["a", "b", "c"]
    for strange in ("secret", ["secret"]):
        with pytest.raises(InputError, match="entry 2 of the 2 nodes given is no node") as refused:
            graph.index_of(["a", strange])
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("size", [0, 3, 90])
def test_a_set_of_nodes_is_the_same_whether_it_is_kept_as_members_or_as_bits(size):
    members = np.random.default_rng(size).permutation(100)[:size].astype(np.int32)
    kept = NodeSet.of(members, 100)
    assert kept.members.tolist() == sorted(members.tolist())
    assert kept.size == size
    assert kept.content.dtype == (np.uint8 if size > 3 else np.int32)
    assert Step(1, 2, size, 1, kept).witness.tolist() == kept.members.tolist()


def test_classes_tell_their_smallest_and_who_is_alone():
    found = networks.classes(nx.path_graph(4), [0])
    assert (found.measure, found.singled_out) == (1, 3)
    assert found.groups() == [[1], [2], [3]]
    assert found.to_json() == {"nodes": 4, "attackers": 1, "classes": 3, "measure": 1, "singled_out": 3}


def test_a_graph_shows_no_label_of_its_nodes():
    assert "secret" not in repr(networks.read([("secret", "b"), ("b", "c")]))


@pytest.mark.parametrize("labels", [None, 5, "ab", b"ab"])
def test_nodes_that_are_no_list_are_refused(labels):
    with pytest.raises(InputError, match="must be a list"):
        networks.classes([("a", "b"), ("b", "c")], labels)
