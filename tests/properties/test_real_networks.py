"""Published and enumerated values: real networks and closed forms."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from incrowd import networks

# name: nodes, edges, ADIM, L(ADIM), best single node, largest twin class, share of nodes that single out somebody
REAL = {
    "karate": (34, 78, 9, 1, 9, 5, 0.559),
    "sanjuansur": (75, 144, 7, 1, 7, 1, 0.480),
    "jazz": (198, 2742, 12, 1, 12, 2, 0.717),
    "email-Eu-core": (986, 16064, 39, 1, 39, 4, 0.487),
    "urv-email": (1133, 5451, 29, 1, 29, 3, 0.278),
    "hamsterster-friendships": (1788, 12476, 14, 1774, 3, 14, 0.996),
    "facebook_combined": (4039, 88234, 148, 1, 148, 14, 0.019),
    "power": (4941, 6594, 9, 4932, 7, 9, 0.323),
}
STEPS = {
    "hamsterster-friendships": [(1, 3, 1), (4, 4, 1598), (5, 5, 1675), (6, 6, 1715), (7, 7, 1751), (8, 8, 1758), (9, 14, 1774)],
    "power": [(1, 7, 1), (8, 9, 4932)],
}  # fmt: skip


@pytest.fixture
def real(data_dir):
    return lambda name: networks.read(data_dir / "networks" / f"{name}.edges.gz")


@pytest.mark.few(4)
@pytest.mark.parametrize("name", REAL)
def test_profiles_of_real_networks(real, name):
    nodes, edges, adim, attackers, single, twins, exposed = REAL[name]
    graph = real(name)
    found = networks.profile(graph)
    assert (graph.nodes, graph.edges, graph.components) == (nodes, edges, 1)
    assert found.optimal and (found.k, found.attackers) == (adim, attackers)
    assert [(s.first, s.last, s.attackers) for s in found.steps] == STEPS.get(name, [(1, adim, 1)])
    alone = networks.risks(graph, attackers=1, groups=1)
    assert int(alone.measure.max()) == single
    assert round(float((alone.measure == 1).mean()), 3) == pytest.approx(exposed, abs=0.0006)
    from incrowd.networks.compress import twin_classes

    assert np.bincount(twin_classes(graph)).max() == twins
    for step in found.steps:
        assert networks.classes(graph, [graph.label(i) for i in step.witness]).measure >= step.last


@pytest.mark.parametrize(
    ("name", "special"),
    [("karate", {5: 29, 7: None}), ("sanjuansur", {}), ("jazz", {9: None, 11: None})],
)
def test_exact_levels_of_real_networks(real, name, special):
    graph = real(name)
    for k in range(1, REAL[name][2] + 1):
        found = networks.antidimension(graph, exactly=k)
        assert found.optimal and found.attackers == special.get(k, 1), k


@pytest.mark.proofs
@pytest.mark.parametrize(
    ("name", "special"),
    [("email-Eu-core", dict.fromkeys((32, 34, 35, 37, 38))), ("urv-email", {27: None})],
)
def test_exact_levels_of_larger_networks(real, name, special):
    test_exact_levels_of_real_networks(real, name, special)


@pytest.mark.proofs
def test_exact_levels_at_the_ends_of_steps(real):
    hamster, power = real("hamsterster-friendships"), real("power")
    for k, size in {1: 1, 2: 1, 3: 1, 4: 1598, 5: 1675, 6: 1715, 7: 1751, 8: 1758, 14: 1774}.items():
        found = networks.antidimension(hamster, exactly=k, time_limit=60)
        assert found.optimal and found.attackers == size, k
    for k, size in {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 1, 9: 4932}.items():
        found = networks.antidimension(power, exactly=k, time_limit=60)
        assert found.optimal and found.attackers == size, k
    open_level = networks.antidimension(power, exactly=8, time_limit=5)
    assert open_level.lower_bound >= 4932 and (open_level.upper_bound or 4933) <= 4933


FORMS = [
    (nx.complete_bipartite_graph(3, 3), {1: 2, 2: 1, 3: 3}),
    (nx.complete_bipartite_graph(3, 5), {1: 2, 2: 1, 3: 1, 4: 4, 5: 3}),
    (nx.complete_bipartite_graph(4, 6), {1: 3, 2: 2, 3: 1, 4: 1, 5: 5, 6: 4}),
    (nx.complete_bipartite_graph(5, 5), {1: 4, 2: 3, 3: 2, 4: 1, 5: 5}),
    (nx.petersen_graph(), {1: 2, 2: 2, 3: 1}),
    (nx.hypercube_graph(3), {1: 1, 2: 4, 3: 2}),
    (nx.wheel_graph(9), {1: 2, 2: 2, 3: 1, 8: 1}),
    (nx.grid_2d_graph(3, 4, periodic=True), {1: 2, 2: 1}),
    (nx.grid_2d_graph(3, 5), {1: 1, 2: 1, 4: 1}),
    (nx.grid_2d_graph(4, 5), {1: 1, 2: 1}),
    (nx.grid_2d_graph(4, 6), {1: 1, 2: 2}),
    (nx.complete_multipartite_graph(2, 2, 3), {1: 1, 2: 1, 3: 4, 4: 3, 5: 2}),
    *((nx.complete_graph(n), {k: n - k for k in range(1, n)}) for n in (2, 5, 9)),
    *((nx.star_graph(t), {1: 1} | {k: t + 1 - k for k in range(2, t + 1)}) for t in (2, 5, 9)),
    *((nx.path_graph(n), {1: 1} | ({2: 1} if n % 2 else {})) for n in (3, 5, 9)),
    *((nx.cycle_graph(n), {1: 2, 2: 1} if n % 2 else {1: 1, 2: 2}) for n in (5, 8, 11)),
]


@pytest.mark.parametrize(("graph", "sizes"), FORMS, ids=lambda x: str(x)[:40])
def test_closed_forms(graph, sizes):
    for k in range(1, graph.number_of_nodes()):
        found = networks.antidimension(graph, exactly=k)
        assert found.optimal and found.attackers == sizes.get(k), k


@pytest.mark.parametrize("n", [4, 6, 10])
def test_even_paths_have_level_two_only_with_more_attackers(n):
    """adim_2 of a path is 1 if and only if its number of nodes is odd."""
    assert networks.antidimension(nx.path_graph(n), exactly=2).attackers != 1


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("urv-email", {5: 0.08, 10: 0.60, 20: 0.92}),
        ("email-Eu-core", {5: 0.03, 10: 0.24, 20: 0.77}),
        ("hamsterster-friendships", {5: 0.03, 10: 0.21, 20: 0.49}),
        ("facebook_combined", {5: 0.003, 10: 0.006, 20: 0.012}),
    ],
)
def test_random_attackers_re_identify_what_was_measured_before(real, name, shares):
    graph = real(name)
    for attackers, share in shares.items():
        found = networks.risks(graph, attackers=attackers, groups=150, sample=64)
        assert found.re_identified == pytest.approx(share, rel=0.35, abs=0.004)
        assert found.interval[0] <= found.re_identified <= found.interval[1] <= 1
        assert found.re_identified <= found.worst


def test_directions_and_loops_of_the_published_email_network(data_dir):
    """As published: 1,005 nodes and 25,571 arcs, 642 of them loops; 986 nodes connected."""
    graph = networks.read(data_dir / "networks" / "raw" / "email-Eu-core.txt.gz")
    assert (graph.nodes, graph.edges, graph.components) == (1005, 16064, 20)
    assert graph.edges + graph.directed_merged + graph.loops_dropped + graph.duplicates_dropped == 25571
    assert graph.loops_dropped == 642
    largest = networks.read(data_dir / "networks" / "raw" / "email-Eu-core.txt.gz", component="largest")
    assert (largest.nodes, networks.antidimension(largest).k) == (986, 39)


def test_what_was_proven_is_told():
    club = networks.read(nx.karate_club_graph())
    verdict = networks.check(club, networks.antidimension(club).certificate())
    facts = verdict.to_json()
    asked = ("question", "k", "attackers", "lower_bound", "upper_bound", "proven", "attackers_at_least")
    assert [facts[name] for name in asked] == ["adim", 9, 1, 9, 9, True, 1]
    assert "the antidimension is 9" in verdict.summary()
    verdict = networks.check(club, networks.anonymity(club, attackers=2).certificate())
    facts = verdict.to_json()
    assert (facts["question"], facts["k"], facts["attackers_allowed"], facts["proven"]) == ("attackers", 1, 2, True)
    assert "no 2 attackers leave anybody in a smaller one" in verdict.summary()
    verdict = networks.check(club, networks.antidimension(club, at_least=5).certificate())
    assert "1 attacker leaves" in verdict.summary() and "no fewer do" in verdict.summary()
    verdict = networks.check(club, networks.antidimension(club, at_least=10).certificate())
    assert verdict.proven and verdict.to_json()["attackers"] is None
    assert "no set of attackers leaves" in verdict.summary()
    path = networks.read(nx.path_graph(9))
    verdict = networks.check(path, networks.profile(path).certificate())
    assert [step["k"] for step in verdict.to_json()["profile"]] == list(range(1, verdict.answer.k + 1))
    assert "k = 1" in verdict.summary()
