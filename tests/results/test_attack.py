"""What is handed out on what a release gives away."""

from __future__ import annotations

import json

import pyarrow as pa

import incrowd
from incrowd.results.attack import Attack

RELEASED = pa.table({"age": ["31"] * 5, "sex": ["f", "f", "*", "*", "*"]})


def test_the_attributes_are_the_facts_and_the_json_is_all_of_them():
    found = incrowd.attack(RELEASED, quasi_identifiers=["age", "sex"], k=2)
    assert isinstance(found, Attack)
    facts = json.loads(found.to_json())
    assert facts == json.loads(json.dumps(found.facts))
    for name in ("premises", "excluded_cells", "determined_cells", "claimed_cells", "wrong", "claimed_wrong", "rules"):
        assert getattr(found, name) == found.facts[name]
    assert found.insiders == found.facts["insiders"]
    assert repr(found) == "<Attack: values are excluded in 0 cells, 0 determined>"
    assert found.summary().startswith("What 'the table' (5 rows) gives away")
    assert found.inferences.released.rows == 5
