"""What is handed out on the usefulness of a release."""

from __future__ import annotations

import json

from incrowd.results.usefulness import Usefulness
from usefulness_facts import FACTS


def test_the_attributes_are_the_facts_and_the_json_is_all_of_them():
    found = Usefulness(**FACTS)
    said = json.loads(found.to_json())
    assert {key: said[key] for key in FACTS if key != "associations"} == {
        key: value for key, value in FACTS.items() if key != "associations"
    }
    assert said["associations"] == {**FACTS["associations"], "max": 0.1, "noise": 0.021}
    assert (found.counts, found.associations) == (FACTS["counts"], FACTS["associations"])
    assert (found.distinction, found.prediction) == (FACTS["distinction"], FACTS["prediction"])


def test_what_is_asked_most_has_short_names():
    said = json.loads(Usefulness(**FACTS).to_json())
    assert said["queries"] == {"median": 0.05, "mean": 0.125, "p90": 0.3, "noise": 0.05, "by_marginal": 0.1}
    assert (said["pmse"], said["pmse_ratio"], said["pmse_noise"]) == (0.01234, 12.34, 0.0011)
    assert said["classifier"] == {"target": "ward", "original": 0.7, "release": 0.62, "majority": 0.4, "noise": 0.01}
    none = json.loads(Usefulness(**{**FACTS, "distinction": None, "prediction": None}).to_json())
    assert none["pmse"] is none["classifier"] is None


def test_what_it_prints_says_how_far_counts_are_off():
    assert repr(Usefulness(**FACTS)) == "<Usefulness: counts off by 12.5% on average>"
    assert Usefulness(**FACTS).summary().startswith("What 'release.csv' (90 rows)")
