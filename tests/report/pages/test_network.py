"""The report of a network: the answer, the curve and the witness in counts; the label of no node."""

import gzip
import shlex

import networkx as nx
import pytest

from incrowd import networks
from incrowd.networks.models.layers import layers_around
from report_pages import check_page
from seeds import seeds

CANARY = "Zebedee4711"


def friends(graph=None):
    graph = graph or nx.karate_club_graph()
    return [(f"{CANARY}-{a}", f"{CANARY}-{b}") for a, b in graph.edges]


QUESTIONS = {
    "adim": lambda g, **o: networks.antidimension(g, **o),
    "profile": lambda g, **o: networks.profile(g, **o),
    "at_least": lambda g, **o: networks.antidimension(g, at_least=3, **o),
    "exactly": lambda g, **o: networks.antidimension(g, exactly=2, **o),
    "attackers": lambda g, **o: networks.anonymity(g, attackers=2, **o),
    "risks": lambda g, **o: networks.risks(g, attackers=2, **o),
    "greedy": lambda g, **o: networks.risks(g, attackers=2, strategy="greedy", **o),
    "simulation": lambda g, **o: networks.simulate_attack(g, trials=3, sybils=5),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_a_report_without_labels(tmp_path, question):
    found = QUESTIONS[question](friends(), show_labels=True)
    found.report(tmp_path / "net.html", source="friends.csv")
    text = (tmp_path / "net.html").read_text()
    parts = check_page(text)
    assert CANARY not in text
    assert CANARY not in found._repr_html_()
    for said in ("34 nodes, 78 edges", "What was asked and answered", "What this does not say", "What to cite"):
        assert said in parts.text, said
    assert "friends.csv" in parts.text
    if question in ("adim", "profile"):
        assert "Attackers against crowd size" in parts.text
        assert "Layers around the attackers" in parts.text
    if question != "simulation":
        assert "How exposed members are" in parts.text


GRAPHS = {
    "path": nx.path_graph(9),
    "star": nx.star_graph(6),
    "two parts": nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(4)),
    "two nodes": nx.path_graph(2),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 5)),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("question", ["profile", "attackers"])
def test_graphs_of_all_kinds_have_reports(tmp_path, graph, question):
    found = QUESTIONS[question](friends(GRAPHS[graph]))
    found.report(tmp_path / "net.html")
    check_page((tmp_path / "net.html").read_text())


@seeds(30)
def test_layers_are_those_of_a_plain_search(seed):
    graph = nx.gnp_random_graph(25, 0.08, seed=seed)
    graph.add_edges_from([(0, 1), (23, 24)])
    read = networks.read(sorted(graph.edges))
    index = {read.label(i): i for i in range(read.nodes)}
    members = sorted(list(index)[:: 1 + seed % 7][:3])
    sizes, apart = layers_around(read, read.index_of(members))
    near = nx.multi_source_dijkstra_path_length(graph, set(members))
    near = {node: d for node, d in near.items() if node in index}
    plain = [sum(d == i for d in near.values()) for i in range(int(max(near.values())) + 1)]
    assert sizes == plain
    assert apart == read.nodes - sum(plain)


def test_the_counts_of_the_page_are_those_of_the_measurement(tmp_path):
    from incrowd.report.facts.network import network_facts

    found = networks.profile(friends())
    facts = network_facts(found)
    seen = networks.classes(friends(), found.witness)
    assert facts["singled_out"] == seen.singled_out
    assert sum(line["rows"] for line in facts["witness_classes"]) == 34 - found.attackers
    assert sum(facts["layers"]) + facts["unreached"] == 34
    assert facts["layers"][0] == found.attackers
    single = networks.risks(friends(), attackers=1)
    assert facts["alone"]["exposing"] == single.exposed
    assert facts["alone"]["most"] == int(single.singles.max())
    assert sum(line["nodes"] for line in facts["alone"]["bins"]) == facts["alone"]["examined"] == 34


def test_an_auditor_can_run_what_the_report_says(tmp_path, run):
    (tmp_path / "friends.csv.gz").write_bytes(gzip.compress(("\n".join(f"{a},{b}" for a, b in friends())).encode()))
    assert run("network", "friends.csv.gz", "--profile", "--report", "net.html")[0] == 0
    (block,) = check_page((tmp_path / "net.html").read_text()).code
    for command in block.splitlines():
        assert run(*shlex.split(command)[1:])[0] == 0, command
    assert (
        run("network", "friends.csv.gz", "--attackers", "2", "--report", "net.html", "--certificate", "c.json")[0] == 0
    )
    (block,) = check_page((tmp_path / "net.html").read_text()).code
    assert shlex.split(block)[1:] == ["network", "friends.csv.gz", "--check", "c.json"]
    assert run(*shlex.split(block)[1:])[0] == 0


def test_a_report_is_refused_where_it_makes_no_sense(tmp_path, run):
    path = tmp_path / "friends.csv"
    path.write_text("a,b\nb,c\n")
    assert run("network", path, "--report", path)[0] == 2
    assert path.read_text() == "a,b\nb,c\n"
    assert run("network", path, "--check", "c.json", "--report", "r.html")[0] == 2
