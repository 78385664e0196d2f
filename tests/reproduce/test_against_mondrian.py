"""Every claim of Section 3.5 can hold and can fail, by lines made up to that end."""

import pytest

from incrowd.reproduce import CATALOGUE
from oracles.paper_figures import AGAINST, TOLD, judged, pairs

EXPERIMENTS = [experiment for experiment in CATALOGUE if experiment.against == "mondrian"]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_holds_on_figures_as_the_paper_tells_them(experiment):
    verdicts = [
        v for v in judged(experiment, TOLD[experiment.name]) if experiment.name != "nursery" or "h_avg" not in v.claim
    ]
    assert [v.claim + ": " + v.ours for v in verdicts if v.word != "holds"] == []


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_fails_on_figures_against_it(experiment):
    verdicts = judged(experiment, AGAINST[experiment.name])
    assert [v.claim + ": " + v.ours for v in verdicts if v.word != "does not hold"] == []


def test_of_two_claims_on_nursery_that_contradict_each_other_each_can_hold():
    mean, types = (next(c for c in CATALOGUE[2].claims if word in c.text) for word in ("h_avg", "no clear winner"))
    fewer = pairs(lambda k: {"h": 60}, lambda k: {"h": 50})
    assert (mean.verdict(fewer).word, types.verdict(fewer).word) == ("holds", "does not hold")
    mixed = pairs(*TOLD["nursery"])
    assert (mean.verdict(mixed).word, types.verdict(mixed).word) == ("does not hold", "holds")


def test_each_of_the_five_tables_is_judged():
    assert [experiment.table for experiment in EXPERIMENTS] == [1, 2, 3, 4, 5]
