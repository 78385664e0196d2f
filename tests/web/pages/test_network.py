"""A network: its curve, one member's view, and the attackers drawn where it is small."""

from __future__ import annotations

import networkx as nx

import incrowd.networks
from web.visitor import words


def edges(graph):
    return "".join(f"node{u} node{v}\n" for u, v in graph.edges).encode()


def test_a_small_network_is_measured_and_drawn_without_a_label(visitor):
    graph = nx.karate_club_graph()
    place = visitor.upload("karate.txt", edges(graph), kind="network")
    page = visitor.settled(place)
    found = incrowd.networks.profile(graph)
    assert f"1 to {found.k}" in words(page)
    assert page.count('<circle cx="') >= 34
    assert page.count("node chosen") == found.attackers
    assert "node12" not in page
    report = visitor.get(f"{place}/report")
    assert report.status_code == 200
    assert "sandbox" in report.headers["content-security-policy"]


def test_a_larger_one_is_measured_and_not_drawn(visitor):
    place = visitor.upload("path.txt", edges(nx.path_graph(200)), kind="network")
    assert "are not drawn" in words(visitor.settled(place))


def test_what_is_no_network_is_said(visitor):
    place = visitor.upload("a.txt", b"nothing\n", kind="network")
    page = words(visitor.settled(place))
    assert "could not be measured" in page
    assert visitor.get(f"{place}/report").status_code == 409
