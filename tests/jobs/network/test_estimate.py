import json

import pytest

from incrowd import networks
from incrowd.errors import InputError, PolicyError
from incrowd.memory.process import held

RING = [(v, (v + 1) % 9) for v in range(9)]


def test_an_estimate_counts_the_network_and_searches_nothing():
    found = networks.estimate(RING)
    facts = json.loads(found.to_json())
    assert (facts["nodes"], facts["edges"], facts["disk_mb"]) == (9, 9, 0.0)
    assert facts["memory_mb"] >= held() // 10**6 // 2
    assert facts["seconds"]["solve"] is None and facts["seconds"]["total"] is None
    assert facts["measured"] == ["read"] and facts["factor"] == {"memory": 2}
    assert "9 nodes and 9 edges; nothing was searched." in found.summary()
    assert "no time limit was asked for" in found.summary()


def test_with_a_limit_the_time_is_known_and_memory_is_at_most_what_was_given():
    found = networks.estimate(RING, time_limit=3, memory="1000GB", certificate=True)
    assert found.facts["seconds"]["solve"] == 3 and found.facts["seconds"]["total"] >= 3
    assert "3.0 s" in found.summary()
    least = networks.estimate(RING, memory="1000GB").facts["memory_mb"]
    with pytest.raises(InputError, match="too little"):
        networks.estimate(RING, memory=f"{max(least // 4, 20)}MB")


def test_what_cannot_be_estimated_is_refused_in_words(tmp_path):
    for wrong, error in (
        ({"time_limit": 0}, InputError),
        ({"memory": "much"}, PolicyError),
        ({"certificate": "c.json"}, InputError),
        ({"component": "none"}, InputError),
    ):
        with pytest.raises(error):
            networks.estimate(RING, **wrong)
    with pytest.raises(InputError, match="no file"):
        networks.estimate(tmp_path / "none.txt")
