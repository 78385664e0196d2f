"""Answers in words."""

import networkx as nx

from incrowd import networks
from incrowd.networks.words import graph_words, words_of


def test_each_question_is_answered_in_its_own_words():
    path, star = nx.path_graph(4), nx.star_graph(4)
    assert "k = 4 (the antidimension)" in words_of(networks.antidimension(star))
    assert "The least number of nodes" in words_of(networks.antidimension(star, at_least=2))
    assert "gives no protection in the worst case" in words_of(networks.anonymity(path, attackers=1))
    assert "single out somebody all by themselves" in words_of(networks.risks(path))
    assert "1 attacker chosen at random re-identifies " in words_of(networks.risks(path))
    assert "2 attackers chosen at random re-identify " in words_of(networks.risks(path, attackers=2))
    assert "an attacker planted" in words_of(networks.simulate_attack(path, trials=1, sybils=3))


def test_labels_are_told_only_when_asked_for_and_their_control_characters_are_written_out():
    edges = [("hub\x1b[2J", leaf) for leaf in "abc"]
    assert "hub" not in words_of(networks.antidimension(edges))
    told = words_of(networks.antidimension(edges, show_labels=True))
    assert "Nodes: hub\\x1b[2J" in told


def test_what_was_changed_while_reading_is_told():
    graph = networks.read(b"0 1\n1 0\n2 2\n1 2\n1 2\n")
    told = graph_words(graph)
    assert told.startswith("Network of 3 nodes and 2 edges. (")
    for words in ("1 pair given in both directions merged", "1 loop dropped", "1 repeated edge dropped"):
        assert words in told
