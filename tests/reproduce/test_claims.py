"""A claim is judged by the lines it needs, and by nothing where they are missing."""

import pytest

from incrowd.reproduce import CATALOGUE
from incrowd.reproduce.claims import Claim, NotComparable, Pairs, Verdict, span, within
from oracles.paper_figures import TOLD, pairs


@pytest.mark.parametrize("experiment", CATALOGUE, ids=lambda e: e.name)
def test_what_was_not_run_is_not_judged_and_says_which_k_it_needs(experiment):
    for claim in experiment.claims:
        verdict = claim.verdict(pairs(*TOLD[experiment.name], ks=[2, 9]))
        missing = [k for k in claim.needs if k not in (2, 9)]
        assert (verdict.word == "not judged") == bool(missing or "[sign lost]" in claim.text)
        if missing:
            assert verdict.ours == f"needs k = {', '.join(map(str, missing))}"
        assert claim.verdict(Pairs({}, {})).word == "not judged"


def test_words_and_spans():
    assert Claim("x", lambda _: (None, "?")).verdict(pairs(*TOLD["cmc"])).word == "not judged"
    assert span([1.0, 2.5]) == "1.00 to 2.50"
    assert span([3, 3], 0) == "3"


def test_what_our_runs_are_no_measure_of_is_not_comparable_and_says_why():
    def refuse(_):
        raise NotComparable("other programs")

    verdict = Claim("x", refuse).verdict(pairs(*TOLD["cmc"]))
    assert verdict == Verdict("x", None, "other programs", comparable=False)
    assert verdict.word == "not comparable"


def test_a_limit_on_times_holds_or_is_not_comparable():
    assert within(2, [1.0, 0.5]) == (True, "at most 1 s")
    with pytest.raises(NotComparable, match=r"at most 3 s; another program"):
        within(2, [1.0, 3.0])


def test_where_a_program_had_no_release_nothing_is_said_to_hold_at_every_k():
    found = pairs(*TOLD["cmc"], ks=[2, 9])
    found = Pairs(found.greedy, {2: found.other[2]}, missed=(9,))
    yes, no = Claim("x", lambda _: (True, "ours")), Claim("x", lambda _: (False, "ours"))
    assert yes.verdict(found).word == "not judged"
    assert yes.verdict(found).ours == "ours; no release within --time-limit at k = 9"
    assert no.verdict(found).word == "does not hold"
    assert Claim("x", lambda _: (True, "ours"), alone=True).verdict(found).word == "holds"
    assert Claim("x", lambda _: (True, ""), needs=(9,)).verdict(found).ours == "no release within --time-limit at k = 9"
    assert Claim("x", lambda _: (True, ""), needs=(2,)).verdict(found).word == "holds"
