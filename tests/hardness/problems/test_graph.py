"""Graphs from edge lists and DIMACS files."""

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.graph import GRAPH, TRIPARTITE_GRAPH

TRIANGLE = ((0, 1), (0, 2), (1, 2))


def test_an_edge_list_keeps_its_labels_and_nodes_without_edges():
    given = GRAPH.read("# friends\nAnn Bob\nBob,Cy\nAnn;Cy\nDee\n")
    assert (given.source.nodes, given.source.edges) == (4, TRIANGLE)
    assert given.labels == {"nodes": ("Ann", "Bob", "Cy", "Dee")}


def test_dimacs_counts_nodes_from_one_and_keeps_those_without_edges():
    given = GRAPH.read("c a comment\np edge 4 3\ne 1 2\ne 1 3\ne 2 3\n")
    assert (given.source.nodes, given.source.edges) == (4, TRIANGLE)
    assert given.labels == {"nodes": ("1", "2", "3", "4")}


def test_a_file_with_every_edge_in_both_directions_is_read_as_one():
    given = GRAPH.read("p col 3 6\n" + "".join(f"e {u} {v}\ne {v} {u}\n" for u, v in ((1, 2), (1, 3), (2, 3))))
    assert given.source.edges == TRIANGLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no node"),
        ("# nothing\n", "holds no node"),
        ("a b\na b\n", "line 2 of the source repeats the edge of line 1"),
        ("a b\nb c\nb a\n", "line 3 of the source repeats the edge of line 1"),
        ("a a\n", "line 1 of the source joins a node with itself"),
        ("a b 0.5\n", "line 1 of the source has 3 words where an edge has two ends"),
        ("a nan\n", "NaN is no name of a node"),
        ("1: a\na b\n", "a graph has none here"),
        ("p edge 3\ne 1 2\n", "must be the only problem line: p edge"),
        ("p edge 3 1\np edge 3 1\ne 1 2\n", "line 2 of the source must be the only problem line"),
        ("p cnf 3 1\n1 2 3 0\n", "must be the only problem line: p edge"),
        ("e 1 2\np edge 3 1\n", "line 1 of the source stands before the problem line"),
        ("p edge 3 2\ne 1 2\n", "declares 2 edges, and the source holds 1"),
        ("p edge 3 1\ne 1 4\n", "a node must be from 1 to 3, not 4"),
        ("p edge 3 1\ne 0 1\n", "a node must be from 1 to 3, not 0"),
        ("p edge 3 1\ne 1 nan\n", "a node must be a whole number"),
        ("p edge 3 1\nx 1 2\n", "line 2 of the source is neither"),
        ("p edge 999999999 1\ne 1 2\n", "the number of nodes must be from 1 to 5000"),
    ],
)
def test_what_is_no_graph_is_one_sentence(text, said):
    with pytest.raises(InputError, match=said):
        GRAPH.read(text)


def test_too_many_nodes_are_refused_before_they_are_kept():
    with pytest.raises(InputError, match="more than 5,000 nodes"):
        GRAPH.read("\n".join(f"a{i} b{i}" for i in range(3000)))


def test_a_tripartite_graph_has_classes_in_either_format():
    plain = TRIPARTITE_GRAPH.read("1: a\n2: b\n3: c\na b\nb c\na c\n")
    dimacs = TRIPARTITE_GRAPH.read("p edge 3 3\nn 1 1\nn 2 2\nn 3 3\ne 1 2\ne 2 3\ne 1 3\n")
    assert plain.source == dimacs.source
    assert plain.source.sides == (0, 1, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b\n", "2 of 2 nodes have no class; a tripartite graph needs lines"),
        ("1: a b\na b\n", "line 2 of the source joins two nodes of one class"),
        ("1: a\n2: a\n", "line 2 of the source gives a node a second class"),
        ("p edge 2 1\nn 1 4\ne 1 2\n", "a class must be from 1 to 3"),
    ],
)
def test_what_is_not_tripartite_is_one_sentence(text, said):
    with pytest.raises(InputError, match=said):
        TRIPARTITE_GRAPH.read(text)
