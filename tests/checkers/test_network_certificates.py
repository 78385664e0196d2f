"""Certificates of networks, true and changed, before both of their checkers and the truth of all sets of nodes."""

from __future__ import annotations

import copy
import itertools
import json
import random
import re

import networkx as nx
import pytest

from checkers import corpus
from checkers.changes import changed
from incrowd import networks
from incrowd.check import network as second
from incrowd.errors import InputError
from oracle import graphs
from oracle import networks as truth
from seeds import seeds

SAID = ("ok", "proven", "k", "attackers", "lower_bound", "upper_bound")
HEAD = {"format": "incrowd-network-certificate", "version": 1}


def both(graph, near, certificate):
    """What the two checkers say, which is the same; "unreadable" where they refuse."""
    try:
        first = networks.check(graph, copy.deepcopy(certificate)).to_json()
        first = {name: first[name] for name in SAID}
    except InputError as error:
        assert "cannot be read" in str(error)
        first = "unreadable"
    try:
        other = second.check(near, copy.deepcopy(certificate))
        other = {name: other.get(name) for name in SAID}
    except second.Unreadable:
        other = "unreadable"
    assert first == other, certificate
    return first


def small(seed, most=8):
    """A network without lonely nodes, as both checkers number it."""
    rng = random.Random(seed)
    while True:
        _n, edges = graphs.draw(rng, 3, most)
        names = sorted({v for e in edges for v in e})
        if len(names) > 2:
            edges = [(names.index(a), names.index(b)) for a, b in edges]
            return rng, networks.read(edges), truth.near_of(len(names), edges)


def questions(graph):
    yield networks.antidimension(graph)
    yield networks.profile(graph)
    for k in range(1, graph.nodes):
        yield networks.antidimension(graph, at_least=k)
        yield networks.antidimension(graph, exactly=k)
        yield networks.anonymity(graph, attackers=k)


def true_of(said, certificate, of_sets):
    """Whether a verdict says nothing that all sets of nodes refute."""
    if said == "unreadable" or not said["ok"]:
        return True
    question, low, high = certificate["question"], said["lower_bound"], said["upper_bound"]
    if question == "attackers":
        return low <= truth.least(of_sets, certificate["claims"][0]["allowed"]) <= high
    if question in ("adim", "profile"):
        return low <= max(truth.at_least(of_sets)) <= high
    least = (truth.at_least if question == "at_least" else truth.exactly)(of_sets).get(said["k"])
    if said["attackers"] is None and said["proven"]:
        return least is None
    return (least is None or low is None or low <= least) and (high is None or (least is not None and least <= high))


@seeds(600, 12)
def test_true_certificates_are_good_by_both_checkers_and_say_the_answer(seed):
    _, graph, near = small(seed)
    of_sets = truth.measures(near)
    for found in questions(graph):
        content = json.loads(json.dumps(found.certificate()))
        said = both(graph, near, content)
        assert said["ok"] and true_of(said, content, of_sets)
        assert said["k"] == found.k and said["attackers"] == found.attackers
        if found.question in ("adim", "profile", "at_least"):
            assert said["proven"] and (said["lower_bound"], said["upper_bound"]) == (
                found.lower_bound,
                found.upper_bound,
            )
        full = networks.check(graph, content).to_json()
        if found.question == "profile":
            assert [(p["k"], p["attackers"]) for p in full["profile"]] == [
                (p["k"], p["attackers"]) for p in found.profile
            ]
            assert all(p["attackers"] == p["attackers_at_least"] for p in full["profile"])
        assert full.get("attackers_allowed") == (min(found.allowed, graph.nodes - 1) if found.allowed else None)


def changes(rng, content, n):
    """Certificates with one thing changed."""
    numbers = [None, 0, 1, 2, 3, n - 2, n - 1, n, n + 1, -1, True, 2.0, "2", 2**63, []]
    for i, claim in enumerate(content["claims"]):
        for key in claim:
            made = copy.deepcopy(content)
            made["claims"][i][key] = rng.choice(numbers)
            yield made
            if isinstance(claim[key], int):
                for step in (-1, 1):
                    made = copy.deepcopy(content)
                    made["claims"][i][key] += step
                    yield made
        for members in (None, [], list(range(n)), [0], [n], rng.sample(range(n), rng.randint(1, n - 1)), [0, 0]):
            made = copy.deepcopy(content)
            made["claims"][i]["members"] = members
            yield made
        for key in (*claim, "proof"):
            made = copy.deepcopy(content)
            made["claims"][i].pop(key, None) if key in claim else made["claims"][i].update(proof=1)
            yield made
        yield content | {"claims": [c for j, c in enumerate(content["claims"]) if j != i]}
        yield content | {"claims": [*content["claims"], claim]}
    for key in content:
        yield {name: value for name, value in content.items() if name != key}
        yield content | {key: rng.choice(numbers)}
    for question in ("adim", "profile", "at_least", "exactly", "attackers"):
        yield content | {"question": question}


@seeds(400, 8)
def test_of_a_changed_certificate_nothing_untrue_is_called_good(seed):
    rng, graph, near = small(seed, most=7)
    of_sets = truth.measures(near)
    asked = list(questions(graph))
    for found in [*asked[:2], *rng.sample(asked[2:], min(4, len(asked) - 2))]:
        for made in changes(rng, json.loads(json.dumps(found.certificate())), graph.nodes):
            assert true_of(both(graph, near, made), made, of_sets), made


@seeds(600, 16)
def test_of_a_certificate_changed_anywhere_nothing_untrue_is_called_good(seed):
    rng, graph, near = small(seed)
    of_sets = truth.measures(near)
    honest = json.loads(json.dumps(rng.choice(list(questions(graph))).certificate()))
    for _ in range(15):
        made = changed(honest, honest, rng)
        assert true_of(both(graph, near, made), made, of_sets), made


@seeds(300, 12)
def test_no_bare_claim_proves_more_than_is_true_and_every_true_bound_of_at_least_k_is_proven(seed):
    _, graph, near = small(seed, most=7)
    of_sets, n = truth.measures(near), graph.nodes
    head = HEAD | {"nodes": n, "edges": graph.edges}
    for kind, sizes in (("at_least", truth.at_least(of_sets)), ("exactly", truth.exactly(of_sets))):
        for k, lower in itertools.product(range(1, n), (2, 3, n - 1, None)):
            claim = {"kind": kind, "k": k, "members": None, "lower": lower}
            made = head | {"question": kind, "claims": [claim]}
            said = both(graph, near, made)
            assert true_of(said, made, of_sets)
            if kind == "at_least":
                least = sizes.get(k)
                assert said["ok"] == (least is None or (lower is not None and lower <= least))
                assert said["ok"] <= (said["proven"] == (least is None and lower is None))
            elif said["ok"] and said["proven"]:
                assert k not in sizes


# karate: 34 nodes, the antidimension is 9, reached by one node


@pytest.fixture(scope="module")
def club():
    return networks.read(nx.karate_club_graph())


@pytest.fixture(scope="module")
def near(club):
    return truth.near_of(34, list(nx.karate_club_graph().edges))


def forged(question, *claims):
    return HEAD | {"nodes": 34, "edges": 78, "question": question, "claims": list(claims)}


def at_least(k, members, lower, kind="at_least"):
    return {"kind": kind, "k": k, "members": members, "lower": lower}


def attackers(k, members, allowed, lower_k):
    return {"kind": "attackers", "k": k, "members": members, "allowed": allowed, "lower_k": lower_k}


REFUSED = {
    "no claim": (forged("adim"), "claims nothing"),
    "no attackers shown": (forged("attackers", attackers(8, None, 5, 1)), "states nothing"),
    "no attackers shown, every level claimed": (forged("attackers", attackers(30, None, 1, 30)), "states nothing"),
    "at least, neither set nor bound": (forged("at_least", at_least(8, None, 1)), "states nothing"),
    "exactly, neither set nor bound": (forged("exactly", at_least(8, None, 1, "exactly")), "states nothing"),
    "a claim of another kind": (forged("exactly", at_least(2, [0], 1)), "no answer to the question 'exactly'"),
    "a claim of another kind beside": (
        forged("profile", at_least(2, [0], 1), attackers(1, [0], 1, 1)),
        "claim 2 is of the kind 'attackers'",
    ),
    "two answers": (forged("at_least", at_least(2, [0], 1), at_least(3, [0], 1)), "has one answer"),
    "one level twice": (
        forged("adim", at_least(2, [0], 1), at_least(2, [1], 1), at_least(10, None, None)),
        "two claims say something of the same kind about k = 2",
    ),
    "no set for the antidimension": (forged("adim", at_least(10, None, None)), "shows no set"),
    "nothing beyond the antidimension": (forged("adim", at_least(2, [0], 1)), "nothing says that no set leaves crowds"),
    "a set and none": (forged("at_least", at_least(2, [0], None)), "and shows one"),
    "a set beyond the last": (forged("adim", at_least(2, [0], 1), at_least(2, None, None)), "and shows one for k = 2"),
    "more needed than shown": (forged("at_least", at_least(2, [0], 2)), "needs 2 attackers or more; there are a set of 1"),
    "more needed than there are": (forged("at_least", at_least(2, None, 34)), "34 nodes in all"),
    "a level above the nodes": (forged("at_least", at_least(34, None, None)), "the network has 34 nodes"),
    "a level beyond the last": (forged("adim", at_least(2, [0], 1), at_least(40, None, None)), "the network has 34 nodes"),
    "attackers kept above their own level": (forged("attackers", attackers(1, [0], 2, 4)), "and shows a set for k = 1"),
    "more attackers than allowed": (forged("attackers", attackers(1, [0, 1], 1, 1)), "more than 1 nodes"),
    "nobody": (forged("at_least", at_least(2, [], 1)), "no proper set of nodes"),
    "everybody": (forged("at_least", at_least(2, list(range(34)), 1)), "no proper set of nodes"),
    "a member that is no node": (forged("at_least", at_least(2, [34], 1)), "no proper set of nodes"),
    "a set of a smaller measure": (forged("at_least", at_least(9, [11], 1)), "leaves one of 1"),
    "a set of a larger measure": (forged("exactly", at_least(3, [0], 1, "exactly")), "claimed to leave crowds of 3"),
    "a smaller set exists": (forged("at_least", at_least(9, None, 2)), "a smaller set exists for k = 9"),
    "a set exists": (forged("at_least", at_least(9, None, None)), "a smaller set exists for k = 9"),
    "a smaller crowd exists": (forged("attackers", attackers(4, [0], 1, 4)), "leave|reach below"),
    "another network": (forged("adim") | {"nodes": 35}, "is for 35 nodes, the network has 34"),
    "other edges": (forged("adim") | {"edges": 77}, "is for 77 edges, the network has 78"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_certificate_that_does_not_support_what_it_says_is_refused_with_the_reason(club, near, case):
    content, said = REFUSED[case]
    verdict = networks.check(club, content)
    assert not verdict.ok and not verdict.proven and verdict.answer is None
    assert any(re.search(said, sentence) for sentence in verdict.violations), verdict.violations
    assert verdict.summary().startswith("The certificate does not hold:\n- ")
    facts = verdict.to_json()
    assert [facts[name] for name in ("k", "attackers", "lower_bound", "upper_bound")] == [None] * 4
    assert not both(club, near, content)["ok"]


def claim(**changed):
    return {"claims": [at_least(2, [0], 1) | changed]}


def without(name):
    return {"claims": [{key: value for key, value in at_least(2, [0], 1).items() if key != name}]}


UNREADABLE = {
    "another version": ({"version": 99}, "version should be 1"),
    "a version of the kind 1.0": ({"version": 1.0}, "version should be 1"),
    "a version that is true": ({"version": True}, "version should be 1"),
    "a version that is no number": ({"version": "1"}, "version should be 1"),
    "another format": ({"format": "x"}, "should be the JSON object that"),
    "nodes with a point": ({"nodes": 34.0}, "'nodes' should be a whole number"),
    "edges that are true": ({"edges": True}, "'edges' should be a whole number"),
    "a key that no certificate has": ({"proof": "trust me"}, "it has 1 key that no certificate has"),
    "two of them": ({"proof": "trust me", "more": 1}, "it has 2 keys that no certificate has"),
    "an unknown question": ({"question": "x"}, "question should be one of adim, profile, at_least, exactly, attackers"),
    "a question that is a list": ({"question": []}, "question should be one of"),
    "claims that are an object": ({"claims": {}}, "'claims' should be a list"),
    "a claim that is a list": ({"claims": [[]]}, "claim 1 should be an object"),
    "an unknown kind": (claim(kind="rumour"), "whose kind is one of"),
    "a kind that is a list": (claim(kind=["at_least"]), "claim 1 should be an object whose kind"),
    "a claim with a key too many": ({"claims": [at_least(2, [0], 1), at_least(2, [0], 1) | {"allowed": 3}]}, "claim 2 has 1 key"),
    "a member beyond all numbers": (claim(members=[10**30]), "'members' of claim 1"),
    "a member of 2 to the 63": (claim(members=[2**63]), "'members' of claim 1"),
    "a member that is true": (claim(members=[True]), "'members' of claim 1"),
    "a member that is 1.0": (claim(members=[1.0]), "'members' of claim 1"),
    "a negative member": (claim(members=[-1]), "'members' of claim 1"),
    "members that are a text": (claim(members="0"), "'members' of claim 1"),
    "a member named twice": (claim(members=[3, 5, 3]), "claim 1 names a member twice"),
    "k of 2 to the 63": (claim(k=2**63, members=None, lower=None), "'k' of claim 1"),
    "k that is true": (claim(k=True), "'k' of claim 1"),
    "k of 0": (claim(k=0), "'k' of claim 1"),
    "lower of 2 to the 63": (claim(lower=2**63), "'lower' of claim 1"),
    "lower of 0": (claim(lower=0), "'lower' of claim 1 should be null or a whole number from 1"),
    "lower that is true": (claim(lower=True), "'lower' of claim 1"),
    "no lower": (without("lower"), "claim 1 lacks 'lower'"),
    "no members": (without("members"), "claim 1 lacks 'members'"),
    "no k": (without("k"), "claim 1 lacks 'k'"),
    "attackers without their number": (claim(kind="attackers", lower=None), "lacks 'allowed'"),
    "allowed of 2 to the 63": (claim(kind="attackers", lower=None, allowed=2**63, lower_k=1), "'allowed' of claim 1"),
    "lower with attackers": (claim(kind="attackers", lower=1, allowed=1, lower_k=1), "'lower' of claim 1 should be null"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_no_certificate_of_this_version_is_unreadable(club, near, case):
    changed, said = UNREADABLE[case]
    content = networks.antidimension(club).certificate() | changed
    with pytest.raises(InputError, match="^the certificate cannot be read: ") as refused:
        networks.check(club, content)
    assert said in str(refused.value) and "trust me" not in str(refused.value)
    assert both(club, near, content) == "unreadable"


@pytest.mark.parametrize("name", ["format", "version", "nodes", "edges", "question", "claims"])
def test_no_key_may_be_missing(club, near, name):
    content = {key: value for key, value in networks.antidimension(club).certificate().items() if key != name}
    assert both(club, near, content) == "unreadable"


FILES = {
    "nested without end": '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
    "a list nested without end": "[" * 100_000,
    "a list": "[1]",
    "cut off": "{",
    "a number of 9000 digits": '{"a":' + "9" * 9000 + "}",
    "NaN": '{"format": "incrowd-network-certificate", "nodes": NaN}',
    "infinity": '{"format": "incrowd-network-certificate", "nodes": Infinity}',
    "a key twice": '{"format": "x", "format": "incrowd-network-certificate"}',
    "no UTF-8": b"\xff\xfe{",
    "nothing": "",
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_plain_json_object_is_unreadable_by_both(club, tmp_path, capsys, case):
    content = FILES[case]
    (tmp_path / "c.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "edges.txt").write_text("1 2\n2 3\n")
    with pytest.raises(InputError, match=r"'c\.json' cannot be read: it should be a JSON object, no key twice"):
        networks.check(club, tmp_path / "c.json")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 2
    assert capsys.readouterr().out == ""


def test_half_an_answer_is_not_called_proven_and_what_was_proven_is_told(club, near):
    pair = next(list(p) for p in itertools.combinations(range(34), 2) if networks.classes(club, p).measure > 1)
    best = networks.antidimension(club).members.tolist()
    for content, low, high, words in (
        (forged("exactly", at_least(5, None, 2, "exactly")), 1, None, "if there is one, has 1 nodes or more"),
        (forged("at_least", at_least(2, pair, 1)), 1, 2, "the least number lies from 1 to 2"),
        (forged("adim", at_least(9, best, 1), at_least(12, None, None)), 9, 11, "the antidimension lies from 9 to 11"),
        (forged("attackers", attackers(9, best, 2, 1)), 1, 9, "that no 2 attackers reach below k = 1, and no more"),
    ):
        verdict = networks.check(club, content)
        assert verdict.ok and not verdict.proven
        assert (verdict.answer.lower_bound, verdict.answer.upper_bound) == (low, high)
        assert "NOT the whole answer" in verdict.summary() and words in verdict.summary()
        assert not both(club, near, content)["proven"]
    for asked, words in (
        ({}, "1 attacker leaves everybody else in a crowd of 9 or more (so many are needed, at least: 1), and no set "
             "leaves 10: the antidimension is 9."),
        ({"at_least": 5}, "1 attacker leaves a smallest crowd of 5 or more, and no fewer do."),
        ({"at_least": 10}, "no set of attackers leaves a smallest crowd of 10 or more."),
        ({"exactly": 1}, "1 attacker leaves a smallest crowd of exactly 1, and no fewer do."),
    ):  # fmt: skip
        verdict = networks.check(club, networks.antidimension(club, **asked).certificate())
        assert (
            verdict.proven
            and f"Proven: {words}" in verdict.summary()
            and "The certificate holds: " in verdict.summary()
        )
    verdict = networks.check(club, networks.anonymity(club, attackers=2).certificate())
    assert (
        "1 attacker leaves somebody in a crowd of 1, and no 2 attackers leave anybody in a smaller one."
        in verdict.summary()
    )
    star = nx.star_graph(4)
    nx.add_path(star, [0, 5, 6])
    summary = networks.check(star, networks.profile(star).certificate()).summary()
    assert "  k = 1: 1" in summary.splitlines() or "  k = 1 to " in summary


def test_without_time_a_bound_is_called_not_recomputed_and_never_wrong():
    unproven = 0
    for seed in range(12):
        _, graph, _ = small(seed, most=30)
        verdict = networks.check(graph, networks.profile(graph).certificate(), time_limit=-1.0)
        assert verdict.ok
        unproven += not verdict.proven
        if not verdict.proven:
            assert "Not recomputed: that " in verdict.summary() and verdict.unproven
    assert unproven > 3


@seeds(80, 6)
def test_middle_sized_certificates_get_one_verdict_from_both(seed):
    _, graph, near = small(1000 + seed, most=60)
    content = json.loads(json.dumps(networks.profile(graph).certificate()))
    assert both(graph, near, content)["proven"]
    last = content["claims"][-1]
    last["k"] -= 1  # "no set leaves crowds of the antidimension"
    assert not both(graph, near, content)["ok"]


@pytest.mark.parametrize(
    "text",
    ["", "# nothing\n", "a\n", "1,2\n3\n", "a b\n\0 c\n", "1 1\n", "source,target,weight\n1,2,-1\n", "%%MatrixMarket\n1 2\n"],
)  # fmt: skip
def test_what_is_no_edge_list_ends_the_second_checker_with_2(text, tmp_path, capsys):
    (tmp_path / "edges.txt").write_text(text, encoding="utf-8")
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["source,target\na,b\nb,c\nc,a\n", "10 9\n9 8\n8 10\n10 9\n7 7\n7 8\n", "x;y\ny;z\n", "% c\n01 1\n1 2\n",
     "to,from\n3,1\n1,2\n", "\ufeffä b\nb z\n", "-5 3\n3 10\n"],
)  # fmt: skip
def test_both_checkers_number_the_nodes_of_an_edge_list_alike(text, tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(text, encoding="utf-8")
    graph = networks.read(path)
    ptr, to = graph.indptr.tolist(), graph.indices.tolist()
    assert second.read_edges(path) == [to[a:b] for a, b in itertools.pairwise(ptr)]


def test_the_example_of_the_page_is_good_and_proven(tmp_path):
    edges = tmp_path / "edges.txt"
    edges.write_text(corpus.NETWORK["edges"], encoding="utf-8")
    said = both(networks.read(edges), second.read_edges(edges), json.loads(corpus.NETWORK["certificate"]))
    assert (said["ok"], said["proven"], said["k"]) == (True, True, 2)


def test_the_second_checker_from_the_shell(tmp_path, capsys):
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]
    (tmp_path / "edges.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))
    content = networks.antidimension(edges).certificate()
    for made, status in ((content, 0), (content | {"nodes": 6}, 1), (content | {"version": 2}, 2)):
        (tmp_path / "c.json").write_text(json.dumps(made))
        assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json"), "--json"]) == status
        out = capsys.readouterr().out
        assert (json.loads(out)["ok"] == (status == 0)) if status < 2 else out == ""
        assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == status
        assert capsys.readouterr().out.startswith(("good: no claim", "refused: ", "")[status])
    assert second.main([str(tmp_path / "edges.gml"), str(tmp_path / "c.json")]) == 2
    assert "this program reads edge lists only" in capsys.readouterr().err
