"""What is handed out on the usefulness of a release."""

from __future__ import annotations

import json

from incrowd.results.usefulness import Usefulness
from usefulness_facts import FACTS


def test_the_attributes_are_the_facts_and_the_json_is_all_of_them():
    found = Usefulness(FACTS)
    assert json.loads(found.to_json()) == FACTS
    assert (found.counts, found.associations) == (FACTS["counts"], FACTS["associations"])
    assert (found.distinction, found.prediction) == (FACTS["distinction"], FACTS["prediction"])


def test_what_it_prints_says_how_far_counts_are_off():
    assert repr(Usefulness(FACTS)) == "<Usefulness: counts off by 12.5% on average>"
    assert Usefulness(FACTS).summary().startswith("What 'release.csv' (90 rows)")
