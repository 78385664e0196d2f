"""Certificates of networks, true and changed, before both of their checkers and before all subsets of the nodes."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter, deque

import pytest

import incrowd
from checkers import changes, corpus
from incrowd.check import network as second
from seeds import seeds

ASKED = [
    ("antidimension", {}), ("profile", {}), ("antidimension", {"at_least": 2}), ("antidimension", {"at_least": 3}),
    ("antidimension", {"exactly": 1}), ("antidimension", {"exactly": 2}), ("anonymity", {"attackers": 1}), ("anonymity", {"attackers": 2}),
]  # fmt: skip
SAID = ("ok", "proven", "k", "attackers", "lower_bound", "upper_bound")


def drawn(rng):
    """A small network as pairs of nodes."""
    n, share = rng.randrange(3, 9), rng.choice([0.2, 0.4, 0.7])
    return [(a, b) for a in range(n) for b in range(a) if rng.random() < share] or [(0, 1), (1, 2)]


def read(pairs, folder):
    path = folder / "graph.txt"
    path.write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="utf-8")
    return second.read_edges(path), incrowd.networks.read(path)


def measure(near, members):
    """The smallest class of nodes outside that look alike to all members; unreachable is a distance of its own."""
    seen = []
    for start in members:
        distance, left = {start: 0}, deque([start])
        while left:
            node = left.popleft()
            for other in near[node]:
                if other not in distance:
                    distance[other] = distance[node] + 1
                    left.append(other)
        seen.append(distance)
    outside = [node for node in range(len(near)) if node not in members]
    return min(Counter(tuple(one.get(node) for one in seen) for node in outside).values())


def curves(near):
    """For every k the fewest nodes of measure k at least, and of measure k exactly."""
    at_least, exactly = {}, {}
    for size in range(1, len(near)):
        for some in itertools.combinations(range(len(near)), size):
            k = measure(near, some)
            exactly.setdefault(k, size)
            for lower in range(1, k + 1):
                at_least.setdefault(lower, size)
    return at_least, exactly


def first_verdict(graph, certificate):
    try:
        found = incrowd.networks.check(graph, copy.deepcopy(certificate)).to_json()
    except incrowd.InputError:
        return "unreadable"
    return {name: found[name] for name in SAID}


def second_verdict(near, certificate):
    try:
        found = second.check(near, certificate)
    except second.Unreadable:
        return "unreadable"
    return {name: found.get(name) for name in SAID}


def says_too_much(near, certificate, said, known):
    """Whether a good verdict says what is not so."""
    if said == "unreadable" or not said["ok"]:
        return False
    question, low, high = certificate["question"], said["lower_bound"], said["upper_bound"]
    at_least, exactly = known
    if question in ("at_least", "exactly"):
        least = (at_least if question == "at_least" else exactly).get(said["k"])
        if said["attackers"] is None and said["proven"]:
            return least is not None
        return (least is not None and low is not None and low > least) or (
            high is not None and (least is None or high < least)
        )
    if question == "attackers":
        allowed = certificate["claims"][0]["allowed"]
        sets = (
            some
            for size in range(1, min(allowed, len(near) - 1) + 1)
            for some in itertools.combinations(range(len(near)), size)
        )
        return not low <= min(measure(near, some) for some in sets) <= high
    return not low <= max(at_least) <= high


@seeds(600, 16)
def test_certificates_and_changed_ones_get_one_verdict_that_is_so(tmp_path, seed):
    rng = random.Random(seed)
    near, graph = read(drawn(rng), tmp_path)
    question, given = ASKED[seed % len(ASKED)]
    try:
        found = getattr(incrowd.networks, question)(graph, **given)
    except incrowd.InputError:
        pytest.skip("k is more than the network's nodes")
    honest, known = json.loads(json.dumps(found.certificate())), curves(near)
    assert first_verdict(graph, honest)["ok"]
    for turn in range(16):
        made = changes.changed(honest, honest, rng) if turn else honest
        said = first_verdict(graph, made)
        assert said == second_verdict(near, made), made
        assert not says_too_much(near, made, said, known), made


def test_the_example_of_the_page_is_good_and_proven(tmp_path, capsys):
    (tmp_path / "edges.txt").write_text(corpus.NETWORK["edges"], encoding="utf-8")
    text = corpus.NETWORK["certificate"]

    def told(text):
        (tmp_path / "c.json").write_text(text, encoding="utf-8")
        status = second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json"), "--json"])
        return status, capsys.readouterr().out

    status, out = told(text)
    said = json.loads(out)
    assert (status, said["proven"], said["k"]) == (0, True, 2)
    found = incrowd.networks.check(tmp_path / "edges.txt", tmp_path / "c.json")
    assert (found.ok, found.proven) == (True, True)
    assert told(text.replace('"nodes": 5', '"nodes": 6'))[0] == 1
    assert not incrowd.networks.check(tmp_path / "edges.txt", tmp_path / "c.json").ok
    assert told(text.replace('"nodes": 5', '"nodes": 5, "nodes": 5'))[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "a\n",
        "1,2\n3\n",
        "a b\n\0 c\n",
        "1 1\n",
        "source,target,weight\n1,2,-1\n",
        "%%MatrixMarket\n1 2\n",
    ],
)
def test_what_is_no_edge_list_ends_in_exit_status_2(text, tmp_path):
    (tmp_path / "edges.txt").write_text(text, encoding="utf-8")
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    assert second.main([str(tmp_path / "edges.txt"), str(tmp_path / "c.json")]) == 2


@pytest.mark.parametrize(
    "text", ["source,target\na,b\nb,c\nc,a\n", "10 9\n9 8\n8 10\n10 9\n7 7\n7 8\n", "x;y\ny;z\n", "% c\n01 1\n1 2\n"]
)
def test_nodes_are_numbered_as_the_tool_numbers_them(text, tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(text, encoding="utf-8")
    graph, near = incrowd.networks.read(path), second.read_edges(path)
    ptr, to = graph.indptr.tolist(), graph.indices.tolist()
    assert near == [to[a:b] for a, b in itertools.pairwise(ptr)]
