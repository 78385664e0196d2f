"""The summary of a network: what it means first, in words, then the numbers."""

import networkx as nx

from incrowd import networks
from incrowd.networks.words import words_of
from incrowd.report.facts.network import verdict_facts
from incrowd.report.text.network import network_summary
from incrowd.report.text.verdict import verdict_of_network


def test_the_meaning_comes_first_and_is_that_of_the_report():
    for found in (
        networks.antidimension(nx.path_graph(6)), networks.profile(nx.cycle_graph(6)),
        networks.anonymity(nx.path_graph(6), attackers=1), networks.risks(nx.path_graph(6), attackers=1),
        networks.simulate_attack(nx.path_graph(6), trials=2, sybils=3),
    ):  # fmt: skip
        said = network_summary(found)
        verdict = verdict_of_network(verdict_facts(found))
        assert " ".join(said.split()).startswith(verdict.headline)
        assert said.partition("\n\n")[2].split() == words_of(found).split()
        assert max(map(len, said.splitlines())) <= 100


def test_who_asks_nothing_in_particular_is_told_that_one_attacker_is_enough_only_where_it_is_so():
    exposed = network_summary(networks.antidimension(nx.path_graph(6)))
    assert "one attacker in the right place is enough" in exposed.splitlines()[0]
    hidden = networks.antidimension(nx.cycle_graph(3))  # whoever attacks sees the two others alike
    assert verdict_facts(hidden)["alone"]["exposing"] == 0
    assert "single" not in network_summary(hidden).partition("\n\n")[0]


def test_a_large_network_is_summed_up_without_another_search(monkeypatch):
    found = networks.antidimension(nx.path_graph(6))
    monkeypatch.setattr("incrowd.report.facts.network.QUICK_VISITS", 20)
    assert "alone" not in verdict_facts(found)
    assert network_summary(found)
