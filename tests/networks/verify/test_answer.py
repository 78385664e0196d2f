"""A certificate answers its own question or is refused, and no more is called proven than was recomputed."""

from __future__ import annotations

import copy
import itertools

import networkx as nx
import pytest

from incrowd import networks
from networks.verify.test_recheck import cases
from oracles import networks as plain


@pytest.fixture(scope="module")
def club():
    return networks.read(nx.karate_club_graph())


def forged(question, *claims):
    head = {"format": "incrowd-network-certificate", "version": 1, "nodes": 34, "edges": 78}
    return head | {"question": question, "claims": list(claims)}


def at_least(k, members, lower):
    return {"kind": "at_least", "k": k, "members": members, "lower": lower}


def attackers(k, members, allowed, lower_k):
    return {"kind": "attackers", "k": k, "members": members, "allowed": allowed, "lower_k": lower_k}


# karate: the antidimension is 9, reached by one node
REFUSED = {
    "no claim": (forged("adim"), "claims nothing"),
    "no attackers shown": (forged("attackers", attackers(8, None, 5, 1)), "states nothing"),
    "no attackers shown, every level claimed": (forged("attackers", attackers(30, None, 1, 30)), "states nothing"),
    "at least, neither set nor bound": (forged("at_least", at_least(8, None, 1)), "states nothing"),
    "exactly, neither set nor bound": (
        forged("exactly", {"kind": "exactly", "k": 8, "members": None, "lower": 1}),
        "states nothing",
    ),
    "a claim of another kind": (forged("exactly", at_least(2, [0], 1)), "no answer to the question 'exactly'"),
    "a claim of another kind beside": (
        forged("profile", at_least(2, [0], 1), attackers(1, [0], 1, 1)),
        "claim 2 is of the kind 'attackers'",
    ),
    "two answers": (forged("at_least", at_least(2, [0], 1), at_least(3, [0], 1)), "has one answer"),
    "one level twice": (
        forged("adim", at_least(2, [0], 1), at_least(2, [1], 1), at_least(10, None, None)),
        "two claims",
    ),
    "no set for the antidimension": (forged("adim", at_least(10, None, None)), "shows no set"),
    "nothing beyond the antidimension": (forged("adim", at_least(2, [0], 1)), "does not answer its question"),
    "a set and none": (forged("at_least", at_least(2, [0], None)), "and shows one"),
    "a set beyond the last level": (
        forged("adim", at_least(2, [0], 1), at_least(2, None, None)),
        "and shows one for k = 2",
    ),
    "more needed than shown": (forged("at_least", at_least(2, [0], 2)), "a set of 1"),
    "more needed than there are": (forged("at_least", at_least(2, None, 34)), "34 nodes in all"),
    "a level above the nodes": (forged("at_least", at_least(34, None, None)), "the network has 34 nodes"),
    "a level beyond the last": (
        forged("adim", at_least(2, [0], 1), at_least(40, None, None)),
        "the network has 34 nodes",
    ),
    "attackers kept above their own level": (forged("attackers", attackers(1, [0], 2, 4)), "and shows a set for k = 1"),
    "more attackers than allowed": (forged("attackers", attackers(1, [0, 1], 1, 1)), "more than 1 nodes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_certificate_that_does_not_answer_its_question_is_refused(club, case):
    content, said = REFUSED[case]
    verdict = networks.check(club, content)
    assert not verdict.ok and not verdict.proven and verdict.answer is None
    assert any(said in sentence for sentence in verdict.violations), verdict.violations
    facts = verdict.to_json()
    assert (facts["k"], facts["lower_bound"], facts["upper_bound"]) == (None, None, None)


def test_an_antidimension_without_its_second_half_is_refused(club):
    good = networks.antidimension(club).certificate()
    assert networks.check(club, good).proven
    for i in range(len(good["claims"])):
        cut = copy.deepcopy(good)
        del cut["claims"][i]
        assert not networks.check(club, cut).proven
    del good["claims"][-1]
    verdict = networks.check(club, good)
    assert not verdict.ok and "no set leaves crowds above 9" in verdict.violations[0]


def test_what_was_proven_is_told(club):
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


def test_half_an_answer_is_not_called_proven(club):
    lower_only = networks.check(club, forged("exactly", {"kind": "exactly", "k": 5, "members": None, "lower": 2}))
    assert lower_only.ok and not lower_only.proven
    pair = next(list(p) for p in itertools.combinations(range(34), 2) if networks.classes(club, p).measure > 1)
    wide = networks.check(club, forged("at_least", at_least(2, pair, 1)))
    assert wide.ok and not wide.proven
    assert (wide.answer.lower_bound, wide.answer.upper_bound) == (1, 2)
    assert "NOT the whole answer" in wide.summary()
    best = networks.antidimension(club).members.tolist()
    open_end = networks.check(club, forged("adim", at_least(9, best, 1), at_least(12, None, None)))
    assert open_end.ok and not open_end.proven
    assert (open_end.answer.lower_bound, open_end.answer.upper_bound) == (9, 11)
    assert "lies from 9 to 11" in open_end.summary()


def test_a_stopped_run_leaves_a_certificate_that_holds_and_is_not_the_whole_answer():
    from incrowd.progress import Watch

    for graph, _ in cases(12, seed=11, least=12, most=30):
        watch = Watch()
        watch.interrupt()
        for found in (networks.antidimension(graph, watch=watch), networks.profile(graph, watch=watch)):
            verdict = networks.check(graph, found.certificate())
            if found.k:
                assert verdict.ok, verdict
                assert verdict.answer.k == found.k and verdict.answer.upper_bound <= found.upper_bound
            else:
                assert not verdict.ok


def test_no_claim_on_small_networks_proves_more_than_is_true():
    proven = 0
    for graph, near in cases(25, seed=12, least=4, most=7):
        n, head = graph.nodes, {"format": "incrowd-network-certificate", "version": 1}
        head |= {"nodes": n, "edges": graph.edges}
        at_least_k, exactly_k = plain.curves(near)[:2]
        for kind, true in (("at_least", at_least_k), ("exactly", exactly_k)):
            for k in range(1, n):
                for lower in (2, 3, n - 1, None):
                    claim = {"kind": kind, "k": k, "members": None, "lower": lower}
                    verdict = networks.check(graph, head | {"question": kind, "claims": [claim]})
                    if not verdict.ok:
                        continue
                    if verdict.proven:
                        assert k not in true
                        proven += 1
                    elif k in true:
                        assert verdict.answer.lower_bound <= true[k]
    assert proven > 20
