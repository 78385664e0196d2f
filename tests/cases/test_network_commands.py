"""`incrowd network` from the shell: facts, sentences, files and exit status; the report of every question; no label unasked."""

from __future__ import annotations

import gzip
import json
import shlex

import networkx as nx
import pytest

from incrowd import networks
from incrowd.progress import Watch
from oracle import networks as truth
from report_pages import check_page

CANARY = "Zebedee"
FRIENDS = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("d", "f")]  # a path, and twins at its end
NEAR = truth.near_of(6, [("abcdef".index(a), "abcdef".index(b)) for a, b in FRIENDS])
FILES = {
    "friends.csv": "from,to\n" + "".join(f"{CANARY}{u},{CANARY}{v}\n" for u, v in FRIENDS),
    "parts.txt": "0 1\n1 2\n2 0\n3 4\n",
    "ring.txt": "0 1 2\n1 0 2\n1 2 3\n2 3 1\n3 0 1\n4 4 1\n2 3 1\n3 4 9\n",
    "square.txt": "0 1\n1 2\n2 3\n3 0\n",
    "star.txt": "".join(f"0 {v}\n" for v in range(1, 40)),
}


@pytest.fixture
def network(run, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda *arguments: run("network", *arguments)


EXPOSED = (
    "Removing names does not hide everybody in this network: one attacker in the right place is enough. Of all nodes, "
)
CROWD = (
    "An attacker who controls some nodes and knows all distances from them sees every other node in a crowd of those "
)
ASKS = "This answers how many nodes it takes, not whether the network may be handed out. "
SAID = [  # what is asked, what must be said in this order, blanks joined
    ("friends.csv", [
        "Network of 6 nodes and 5 edges. " + EXPOSED + "83.3% single out somebody by themselves, by distances alone; the "
        "one that learns most names 3 members.", CROWD,
        "The largest crowd that any set of attackers leaves to everybody is k = 2 (the antidimension): 1 attacker can be "
        "placed so that nobody is in a crowd below 2, and no placement leaves 3.",
        "Decided by one sweep for all k", "before everybody else is in a crowd of k. k attackers proven to be needed 1 to 2 1 1"]),
    ("friends.csv --profile", ["Decided", "needed 1 to 2 1 1"]),
    ("friends.csv --at-least 2", [ASKS, "a set of attackers whose smallest crowd has 2 or more nodes is 1."]),
    ("friends.csv --at-least 5", [ASKS, "There is no such thing as a set of attackers whose smallest crowd has 5 or more "
                                        "nodes: whoever attacks, the smallest crowd has another size."]),
    ("friends.csv --exactly 2", [ASKS, "whose smallest crowd has exactly 2 nodes is 1."]),
    ("friends.csv --exactly 1", [ASKS, "whose smallest crowd has exactly 1 node is 1."]),
    ("friends.csv --exactly 4", ["There is no such thing as a set of attackers whose smallest crowd has exactly 4 nodes"]),
    ("friends.csv --attackers 1", [
        "Removing names does not hide everybody in this network: 1 attacker can single somebody out. This is the worst "
        "case and true of nearly every real network; see how many are exposed.",
        "Against an attacker who controls at most 1 node the network gives no protection in the worst case: 1 node can be "
        "chosen so as to single somebody out (k = 1). Nearly every real network has k = 1"]),
    ("friends.csv --risks 2", [
        "Removing names is not enough: 2 attackers chosen at random still name ", "of the other members",
        "83.3% of the nodes single out somebody all by themselves; the one who learns most names 3 members.",
        "2 attackers chosen at random re-identify ", "200 groups drawn); the worst group drawn 100.0%."]),
    ("friends.csv --risks 1", ["1 attacker chosen at random still names ", "1 attacker chosen at random re-identifies "]),
    ("friends.csv --risks 2 --method greedy", [
        "2 attackers chosen well still name 100% of the other members",
        "2 attackers chosen greedily re-identify 100.0% of the other members; a better group may exist."]),
    ("friends.csv --simulate --trials 3 --sybils 4 --targets 2 --noise 1", [
        "The attack was tried, and found its accounts in 0% of the trials.",
        "In each of 3 trials an attacker planted 4 accounts, marked 2 members, and looked for them in the published "
        "network, of which 100.0% of the edges had been moved. The accounts were found again in 0 trials (0%; 95 % interval 0% "
        "to 56%); 0% of the marked members were named. By distances to the accounts found, 0.0% of all members"]),
    ("friends.csv --show-labels", ["Nodes: Zebedee", "needed 1 to 2 1 1"]),
    ("friends.csv --at-least 2 --method algorithm-3:starts=4 --seed 3", [
        "Algorithm III (Theorem 1(b)): with s starts it finds a set as small as a given solution V' with probability",
        "4 of 6 nodes were drawn as starts, with replacement: the answer is the best with probability 0.518 or more",
        "Theorem 1(b) as printed", "Decided by Algorithm III"]),
    ("friends.csv --exactly 1 --method theorem-3b", ["Theorem 3(b): where a node has degree 1, one attacker is enough."]),
    ("parts.txt --time-limit 60 --memory 9GB", [
        "Network of 5 nodes and 4 edges in 2 components. ", EXPOSED + "40.0% single out", "k = 3 (the antidimension): 2 "
        "attackers can be placed", "The network is not connected. Infinity counts as a distance of its own",
        "1 to 2 1 1 3 2 2"]),
    ("parts.txt --component largest", [
        "Network of 3 nodes and 3 edges. (only the largest component was kept; 2 nodes in 1 other component were left out)",
        "This is how the network behaves under attack; it is not yet a yes or no. Say how many members may side with an "
        "attacker, as attackers = 2, and ask what everybody else is left with."]),
    ("ring.txt", ["(1 pair given in both directions merged; 1 loop dropped; 1 repeated edge dropped; edge weights were "
                  "ignored: distances count edges)"]),
    ("square.txt --attackers 1", ["Removing names does not hide everybody"]),
    ("star.txt --attackers 1", ["Removing names does not hide everybody in this network: 1 attacker can single"]),
    ("star.txt --profile --component all", ["1 to 39 1 1"]),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "said"), SAID, ids=[asked for asked, _ in SAID])
def test_the_answer_is_told_in_words_and_names_nobody_unasked(network, asked, said):
    status, out, err = network(*asked.split())
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    words, at = " ".join(word for word in out.split() if word != "-"), 0
    for sentence in said:
        found = words.find(sentence, at)
        assert found >= 0, (sentence, words)
        at = found + len(sentence)
    assert (CANARY in out) == ("--show-labels" in asked)


CONTRACT = {
    "nodes", "edges", "components", "directed_merged", "loops_dropped", "duplicates_dropped", "question", "k", "attackers",
    "witness", "lower_bound", "upper_bound", "optimal", "status", "method", "seconds", "notes",
}  # fmt: skip
FACTS = [
    ("friends.csv", {"nodes": 6, "edges": 5, "components": 1, "question": "adim", "k": 2, "attackers": 1, "witness": None,
                     "lower_bound": 2, "upper_bound": 2, "optimal": True, "status": "optimal", "notes": []}),
    ("friends.csv --profile", {"question": "profile", "profile": [{"k": 1, "attackers": 1}, {"k": 2, "attackers": 1}]}),
    ("friends.csv --at-least 5", {"question": "at_least", "k": 5, "attackers": None, "witness": None, "lower_bound": None,
                                  "upper_bound": None, "optimal": True}),
    ("friends.csv --exactly 1", {"question": "exactly", "attackers": 1, "lower_bound": 1, "upper_bound": 1}),
    ("friends.csv --attackers 9", {"question": "attackers", "k": 1, "attackers_allowed": 9, "optimal": True}),
    ("parts.txt --profile", {"components": 2, "k": 3, "attackers": 2, "profile": [
        {"k": 1, "attackers": 1}, {"k": 2, "attackers": 1}, {"k": 3, "attackers": 2}]}),
    ("parts.txt --component largest", {"nodes": 3, "components": 1, "k": 2}),
    ("ring.txt", {"nodes": 5, "edges": 5, "directed_merged": 1, "loops_dropped": 1, "duplicates_dropped": 1,
                  "notes": ["edge weights were ignored: distances count edges"]}),
    ("friends.csv --method algorithm-2", {"k": 2, "method": "Algorithm II", "optimal": True}),
    ("friends.csv --no-header", {"nodes": 8, "components": 2}),
    ("parts.txt --format node-link", None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "facts"), FACTS, ids=[asked for asked, _ in FACTS])
def test_json_has_the_contracts_keys_and_the_true_facts(network, asked, facts):
    status, out, err = network(*asked.split(), "--json")
    if facts is None:
        assert (status, out) == (2, "") and "JSON" in err
        return
    found = json.loads(out)
    assert (status, err) == (0, "") and CANARY not in out
    assert set(found) - {"attackers_allowed", "profile"} == CONTRACT
    assert {name: found[name] for name in facts} == facts
    assert ("profile" in found) == ("--profile" in asked) and ("attackers_allowed" in found) == ("--attackers" in asked)


def test_labels_are_shown_when_asked_and_are_a_set_of_the_measure(network):
    for asked in ((), ("--exactly", 1), ("--at-least", 2), ("--attackers", 2)):
        found = json.loads(network("friends.csv", "--json", "--show-labels", *asked)[1])
        members = ["abcdef".index(label.removeprefix(CANARY)) for label in found["witness"]]
        assert len(members) == found["attackers"] and truth.measure(NEAR, members) >= found["k"]


def test_risks_and_simulation_in_json(network):
    found = json.loads(network("friends.csv", "--risks", 2, "--method", "greedy", "--json", "--show-labels")[1])[
        "risks"
    ]
    group = ["abcdef".index(label.removeprefix(CANARY)) for label in found["worst_group"]]
    assert set(found) == {"attackers", "strategy", "re_identified", "interval", "worst", "groups", "examined",
                          "exposed_nodes_share", "best_single_measure", "most_singled_out_by_one", "worst_group", "status",
                          "seed", "seconds"}  # fmt: skip
    assert found["re_identified"] == found["worst"] == truth.singled_out(NEAR, group) / 4 == 1.0
    assert (found["best_single_measure"], found["most_singled_out_by_one"], found["examined"]) == (2, 3, 6)
    assert found["exposed_nodes_share"] == 5 / 6 and found["interval"] == [1.0, 1.0] and found["seed"] == 0
    drawn = json.loads(network("friends.csv", "--risks", 2, "--seed", 3, "--json")[1])["risks"]
    again = json.loads(network("friends.csv", "--risks", 2, "--seed", 3, "--json")[1])["risks"]
    assert drawn | {"seconds": 0} == again | {"seconds": 0} and drawn["seed"] == 3 and drawn["worst_group"] is None
    asked = ("--simulate", "--trials", 3, "--sybils", 4, "--targets", 2, "--noise", 0.5, "--seed", 1, "--json")
    found = json.loads(network("friends.csv", *asked)[1])["simulation"]
    assert set(found) == {"sybils", "targets", "trials", "recovered", "ambiguous", "success", "interval", "re_identified",
                          "singled_out_by_distance", "noise", "status", "seed", "seconds"}  # fmt: skip
    assert [found[name] for name in ("sybils", "targets", "trials", "noise", "seed")] == [4, 2, 3, 0.5, 1]
    assert found["success"] == found["recovered"] / 3


MISTAKES = [
    ("nobody.csv", "there is no file 'nobody.csv'; give the path of a network file"),
    ("friends.csv --exactly 6", "exactly must be from 1 to 5"),
    ("friends.csv --at-least 0", "at_least must be from 1 to 5"),
    ("friends.csv --attackers 0", "attackers must be at least 1, not 0"),
    ("friends.csv --risks 6", "attackers must be from 1 to 5 (nodes less one), not 6"),
    ("friends.csv --profile --attackers 2", "--profile and --attackers are questions of their own; ask one at a time"),
    (
        "friends.csv --risks 1 --certificate c.json",
        "--certificate does not go with --risks: there is no claim to prove",
    ),
    ("friends.csv --simulate --certificate c.json", "--certificate does not go with --simulate"),
    ("friends.csv --method algorithm-1", "method 'algorithm-1' takes a level K (at_least = K)"),
    (
        "friends.csv --profile --method algorithm-2",
        "--method does not go with --profile: no method of the paper takes it",
    ),
    ("friends.csv --attackers 1 --method algorithm-3:starts=2", "--method does not go with --attackers"),
    ("friends.csv --risks 1 --method random:groups=none", "groups must be a whole number"),
    ("friends.csv --risks 1 --method greedy:groups=3", "--method of --risks is 'random'"),
    ("friends.csv --risks 1 --starts 2", "No such option '--starts'"),
    ("friends.csv --check c.json --report r.html", "--report does not go with --check"),
    ("friends.csv --check c.json", "there is no file 'c.json'; give the path of a certificate"),
    ("friends.csv --report friends.csv", "friends.csv"),
    ("friends.csv --time-limit 0", "time_limit must be above 0 seconds"),
    ("friends.csv --memory 5", "memory must be a size"),
    ("friends.csv --memory 50MB", "memory 50 MB is too little"),
    ("friends.csv --simulate --sybils 2", "sybils must be at least 3"),
    ("friends.csv --format gpickle", "format must be one of edges"),
    ("friends.csv --delimiter ,,", "delimiter must be one ASCII character"),
    ("friends.csv --risks 1 --method best", "--method of --risks is 'random'"),
    ("friends.csv --strategy best", "No such option '--strategy'"),
]


@pytest.mark.parametrize(("asked", "said"), MISTAKES, ids=[asked for asked, _ in MISTAKES])
def test_a_mistake_is_one_sentence_with_exit_status_2(network, tmp_path, asked, said):
    status, out, err = network(*asked.split())
    assert (status, out) == (2, "") and said in err and err.count("\n") == 1 and CANARY not in err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == FILES


def test_standard_input_is_a_network_too(network, monkeypatch, tmp_path):
    import io
    import types

    monkeypatch.setattr("sys.stdin", types.SimpleNamespace(buffer=io.BytesIO(b"1 2\n2 3\n"), isatty=lambda: False))
    assert json.loads(network("-", "--json")[1])["nodes"] == 3


@pytest.mark.parametrize(
    "asked", ["", "--profile", "--at-least 2", "--at-least 4", "--exactly 1", "--exactly 4", "--attackers 2"]
)
def test_a_certificate_is_written_and_rechecked(network, tmp_path, asked):
    assert network("friends.csv", *asked.split(), "--certificate", "c.json", "--quiet")[0] == 0
    text = (tmp_path / "c.json").read_text()
    assert CANARY not in text and text.endswith("}\n")
    status, out, err = network("friends.csv", "--check", "c.json", "--json")
    found = json.loads(out)
    assert (status, err, found["ok"]) == (0, "", True)
    answer = json.loads(network("friends.csv", *asked.split(), "--json")[1])
    assert (found["question"], found["k"], found["attackers"]) == (answer["question"], answer["k"], answer["attackers"])
    content = json.loads(text)
    (tmp_path / "bad.json").write_text(json.dumps(content | {"claims": []}))
    status, out, err = network("friends.csv", "--check", "bad.json")
    assert (status, err) == (1, "") and "The certificate does not hold:\n- the certificate claims nothing" in out
    assert json.loads(network("friends.csv", "--check", "bad.json", "--json")[1])["ok"] is False
    for name, broken in (("version.json", json.dumps(content | {"version": 99})), ("deep.json", "[" * 100_000)):
        (tmp_path / name).write_text(broken)
        status, out, err = network("friends.csv", "--check", name)
        assert (status, out) == (2, "") and "cannot be read" in err and err.count("\n") == 1
    assert network("square.txt", "--check", "c.json")[0] == 1


# ------------------------------------------------------------------------------------------- words of Python, intervals


def words(found):
    return " ".join(found.summary().split())


def test_an_answer_that_is_an_interval_says_so_and_why():
    ring = networks.read(nx.cycle_graph(30))
    watch = Watch()
    watch.interrupt()
    found = networks.antidimension(ring, watch=watch)
    assert "No crowd size was secured in the time given; at most 2 is possible." in words(found)
    assert repr(found) == "<Measurement of a network of 30 nodes and 30 edges: k=0 to 2 with None attackers>"
    found = networks.antidimension(ring, at_least=2, watch=watch)
    assert "Found no set (the search was stopped: interrupted). If there is a set of attackers whose smallest crowd has 2 or more nodes, it has at least 1 node." in words(found)  # fmt: skip
    assert repr(found).endswith("at least 2: no set known>")
    found = networks.anonymity(nx.complete_multipartite_graph(4, 5, 6), attackers=5, watch=Watch())
    assert found.optimal or "Not decided in time: against 5 attackers the smallest crowd has" in words(found)
    found = networks.antidimension(nx.star_graph(9), method="algorithm-3:starts=1", at_least=2, seed=1)
    assert (
        found.optimal
        or "lies between 1 and" in words(found)
        or "Found no set (not decided by this method)" in words(found)
    )


def test_what_is_said_where_nearly_everybody_has_to_be_an_attacker_and_of_long_curves():
    grown = nx.star_graph(8)  # a hub with leaves and legs of two: levels above one node's need nearly all
    for leg in range(4):
        nx.add_path(grown, [0, 100 + 10 * leg, 101 + 10 * leg])
    found = networks.profile(grown)
    curve = {point["k"]: point["attackers"] for point in found.profile}
    assert curve == truth.tree(truth.near_of(17, relabelled(grown)))
    most = max(curve)
    share = curve[most] / 17
    assert (f"That needs {share:.1%} of all nodes on the attacker's side" in words(found)) == (share > 0.5)
    spread, at = nx.Graph(), 1
    for tall in range(1, 15):  # a hub with 15 - h legs of height h: every level gives up one height more
        for _ in range(15 - tall):
            nx.add_path(spread, [0, *range(at, at + tall)])
            at += tall
    found = networks.profile(spread)
    sizes = [(step.first, step.last, step.attackers) for step in found.steps]
    assert len(sizes) > 12 and f"{sizes[-1][0]} {sizes[-1][2]} {sizes[-1][2]}" in words(found)
    assert "more steps" in networks.check(spread, found.certificate()).summary()
    assert networks.check(spread, found.certificate()).proven


def relabelled(graph):
    names = sorted(graph)
    return [(names.index(a), names.index(b)) for a, b in graph.edges]


def test_every_kind_of_answer_has_its_one_line_for_python():
    club = nx.karate_club_graph()
    for found, said in (
        (networks.antidimension(club), "k=9 with 1 attacker>"),
        (networks.antidimension(club, at_least=4, memory="9GB"), "at least 4: 1 attacker>"),
        (networks.antidimension(club, exactly=7), "exactly 7: no such set>"),
        (networks.antidimension(club, exactly=5), "exactly 5: 29 attackers>"),
        (networks.anonymity(club, attackers=2), "k=1 against 2 attackers>"),
        (networks.risks(club, groups=1), "of the others>"),
        (networks.simulate_attack(club, trials=1), "of 1 trial>"),
    ):
        assert repr(found).endswith(said)
        assert repr(found).startswith(f"<{type(found).__name__} of a network of 34 nodes and 78 edges: ")


def test_labels_that_a_terminal_would_obey_are_written_out(run, tmp_path):
    content = {"nodes": [{"id": "\x1b[31m"}, {"id": "\ud800"}], "links": [{"source": "\x1b[31m", "target": "\ud800"}]}
    (tmp_path / "g.json").write_text(json.dumps(content))
    status, out, _ = run("network", "g.json", "--show-labels")
    assert status == 0 and "\x1b" not in out
    many = networks.antidimension(nx.complete_graph(20), exactly=4, show_labels=True)
    assert many.attackers == 16 and ", ..." in many.summary()


def test_a_network_of_people_names_none_of_them_in_any_answer():
    secret = nx.relabel_nodes(nx.karate_club_graph(), lambda v: f"member-{v}-{CANARY}")
    for found in (
        networks.antidimension(secret), networks.profile(secret), networks.antidimension(secret, exactly=5),
        networks.anonymity(secret, attackers=2), networks.risks(secret, attackers=2, groups=5),
        networks.simulate_attack(secret, trials=2), networks.read(secret), networks.classes(secret, [f"member-0-{CANARY}"]),
    ):  # fmt: skip
        facts = json.dumps(found.to_json()) if hasattr(found, "to_json") else ""
        told = found.summary() + found._repr_html_() if hasattr(found, "summary") else ""
        assert CANARY not in facts + told + repr(found)
        if hasattr(found, "certificate"):
            assert CANARY not in json.dumps(found.certificate())


# ------------------------------------------------------------------------------------------- reports


QUESTIONS = {
    "adim": ((), lambda g, **o: networks.antidimension(g, **o)),
    "profile": (("--profile",), lambda g, **o: networks.profile(g, **o)),
    "at_least": (("--at-least", "3"), lambda g, **o: networks.antidimension(g, at_least=3, **o)),
    "exactly": (("--exactly", "2"), lambda g, **o: networks.antidimension(g, exactly=2, **o)),
    "attackers": (("--attackers", "2"), lambda g, **o: networks.anonymity(g, attackers=2, **o)),
    "risks": (("--risks", "2"), lambda g, **o: networks.risks(g, attackers=2, **o)),
    "greedy": (("--risks", "2"), lambda g, **o: networks.risks(g, attackers=2, strategy="greedy", **o)),
    "simulation": (("--simulate",), lambda g, **o: networks.simulate_attack(g, trials=3, sybils=5)),
}
CARDS = {
    "adim": "largest crowd anybody can secure (ADIM) 9 k of the network attackers in the set that was found 1 2.9% of the nodes proven yes optimal",
    "profile": "largest crowd anybody can secure (ADIM) 9 k of the network",
    "at_least": "attackers needed 1 for k = 3 proven yes optimal",
    "exactly": "attackers needed 1 for k = 2 proven yes optimal",
    "attackers": "people at least in every crowd 1 k of the network",
    "risks": "200 groups drawn named by the worst group met",
    "greedy": "of the other members are named",
    "simulation": "of the attacks found their accounts",
}  # fmt: skip
AGAIN = {
    "risks": ["--risks", "2", "--method", "random:groups=200", "--seed", "0"],
    "greedy": ["--risks", "2", "--method", "greedy", "--seed", "0"],
    "simulation": ["--simulate", "--trials", "3", "--sybils", "5", "--targets", "5", "--noise", "0.0", "--seed", "0"],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_a_report_without_labels_with_the_counts_of_the_measurement(tmp_path, question):
    karate = nx.karate_club_graph()
    friends = [(f"{CANARY}-{a:02d}", f"{CANARY}-{b:02d}") for a, b in karate.edges]
    near = truth.near_of(34, list(karate.edges))
    flags, ask = QUESTIONS[question]
    found = ask(friends, show_labels=True)
    found.report(tmp_path / "net.html", source="friends.csv")
    text = (tmp_path / "net.html").read_text()
    parts = check_page(text)
    assert CANARY not in text + found._repr_html_()
    for said in ("Network of 34 nodes: friends.csv", "34 nodes and 78 edges", "What was asked and answered", "What to cite",
                 "What this does not say", CARDS[question], "friends.csv"):  # fmt: skip
        assert said in parts.text, said
    for section, questions in (("Attackers against crowd size", ("adim", "profile")),
                               ("Layers around the attackers", ("adim", "profile", "at_least", "exactly", "attackers")),
                               ("Random attackers are typical ones", ("risks", "greedy"))):  # fmt: skip
        assert (section in parts.text) == (question in questions)
    assert ("How exposed members are" in parts.text) == (question != "simulation")
    lines = [shlex.split(line)[1:] for line in parts.code[-1].splitlines()]
    if question in ("risks", "greedy", "simulation"):
        assert lines == [["network", "friends.csv", *AGAIN[question]]]
    else:
        assert lines[0] == ["network", "friends.csv", *flags, "--certificate", "certificate.json"]
        assert lines[1] == ["network", "friends.csv", "--check", "certificate.json"]
        members = found.members.tolist()
        nearest = [min(truth.distances_from(near, m)[v] for m in members) for v in range(34)]
        assert (
            f"These attackers single out {truth.singled_out(near, members)} of the {34 - len(members)} other"
            in parts.text
        )
        for d in range(1, int(max(nearest)) + 1):
            assert f"{nearest.count(d)}" in parts.text
    if question != "simulation":
        alone = [truth.singled_out(near, [v]) for v in range(34)]
        share = f"{100 * sum(x > 0 for x in alone) / 34:.1f}%"
        assert f"Of all nodes, {share} single out somebody by themselves, by distances alone" in parts.text
        assert f"the one that learns most names {max(alone)} member" in parts.text


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (nx.path_graph(9), ["9 nodes and 8 edges"]),
        (nx.cycle_graph(3), ["none singles out a member all by itself"]),
        (nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(4)), ["9 nodes and 11 edges in 2 components", "not connected 5",
            "A node of another component is at distance infinity, which counts as a distance of its own."]),
        (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), ["The network falls apart, and then these numbers say little"]),
        (nx.path_graph(2), ["2 nodes and 1 edge"]),
        (nx.path_graph(60), ["farther"]),
        (nx.MultiDiGraph([(0, 1), (1, 0), (0, 1), (1, 1), (1, 2)]), [
            "pairs given in both directions, merged", "loops dropped", "repeated edges dropped"]),
    ],
)  # fmt: skip
def test_networks_of_all_kinds_have_reports(tmp_path, graph, said):
    networks.profile(graph).report(tmp_path / "net.html")
    parts = check_page((tmp_path / "net.html").read_text())
    for sentence in said:
        assert sentence in parts.text, sentence
    networks.anonymity(graph, attackers=2).report(tmp_path / "net.html")
    check_page((tmp_path / "net.html").read_text())


def test_an_auditor_can_run_what_the_report_says(tmp_path, run):
    edges = "\n".join(f"{CANARY}{a},{CANARY}{b}" for a, b in nx.karate_club_graph().edges)
    (tmp_path / "friends.csv.gz").write_bytes(gzip.compress(edges.encode()))
    for asked in (("--profile",), ("--attackers", "2"), ("--exactly", "3")):
        assert run("network", "friends.csv.gz", *asked, "--report", "net.html")[0] == 0
        (block,) = check_page((tmp_path / "net.html").read_text()).code
        for command in block.splitlines():
            assert run(*shlex.split(command)[1:])[0] == 0, command
    assert run("network", "friends.csv.gz", "--attackers", "2", "--report", "n.html", "--certificate", "c.json")[0] == 0
    (block,) = check_page((tmp_path / "n.html").read_text()).code
    assert shlex.split(block)[1:] == ["network", "friends.csv.gz", "--check", "c.json"]
    assert run(*shlex.split(block)[1:])[0] == 0
    before = (tmp_path / "friends.csv.gz").read_bytes()
    assert run("network", "friends.csv.gz", "--report", "friends.csv.gz")[0] == 2
    assert run("network", "friends.csv.gz", "--check", "c.json", "--report", "r.html")[0] == 2
    assert (tmp_path / "friends.csv.gz").read_bytes() == before and not (tmp_path / "r.html").exists()
