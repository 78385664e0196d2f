"""Certificates: true ones hold, tampered ones do not."""

from __future__ import annotations

import copy
import json
import random

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.verify.recheck import measure_of
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def cases(count, seed, least=3, most=9):
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = draw(rng, least, most)
        yield graph_of(n, edges), plain.adjacency(n, edges)


def test_measures_are_recounted_by_definition():
    rng = random.Random(1)
    for graph, near in cases(120, seed=1, most=30):
        members = rng.sample(range(graph.nodes), rng.randint(1, graph.nodes - 1))
        assert measure_of(graph, np.array(members, np.int32)) == plain.mu(plain.distances(near), members)


def test_profiles_are_proven_by_recomputing_every_bound():
    for graph, _ in cases(100, seed=2, most=40):
        found = networks.profile(graph)
        verdict = networks.check(graph, found.certificate())
        assert verdict.ok and verdict.proven and verdict.violations == ()
        assert "bounds recomputed" in verdict.summary()


def test_every_question_has_a_certificate_that_holds():
    for graph, _ in cases(40, seed=3):
        for k in range(1, graph.nodes):
            for found in (
                networks.antidimension(graph, at_least=k),
                networks.antidimension(graph, exactly=k),
                networks.anonymity(graph, attackers=k),
            ):
                content = json.loads(json.dumps(found.certificate()))
                verdict = networks.check(graph, content)
                assert verdict.ok, (found, verdict)
                if found.question == "at_least":
                    assert verdict.proven


def test_a_claim_that_is_too_good_is_refused():
    """One attacker fewer than the truth is claimed as a bound that no set can meet: a set exists."""
    refused = 0
    for graph, near in cases(60, seed=4):
        at_least = plain.curves(near)[0]
        for k, size in at_least.items():
            content = networks.antidimension(graph, at_least=k).certificate()
            content["claims"][0]["lower"] = size + 1
            content["claims"][0]["members"] = None
            verdict = networks.check(graph, content)
            assert not verdict.ok
            refused += 1
        top = max(at_least)
        content = networks.antidimension(graph).certificate()
        content["claims"][-1]["k"] = top  # "no set leaves crowds of the ADIM"
        assert not networks.check(graph, content).ok
    assert refused > 100


def test_tampered_witnesses_are_refused():
    graph = networks.read(nx.karate_club_graph())
    good = networks.antidimension(graph).certificate()
    for change in (
        lambda c: c.update(members=[]),
        lambda c: c.update(members=[999]),
        lambda c: c.update(members=list(range(34))),
        lambda c: c.update(members=[11]),
        lambda c: c.update(k=c["k"] + 1),
    ):
        bad = copy.deepcopy(good)
        change(bad["claims"][0])
        verdict = networks.check(graph, bad)
        assert not verdict.ok and not verdict.proven and "does not hold" in verdict.summary()


def test_a_certificate_for_another_network_is_refused():
    content = networks.profile(nx.path_graph(6)).certificate()
    verdict = networks.check(nx.path_graph(7), content)
    assert not verdict.ok and "nodes" in verdict.violations[0]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"format": "something else", "claims": []},
        {"format": "incrowd-network-certificate", "claims": "many"},
        {"format": "incrowd-network-certificate", "claims": [{"kind": "rumour", "k": 1}]},
        {"format": "incrowd-network-certificate", "claims": [{"kind": "at_least", "k": "2", "members": [0]}]},
        {"format": "incrowd-network-certificate", "claims": [{"kind": "at_least", "k": 2, "members": ["a"]}]},
        {
            "format": "incrowd-network-certificate",
            "claims": [{"kind": "at_least", "k": 2, "members": [0], "lower": -1}],
        },
        {"format": "incrowd-network-certificate", "claims": [{"kind": "attackers", "k": 2, "members": [0]}]},
    ],
)
def test_what_is_no_certificate_is_refused(content):
    with pytest.raises(InputError, match="cannot be read"):
        networks.check(nx.path_graph(4), content)


def test_certificates_are_read_from_files(tmp_path):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(networks.profile(nx.path_graph(4)).certificate()))
    assert networks.check(nx.path_graph(4), path).proven
    path.write_text("[1]")
    with pytest.raises(InputError, match="JSON object"):
        networks.check(nx.path_graph(4), path)
    path.write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        networks.check(nx.path_graph(4), path)
    with pytest.raises(InputError, match="no file"):
        networks.check(nx.path_graph(4), tmp_path / "missing.json")


def test_without_time_a_bound_is_called_not_recomputed_never_wrong():
    for graph, _ in cases(30, seed=5, least=10, most=40):
        verdict = networks.check(graph, networks.profile(graph).certificate(), time_limit=-1.0)
        assert verdict.ok
        if not verdict.proven:
            assert verdict.unproven and "Not recomputed" in verdict.summary()


def test_real_networks_are_proven(data_dir):
    for name in ("karate", "email-Eu-core", "hamsterster-friendships", "power"):
        graph = networks.read(data_dir / "networks" / f"{name}.edges.gz")
        verdict = networks.check(graph, networks.profile(graph).certificate())
        assert verdict.ok and verdict.proven, (name, verdict)


def test_the_check_imports_none_of_our_kernels_or_solvers():
    import subprocess
    import sys

    code = (
        "import sys, incrowd.networks.verify.recheck as r\n"
        "import ast, inspect\n"
        "tree = ast.parse(inspect.getsource(r))\n"
        "names = [n.module or '' for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]\n"
        "bad = [n for n in names if n.startswith(('incrowd.kernels', 'incrowd.networks.solve',"
        " 'incrowd.networks.compress', 'incrowd.networks.models', 'incrowd.networks.input'))]\n"
        "sys.exit(1 if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
