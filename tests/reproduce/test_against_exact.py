"""Every claim of Section 3.6 can hold and can fail, by lines made up to that end."""

import dataclasses

import pytest

from incrowd.reproduce import CATALOGUE
from incrowd.reproduce.claims import Pairs
from oracles.paper_figures import AGAINST, TOLD, judged, of_speed, pairs

EXPERIMENTS = [experiment for experiment in CATALOGUE if experiment.against == "exact"]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_holds_on_figures_as_the_paper_tells_them(experiment):
    verdicts = judged(experiment, TOLD[experiment.name])
    assert [v.claim + ": " + v.ours for v in verdicts if v.word != "holds"] == []


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_every_claim_fails_on_figures_against_it_and_speeds_are_no_measure(experiment):
    verdicts = judged(experiment, AGAINST[experiment.name])
    wanted = ["not comparable" if of_speed(v) else "does not hold" for v in verdicts]
    assert [(v.claim, v.word) for v in verdicts] == [(v.claim, w) for v, w in zip(verdicts, wanted, strict=True)]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: e.name)
def test_no_speed_of_another_solver_is_compared_with_the_papers(experiment):
    for figures in (TOLD, AGAINST):
        for verdict in judged(experiment, figures[experiment.name], method="exact"):
            if of_speed(verdict) and "the heuristic takes" not in verdict.claim:
                assert verdict.word == "not comparable"
                assert "another program than the paper's integer program" in verdict.ours


def test_which_optimum_is_found_is_judged_of_the_papers_program_alone():
    (claim,) = [c for e in EXPERIMENTS for c in e.claims if "15-anonymous" in c.text]
    told = TOLD["nursery-exact"]
    assert claim.verdict(pairs(*told, method="exact")).word == "not comparable"
    assert claim.verdict(pairs(*told, method="ilp")).word == "holds"


def test_a_run_under_a_millisecond_counts_as_one_in_a_ratio():
    claim = next(c for c in CATALOGUE[6].claims if "at least 10 times" in c.text)
    quick = pairs(lambda k: {"r": 1e-5}, lambda k: {"r": 0.02})
    assert claim.verdict(quick).ours == "20.0 times"


def test_a_ratio_to_an_optimum_that_is_not_proven_is_judged_by_both_ends():
    (claim,) = [c for c in CATALOGUE[-1].claims if "1.31" in c.text]

    def word(s, best, bound):
        found = pairs(lambda k: {"s": s}, lambda k: {"s": best, "proven": False}, ks=[2])
        found = Pairs(found.greedy, {2: dataclasses.replace(found.other[2], bound=bound)})
        return claim.verdict(found).word

    assert word(130, 100, 99.9) == "holds"
    assert word(130, 100, 80) == "not judged"
    assert word(140, 100, 80) == "does not hold"


def test_an_open_optimum_is_told_from_one_that_is_missed():
    (claim,) = [c for c in CATALOGUE[5].claims if "optimal at every k" in c.text]
    open_ = pairs(lambda k: {"s": 100}, lambda k: {"s": 100, "proven": False}, ks=[2])
    missed = pairs(lambda k: {"s": 100}, lambda k: {"s": 90, "proven": False}, ks=[2])
    assert claim.verdict(open_).word == "not judged"
    assert claim.verdict(missed).word == "does not hold"


def test_a_claim_that_our_text_lost_a_sign_of_is_told_by_our_figures_alone():
    (claim,) = [c for e in CATALOGUE for c in e.claims if "[sign lost]" in c.text]
    verdict = claim.verdict(pairs(*TOLD["cmc-exact"]))
    assert verdict.word == "not judged"
    assert verdict.ours.startswith(
        "the heuristic's is better (smaller) at k = 8, 9, 10, 25, worse at k = 2, 3, 4, 5, 6, 7, 50"
    )


def test_a_solver_cut_short_by_the_limit_says_nothing_about_its_time():
    claim = next(c for c in CATALOGUE[7].claims if "six minutes" in c.text)
    cut = pairs(lambda k: {}, lambda k: {"r": 60.0, "proven": False}, ks=[2])
    assert claim.verdict(cut).word == "not judged"
    assert "no proof within --time-limit at k = 2" in claim.verdict(cut).ours


def test_each_of_the_three_tables_is_judged():
    assert [experiment.table for experiment in EXPERIMENTS] == [6, 7, 8]
