"""Arcs and labels to a graph."""

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.networks.input.build import graph_from_indices, graph_from_integers, graph_from_objects


def test_integer_ids_become_places_in_their_order_and_plain_ones_need_no_labels():
    u, v = np.array([30, 7]), np.array([7, 12])
    graph = graph_from_integers(u, v)
    assert graph.labels.tolist() == [7, 12, 30]
    assert graph.indices.tolist() == [1, 2, 0, 0]
    assert graph_from_integers(np.array([0, 1]), np.array([1, 2])).labels is None


def test_labels_of_any_kind_are_sorted_and_lonely_nodes_kept():
    graph = graph_from_objects(["lone"], [("b", "a")])
    assert graph.labels == ["a", "b", "lone"]
    assert graph.degrees.tolist() == [1, 1, 0]


@pytest.mark.parametrize(("n", "said"), [(0, "empty"), (1, "one node"), (2**31, "at most")])
def test_a_graph_of_too_few_or_too_many_nodes_is_refused(n, said):
    none = np.zeros(0, np.int64)
    with pytest.raises(InputError, match=said):
        graph_from_indices(none, none, n, None)


def test_a_missing_label_and_one_that_cannot_name_a_node_are_refused():
    with pytest.raises(InputError, match="missing|no id|None"):
        graph_from_objects([], [("a", None)])
    with pytest.raises(InputError, match="cannot name a node"):
        graph_from_objects([], [("a", ["b"])])
