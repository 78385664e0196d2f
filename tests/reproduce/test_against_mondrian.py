"""Every claim of Section 3.5 can hold and can fail, by lines made up to that end."""

import pytest

from incrowd.reproduce import CATALOGUE
from oracles.paper_figures import AGAINST, TOLD, judged, of_speed, pairs

EXPERIMENTS = [experiment for experiment in CATALOGUE if experiment.against == "mondrian"]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_holds_on_figures_as_the_paper_tells_them(experiment):
    verdicts = [
        v for v in judged(experiment, TOLD[experiment.name]) if experiment.name != "nursery" or "h_avg" not in v.claim
    ]
    assert [v.claim + ": " + v.ours for v in verdicts if v.word != "holds" and not of_speed(v)] == []
    assert {v.word for v in verdicts if of_speed(v)} <= {"holds", "not comparable"}
    assert {v.word for v in verdicts if "takes at most" in v.claim or "gets faster" in v.claim} == {"holds"}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_fails_on_figures_against_it_and_speeds_are_no_measure(experiment):
    verdicts = judged(experiment, AGAINST[experiment.name])
    wanted = ["not comparable" if of_speed(v) else "does not hold" for v in verdicts]
    assert [(v.claim, v.word) for v in verdicts] == [(v.claim, w) for v, w in zip(verdicts, wanted, strict=True)]


def test_a_run_under_a_millisecond_shows_no_trend():
    (trend, *_) = CATALOGUE[3].claims
    slow = pairs(lambda k: {"r": k / 100}, lambda k: {"r": 1 / k})
    quick = pairs(lambda k: {"r": k / 1e5}, lambda k: {"r": 1 / k})
    assert (trend.verdict(slow).word, trend.verdict(quick).word) == ("holds", "not comparable")
    assert "less than a millisecond" in trend.verdict(quick).ours


def test_of_two_claims_on_nursery_that_contradict_each_other_each_can_hold():
    mean, types = (next(c for c in CATALOGUE[2].claims if word in c.text) for word in ("h_avg", "no clear winner"))
    fewer = pairs(lambda k: {"h": 60}, lambda k: {"h": 50})
    assert (mean.verdict(fewer).word, types.verdict(fewer).word) == ("holds", "does not hold")
    mixed = pairs(*TOLD["nursery"])
    assert (mean.verdict(mixed).word, types.verdict(mixed).word) == ("does not hold", "holds")


def test_each_of_the_five_tables_is_judged():
    assert [experiment.table for experiment in EXPERIMENTS] == [1, 2, 3, 4, 5]
