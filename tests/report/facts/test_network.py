"""Facts of a network: counts and sizes, and no label of a node."""

import json

import networkx as nx

from incrowd import networks
from incrowd.report.facts.network import network_facts

CANARY = "Zebedee4711"
EDGES = [(f"{CANARY}-{a}", f"{CANARY}-{b}") for a, b in nx.path_graph(6).edges]


def test_a_measurement_tells_its_curve_and_what_its_witness_sees_without_a_label():
    facts = network_facts(networks.antidimension(EDGES, show_labels=True))
    assert (facts["nodes"], facts["edges"], facts["components"]) == (6, 5, 1)
    assert sum(facts["layers"]) + facts["unreached"] == 6
    assert sum(line["rows"] for line in facts["witness_classes"]) + facts["layers"][0] == 6
    assert facts["steps"][-1]["last"] == facts["k"]
    assert sum(line["nodes"] for line in facts["alone"]["bins"]) == facts["alone"]["examined"] == 6
    assert CANARY not in json.dumps(facts)


def test_risks_and_simulations_say_which_question_they_answer():
    assert network_facts(networks.risks(EDGES, attackers=1))["question"] == "risks"
    assert network_facts(networks.simulate_attack(EDGES, trials=1, sybils=3, targets=1))["question"] == "simulation"
