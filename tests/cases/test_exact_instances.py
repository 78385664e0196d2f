"""Every default instance of a table is proven by ``--solver exact``: the least cost, on the right side of the threshold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TABLES = [
    "bisection", "bisection-closeness", "bisection-padded", "bisection-padded-closeness", "clique",
    "closeness-from-anonymity", "greedy-worst", "half-clique", "half-clique-closeness", "matching-27",
    "matching-closeness", "matching-metric", "one-in-three-sat", "set-cover", "triangles-2-diversity",
    "triangles-3-diversity", "triangles-and-stars", "triangles-ternary",
]  # fmt: skip
# The others go with `make proofs`.
SHORT = ("closeness-from-anonymity", "half-clique")


def test_all_of_them_are_here(run):
    listed = json.loads(run("list", "instances", "--json")[1])
    assert sorted(one["name"] for one in listed if one["kind"] == "table") == TABLES


@pytest.mark.parametrize(
    "name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.proofs) for name in TABLES]
)
def test_it_is_proven(run, name):
    assert run("instance", name, "-o", "made")[0] == 0
    asked = ("made/table.csv", "--policy", "made/policy.toml")
    status, out, _ = run("anonymize", *asked, "-o", "out.csv", "--solver", "exact", "--time-limit", "60", "--json")
    assert status == 0
    found, answer = json.loads(out), json.loads(Path("made/answer.json").read_text())
    assert found["optimal"], (found["cost"], found["lower_bound"])
    assert found["cost"] == found["lower_bound"]
    assert (found["cost"] <= answer["threshold"]) is answer["yes"]
    if answer.get("optimum") is not None:
        assert found["cost"] == answer["optimum"]
    assert run("verify", "made/table.csv", "out.csv", "--policy", "made/policy.toml")[0] == 0
