"""The status of a solution follows from its numbers and from the watch, by one rule."""

from __future__ import annotations

import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.shared.status import ended, ended_later


def watch_that(*, interrupted=False, late=False):
    watch = Watch()
    if late:
        watch.limit(0.0)
    if interrupted:
        watch.interrupt()
    return watch


def test_a_bound_that_meets_the_cost_is_optimal_whatever_ended_the_search():
    for watch in (Watch(), watch_that(interrupted=True), watch_that(late=True)):
        for cut_short in (None, False, True):
            assert ended(7, 7, watch, gap=0.5, cut_short=cut_short, through="gap") == "optimal"


def test_an_interruption_comes_before_a_gap_and_a_gap_before_the_time_limit():
    both = watch_that(interrupted=True, late=True)
    assert ended(11, 10, both, gap=0.1) == "interrupted"
    assert ended(11, 10, watch_that(late=True), gap=0.1) == "gap"
    assert ended(12, 10, watch_that(late=True), gap=0.1) == "time_limit"
    assert ended(12, 10, Watch(), gap=0.1) == "heuristic"


def test_a_method_that_did_all_it_does_was_not_cut_short():
    for watch in (watch_that(interrupted=True), watch_that(late=True)):
        assert ended(2, 1, watch, cut_short=False) == "heuristic"
        assert ended(2, 1, watch, cut_short=False, through="gap") == "gap"
    assert ended(2, 1, Watch(), cut_short=True) == "time_limit"


@pytest.mark.parametrize("status", ["optimal", "gap", "time_limit", "interrupted"])
def test_only_a_method_that_did_all_it_does_is_ended_later(status):
    assert ended_later(status, watch_that(interrupted=True)) == status


def test_a_watch_that_stops_between_searches_ends_them():
    assert ended_later("heuristic", Watch()) == "heuristic"
    assert ended_later("heuristic", watch_that(late=True)) == "time_limit"
    assert ended_later("heuristic", watch_that(late=True, interrupted=True)) == "interrupted"
