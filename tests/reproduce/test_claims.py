"""A claim is judged by the lines it needs, and by nothing where they are missing."""

import pytest

from incrowd.reproduce import CATALOGUE
from incrowd.reproduce.claims import Claim, Pairs, span
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
