"""Changed certificates of small networks before both of their checkers, and before all subsets of the nodes."""

from __future__ import annotations

import copy
import functools
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import incrowd
from checker.red_cases import load
from checker.red_changes import changed, edges, one_of, plain
from incrowd.errors import InputError
from incrowd.networks.verify.recheck import recheck
from oracles.networks import curves, least_measure

second = load("incrowd_check_network")
ASKED = [("antidimension", {}), ("profile", {}), ("antidimension", {"at_least": 2}), ("antidimension", {"at_least": 3}),
         ("antidimension", {"exactly": 1}), ("antidimension", {"exactly": 2}), ("anonymity", {"attackers": 1}),
         ("anonymity", {"attackers": 2})]  # fmt: skip
SAID = ("ok", "proven", "k", "attackers", "lower_bound", "upper_bound")


def drawn(rng):
    """A small network as pairs of nodes."""
    n = int(rng.integers(3, 11))
    pairs = [(a, b) for a in range(n) for b in range(a) if rng.random() < rng.choice([0.2, 0.4, 0.7])]
    return pairs or [(0, 1), (1, 2)]


def near_of(pairs, folder):
    path = folder / "graph.txt"
    path.write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="utf-8")
    return second.read_edges(path), incrowd.networks.read(path)


def first_verdict(graph, certificate):
    try:
        found = recheck(graph, certificate).to_json()
    except InputError:
        return "unreadable"
    return {name: found[name] for name in SAID}


def second_verdict(near, certificate):
    try:
        found = second.check(near, certificate)
    except second.Unreadable:
        return "unreadable"
    return {name: found.get(name) for name in SAID}


@functools.cache
def known_curves(near):
    """What sets of nodes reach, all of them tried, once a network."""
    return curves(near)


def beyond(near, certificate, said):
    """Whether a good verdict says what is not so, by all subsets of the nodes."""
    if said == "unreadable" or not said["ok"]:
        return False
    question, low, high = certificate["question"], said["lower_bound"], said["upper_bound"]
    at_least, exactly = known_curves(tuple(map(tuple, near)))
    if question in ("at_least", "exactly"):
        least = (at_least if question == "at_least" else exactly).get(said["k"])
        if said["attackers"] is None and said["proven"]:
            return least is not None
        return (least is not None and low is not None and low > least) or (
            high is not None and (least is None or high < least)
        )
    if question == "attackers":
        truth = least_measure(near, certificate["claims"][0]["allowed"])
        return not low <= truth <= high
    return not low <= max(at_least) <= high


def case_of(rng, folder):
    """A network and an honest certificate of it."""
    near, graph = near_of(drawn(rng), folder)
    question, given = one_of(rng, ASKED)
    try:
        return near, graph, plain(getattr(incrowd.networks, question)(graph, **given).certificate())
    except InputError:  # k is more than its nodes
        return None


def attack(number, seed=0):
    """The verdicts on changed certificates; what differs and what is not so is listed."""
    rng = np.random.default_rng([21, 7, seed])
    counted, differ, above = Counter(), [], []
    with tempfile.TemporaryDirectory() as folder:
        cases = [case for _ in range(60) if (case := case_of(rng, Path(folder)))]
    turn = 0
    while turn < number:
        near, graph, honest = one_of(rng, cases)
        other = one_of(rng, cases)[2]
        way = rng.random()
        if way < 0.1:
            tried = edges(honest, lambda made, graph=graph: first_verdict(graph, copy.deepcopy(made)), rng)
        elif way < 0.2:
            tried = [copy.deepcopy(other) | {name: honest[name] for name in ("nodes", "edges")}]
        else:
            tried = [changed(honest, other, rng)[0] if turn else honest]
        for made in tried:
            turn += 1
            said = first_verdict(graph, copy.deepcopy(made)), second_verdict(near, made)
            word = said[0] if said[0] == "unreadable" else "good" if said[0]["ok"] else "violation"
            counted[word] += 1
            if said[0] != said[1]:
                differ.append(("second", "network", "", *said, made))
            if any(beyond(near, made, one) for one in said):
                above.append(("either", "network", "", *said, made))
    return counted, differ, above
