"""Forged and malformed certificates: what is no certificate is refused before anything is built from it."""

from __future__ import annotations

import copy
import json

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError


@pytest.fixture(scope="module")
def club():
    return networks.read(nx.karate_club_graph())


@pytest.fixture(scope="module")
def good(club):
    return networks.antidimension(club).certificate()


def claim(**changes):
    return {"kind": "at_least", "k": 2, "members": [0], "lower": 1} | changes


def without(name):
    out = claim()
    del out[name]
    return {"claims": [out]}


UNREADABLE = {
    "another version": ({"version": 99}, "version should be 1"),
    "a version of the kind 1.0": ({"version": 1.0}, "version should be 1"),
    "a version that is true": ({"version": True}, "version should be 1"),
    "a version that is no number": ({"version": "1"}, "version should be 1"),
    "ten point zero nodes": ({"nodes": 34.0}, "'nodes' should be a whole number"),
    "edges that are true": ({"edges": True}, "'edges' should be a whole number"),
    "a key that no certificate has": ({"proof": "trust me"}, "1 key that no certificate has"),
    "an unknown question": ({"question": "x"}, "question should be one of"),
    "a question that is a list": ({"question": []}, "question should be one of"),
    "claims that are an object": ({"claims": {}}, "'claims' should be a list"),
    "a claim that is a list": ({"claims": [[]]}, "claim 1 should be an object"),
    "an unknown kind": ({"claims": [claim(kind="rumour")]}, "whose kind is one of"),
    "a kind that is a list": ({"claims": [claim(kind=["at_least"])]}, "whose kind is one of"),
    "a claim with a key too many": ({"claims": [claim(), claim(allowed=3)]}, "claim 2 has 1 key"),
    "a member beyond all numbers": ({"claims": [claim(members=[10**30])]}, "'members' of claim 1"),
    "a member of 2 to the 63": ({"claims": [claim(members=[2**63])]}, "'members' of claim 1"),
    "a member that is true": ({"claims": [claim(members=[True])]}, "'members' of claim 1"),
    "a member that is 1.0": ({"claims": [claim(members=[1.0])]}, "'members' of claim 1"),
    "a negative member": ({"claims": [claim(members=[-1])]}, "'members' of claim 1"),
    "members that are a text": ({"claims": [claim(members="0")]}, "'members' of claim 1"),
    "a member named twice": ({"claims": [claim(members=[3, 5, 3])]}, "names a member twice"),
    "k of 2 to the 63": ({"claims": [claim(k=2**63, members=None, lower=None)]}, "'k' of claim 1"),
    "k that is true": ({"claims": [claim(k=True)]}, "'k' of claim 1"),
    "k of 0": ({"claims": [claim(k=0)]}, "'k' of claim 1"),
    "lower of 2 to the 63": ({"claims": [claim(lower=2**63)]}, "'lower' of claim 1"),
    "lower that is true": ({"claims": [claim(lower=True)]}, "'lower' of claim 1"),
    "no lower": (without("lower"), "claim 1 lacks 'lower'"),
    "no members": (without("members"), "claim 1 lacks 'members'"),
    "no k": (without("k"), "claim 1 lacks 'k'"),
    "an attacker's claim without its numbers": ({"claims": [claim(kind="attackers", lower=None)]}, "lacks 'allowed'"),
    "allowed of 2 to the 63": (
        {"claims": [claim(kind="attackers", lower=None, allowed=2**63, lower_k=1)]},
        "'allowed' of claim 1",
    ),
    "lower with attackers": (
        {"claims": [claim(kind="attackers", lower=1, allowed=1, lower_k=1)]},
        "'lower' of claim 1 should be null",
    ),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_no_certificate_of_this_version_is_unreadable(club, good, case):
    changes, said = UNREADABLE[case]
    forged = copy.deepcopy(good) | changes
    with pytest.raises(InputError, match="the certificate cannot be read") as refused:
        networks.check(club, forged)
    assert said in str(refused.value)
    assert "trust me" not in str(refused.value)


@pytest.mark.parametrize("name", ["version", "nodes", "edges", "question", "claims"])
def test_no_key_may_be_missing(club, good, name):
    forged = {key: value for key, value in good.items() if key != name}
    with pytest.raises(InputError, match="cannot be read"):
        networks.check(club, forged)


FILES = {
    "nested without end": '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
    "a list nested without end": "[" * 100_000,
    "a number of 9000 digits": '{"a":' + "9" * 9000 + "}",
    "NaN": '{"format": "incrowd-network-certificate", "nodes": NaN}',
    "infinity": '{"format": "incrowd-network-certificate", "nodes": Infinity}',
    "a key twice": '{"format": "x", "format": "incrowd-network-certificate"}',
    "no UTF-8": b"\xff\xfe{",
    "nothing": "",
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_plain_json_object_is_unreadable(club, tmp_path, case):
    content = FILES[case]
    (tmp_path / "c.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=r"'c\.json' cannot be read"):
        networks.check(club, tmp_path / "c.json")


def test_numbers_that_json_writes_as_floats_are_no_counts(club, good, tmp_path):
    text = json.dumps(good).replace('"nodes": 34', '"nodes": 34.0')
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(InputError, match="'nodes' should be a whole number"):
        networks.check(club, tmp_path / "c.json")
