"""`incrowd.attack` takes a release or its file."""

from __future__ import annotations

import json

import pyarrow as pa

import incrowd

TABLE = pa.table({"age": ["31"] * 5 + ["47", "52"], "sex": ["f", "f", "m", "x", "y", "m", "f"]})
WHO = {"quasi_identifiers": ["age", "sex"], "k": 2}


def test_a_release_brings_its_policy_and_its_facts_along(tmp_path):
    events = []
    with incrowd.anonymize(TABLE, **WHO) as release:
        found = incrowd.attack(release, on_event=events.append)
        release.to_csv(tmp_path / "r.csv")
        (tmp_path / "facts.json").write_text(release.to_json())
    assert found.premises["settled"] == "proven"
    assert events
    by_file = incrowd.attack(tmp_path / "r.csv", facts=tmp_path / "facts.json", **WHO)
    drop = {"seconds", "peak_mb", "release"}
    assert {k: v for k, v in by_file.facts.items() if k not in drop} == {
        k: v for k, v in found.facts.items() if k not in drop
    }
    assert json.loads(found.to_json())["rows"] == 7
