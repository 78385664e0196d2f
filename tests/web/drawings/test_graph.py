"""A network is drawn inside its frame, neighbours nearer than strangers, the same every time."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import networkx as nx
import pytest

from incrowd.web.drawings.graph import MOST_NODES, SIZE, graph, places

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "made",
    [
        nx.path_graph(12),
        nx.cycle_graph(MOST_NODES),
        nx.star_graph(20),
        nx.disjoint_union(nx.complete_graph(6), nx.complete_graph(6)),
    ],
)
def test_neighbours_lie_nearer_than_others(made):
    edges = list(made.edges)
    at = places(len(made), edges)
    assert at == places(len(made), edges)
    assert all(0 <= x <= SIZE and 0 <= y <= SIZE for x, y in at)
    pairs = [(u, v) for u in made for v in made if u < v]
    near = [math.dist(at[u], at[v]) for u, v in edges]
    far = [math.dist(at[u], at[v]) for u, v in pairs if not made.has_edge(u, v)]
    assert sum(near) / len(near) < sum(far) / len(far)


def test_attackers_stand_out():
    tree = ElementTree.fromstring(graph(3, [(0, 1)], {2}))
    assert [one.attrib["class"] for one in tree.iter(f"{SVG}circle")] == ["node", "node", "node chosen"]
    assert "3 nodes and 1 edges; 1 of the nodes" in tree.attrib["aria-label"]


def test_one_node_and_none_are_drawn():
    ElementTree.fromstring(graph(1, [], set()))
    ElementTree.fromstring(graph(0, [], set()))
