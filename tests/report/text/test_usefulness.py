"""How useful a release is, in words."""

from __future__ import annotations

import copy

from incrowd.report.text.usefulness import usefulness_summary
from usefulness_facts import FACTS


def words(facts):
    return usefulness_summary(facts).replace("\n    ", " ")


def test_every_figure_stands_beside_what_another_sample_gives():
    text = words(FACTS)
    assert "asked 500 random questions" in text
    assert "the release is off by 12.5% on average, half of the time by at most 5.0%." in text
    assert "Another sample of as many people would be off by 5.0%: the release errs 2.5 times as much." in text
    assert "off by 0.043 on average over 3 pairs, most for age and sex: 0.2 in place of 0.3." in text
    assert "propensity error (pMSE) of 0.012, from 0 (it cannot tell) to 0.25 (it always can)" in text
    assert "is right for 62.0% of the original's rows; one that learned from the original for 70.0%" in text
    assert all(len(line) <= 100 for line in usefulness_summary(FACTS).splitlines())


def test_a_release_as_good_as_another_sample_is_called_so():
    facts = copy.deepcopy(FACTS)
    facts["counts"]["mean"] = 0.05
    assert "the release is as good as another sample." in words(facts)


def test_what_was_not_asked_is_not_told():
    facts = copy.deepcopy(FACTS) | {"distinction": None, "prediction": None, "notes": ["models are not there"]}
    facts["counts"]["queries"] = facts["associations"]["pairs"] = 0
    text = words(facts)
    assert "Counts: no random selection holds 30 rows, so none was asked." in text
    assert not any(word in text for word in ("Associations", "Telling apart", "Prediction"))
    assert text.endswith("  - Models are not there.\n")
