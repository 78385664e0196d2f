"""The public functions against definitions: every subset of small graphs, literal chains on larger ones."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.network_families import draw
from seeds import how_many, scaled


def graph_of(n, edges):
    """A Graph with nodes 0..n-1, isolated ones too."""
    whole = nx.Graph()
    whole.add_nodes_from(range(n))
    whole.add_edges_from(edges)
    return networks.read(whole)


def curve_of(found):
    return {point["k"]: point["attackers"] for point in found.profile}


def check_everything(n, edges, seed=0):
    """All questions about one small graph against all of its subsets."""
    near = plain.adjacency(n, edges)
    dist = plain.distances(near)
    at_least, exactly = plain.curves(near)
    graph = graph_of(n, edges)
    found = networks.profile(graph, seed=seed)
    assert found.optimal
    assert curve_of(found) == at_least
    for step in found.steps:
        assert len(set(step.witness.tolist())) == step.attackers == step.lower
        assert plain.mu(dist, step.witness.tolist()) >= step.last
    largest = networks.antidimension(graph, seed=seed)
    assert (largest.k, largest.attackers) == (max(at_least), at_least[max(at_least)])
    for k in range(1, n):
        some = networks.antidimension(graph, at_least=k, seed=seed)
        assert some.optimal and some.attackers == at_least.get(k)
        if some.attackers is not None:
            assert plain.mu(dist, some.members.tolist()) >= k
            assert some.lower_bound == some.upper_bound == len(some.members)
        same = networks.antidimension(graph, exactly=k, seed=seed)
        assert same.optimal and same.attackers == exactly.get(k)
        if same.attackers is not None:
            assert plain.mu(dist, same.members.tolist()) == k
            assert len(same.members) == same.attackers
    return graph


def test_all_answers_agree_with_all_subsets_of_random_graphs():
    rng = random.Random(1)
    for seed in range(how_many(200, 60)):
        check_everything(*draw(rng, 2, 7), seed=seed)


def test_profiles_agree_with_literal_chains_on_larger_graphs():
    rng = random.Random(2)
    for seed in range(60):
        n, edges = draw(rng, 10, 45)
        found = networks.profile(graph_of(n, edges), seed=seed)
        assert found.optimal
        assert curve_of(found) == plain.chain_curve(plain.adjacency(n, edges))


def test_anonymity_agrees_with_all_small_subsets():
    rng = random.Random(3)
    for _ in range(how_many(100, 40)):
        n, edges = draw(rng, 2, 8)
        near = plain.adjacency(n, edges)
        dist = plain.distances(near)
        graph = graph_of(n, edges)
        for attackers in range(1, min(n, 5)):
            found = networks.anonymity(graph, attackers=attackers)
            least = plain.least_measure(near, attackers)
            assert found.lower_bound <= least <= found.upper_bound == found.k
            assert plain.mu(dist, found.members.tolist()) == found.k
            assert 1 <= found.attackers <= attackers
            if attackers <= 3:
                assert found.optimal


def test_k_l_anonymity_is_the_least_k_that_l_attackers_can_force():
    """The complete graph on 8 nodes: l attackers leave one crowd of 8 - l."""
    whole = nx.complete_graph(8)
    for attackers in range(1, 8):
        found = networks.anonymity(whole, attackers=attackers)
        assert (found.k, found.attackers, found.optimal) == (8 - attackers, attackers, True)


def test_the_same_seed_gives_the_same_witnesses():
    rng = random.Random(5)
    n, edges = draw(rng, 100, 100)
    graph = graph_of(n, edges)
    first, second = networks.profile(graph, seed=7), networks.profile(graph, seed=7)
    assert [s.witness.tolist() for s in first.steps] == [s.witness.tolist() for s in second.steps]


def test_a_stopped_profile_is_a_true_interval():
    """Stopped before the first search, half way, or after a moment: the true curve lies within."""
    rng = random.Random(6)
    for seed in range(40):
        n, edges = draw(rng, 20, 80)
        graph = graph_of(n, edges)
        truth = curve_of(networks.profile(graph))
        for patience in (0, 1, 2, 3, 5, 8):
            found = networks.profile(graph, watch=Impatient(patience), seed=seed)
            assert found.lower_bound <= max(truth) <= found.upper_bound
            assert found.optimal or found.status == "interrupted"
            for step in found.steps:
                for k in range(step.first, step.last + 1):
                    assert step.lower <= truth[k] <= step.attackers


def test_a_stopped_search_for_exactly_k_is_a_true_interval():
    rng = random.Random(7)
    for seed in range(scaled(40)):
        n, edges = draw(rng, 12, 30)
        graph = graph_of(n, edges)
        for k in (2, 3, 4):
            truth = networks.antidimension(graph, exactly=k).attackers
            for patience in (0, 2, 4, 6, 9):
                found = networks.antidimension(graph, exactly=k, watch=Impatient(patience), seed=seed)
                if found.optimal:
                    assert found.attackers == truth
                else:
                    assert truth is None or found.lower_bound <= truth
                    assert found.upper_bound is None or (truth is not None and truth <= found.upper_bound)


class Impatient(Watch):
    """Stops when asked for the n-th time, for ever."""

    def __init__(self, patience):
        super().__init__()
        self.left = patience

    @property
    def stopped(self):
        self.left -= 1
        self.interrupted = self.interrupted or self.left < 0
        return self.interrupted


def test_components_count_infinity_as_a_distance():
    """One isolated node sees all others at infinity: one attacker for every k up to n - 1."""
    found = networks.profile(graph_of(6, [(0, 1), (1, 2), (2, 3), (3, 4)]))
    assert curve_of(found) == dict.fromkeys(range(1, 6), 1)
    assert "largest component" in found.summary()
    alone = networks.profile(graph_of(6, [(0, 1), (1, 2), (2, 3), (3, 4)]), component="largest")
    assert list(alone.graph.labels) == [0, 1, 2, 3, 4] and "1 node" in alone.graph.notes[0]


def test_a_network_without_edges_is_one_crowd():
    found = networks.profile(graph_of(4, []))
    assert curve_of(found) == {1: 1, 2: 1, 3: 1}


@pytest.mark.parametrize("level", [0, -1, 5, 99])
@pytest.mark.parametrize("question", ["at_least", "exactly"])
def test_levels_out_of_range_are_refused(question, level):
    with pytest.raises(InputError, match=f"{question} must be from 1 to 4"):
        networks.antidimension(nx.path_graph(5), **{question: level})


def test_wrong_options_are_refused_by_name():
    path = nx.path_graph(5)
    with pytest.raises(InputError, match="not both"):
        networks.antidimension(path, at_least=1, exactly=1)
    with pytest.raises(InputError, match="attackers must be at least 1"):
        networks.anonymity(path, attackers=0)
    with pytest.raises(InputError, match="whole number"):
        networks.anonymity(path, attackers=1.5)
    with pytest.raises(InputError, match="whole number"):
        networks.antidimension(path, exactly=True)
    with pytest.raises(InputError, match="attackers must be from 1 to 4"):
        networks.risks(path, attackers=5)
    with pytest.raises(InputError, match="time_limit"):
        networks.profile(path, time_limit=0)
    with pytest.raises(InputError, match="seed"):
        networks.profile(path, seed=-1)
    with pytest.raises(InputError, match="component"):
        networks.profile(path, component="big")
    with pytest.raises(InputError, match="strategy"):
        networks.risks(path, strategy="clever")
    with pytest.raises(InputError, match="noise"):
        networks.simulate_attack(path, noise=1.5)
    with pytest.raises(InputError, match="targets must be at most"):
        networks.simulate_attack(path, targets=6)


CONTRACT = {
    "nodes", "edges", "components", "directed_merged", "loops_dropped", "duplicates_dropped", "k", "attackers",
    "witness", "lower_bound", "upper_bound", "optimal", "method", "seconds",
}  # fmt: skip


def test_json_has_the_keys_of_the_contract_and_no_label_unless_asked():
    import json

    secret = nx.relabel_nodes(nx.karate_club_graph(), lambda v: f"member-{v}-secret")
    for found in (
        networks.antidimension(secret),
        networks.profile(secret),
        networks.antidimension(secret, at_least=3),
        networks.antidimension(secret, exactly=5),
        networks.anonymity(secret, attackers=2),
    ):
        content = found.to_json()
        assert content.keys() >= CONTRACT
        text = json.dumps(content) + found.summary() + json.dumps(found.certificate()) + repr(found)
        assert "secret" not in text
        assert content["witness"] is None
    shown = networks.antidimension(secret, show_labels=True)
    assert shown.to_json()["witness"] == shown.witness and "secret" in shown.summary()
    assert networks.profile(secret).to_json()["profile"] == [{"k": k, "attackers": 1} for k in range(1, 10)]
    for other in (networks.risks(secret, attackers=2, groups=5), networks.simulate_attack(secret, trials=2)):
        assert "secret" not in json.dumps(other.to_json()) + other.summary() + repr(other)


def test_when_no_set_exists_the_answer_is_none_and_optimal():
    found = networks.antidimension(nx.karate_club_graph(), exactly=7)
    assert (found.attackers, found.witness, found.lower_bound, found.upper_bound) == (None, None, None, None)
    assert found.optimal and "no such thing" in found.summary()


def test_classes_of_a_set_come_in_the_labels_of_the_graph():
    found = networks.classes([("a", "b"), ("b", "c"), ("c", "d"), ("b", "e")], ["a"])
    assert sorted(map(sorted, found.groups())) == [["b"], ["c", "e"], ["d"]]
    assert (found.measure, found.singled_out) == (1, 2)
    with pytest.raises(InputError, match="entry 2 of the 2"):
        networks.classes([("a", "b"), ("b", "c")], ["a", "zzz"])
    with pytest.raises(InputError, match="empty"):
        networks.classes([("a", "b")], [])
    with pytest.raises(InputError, match="whole network"):
        networks.classes([("a", "b")], ["a", "b"])


def test_risks_within_a_limit_that_is_long_are_those_without_one():
    ring = networks.read([(v, (v + 1) % 12) for v in range(12)])
    free, kept = networks.risks(ring, attackers=3), networks.risks(ring, attackers=3, time_limit=60)
    assert (free.re_identified, free.groups, free.examined.tolist()) == (
        kept.re_identified, kept.groups, kept.examined.tolist())  # fmt: skip
    hurried = networks.risks(ring, attackers=3, time_limit=0.5)
    assert 1 <= hurried.groups <= free.groups and hurried.members.size == 3
