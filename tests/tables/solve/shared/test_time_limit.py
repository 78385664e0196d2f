"""A time limit is as firm as the step that is asked to keep it."""

from __future__ import annotations

from incrowd.progress import Watch
from incrowd.tables.solve.shared.time_limit import Hurried, for_bound, for_plan, is_over, now


def limited(*, asked=True):
    watch = Watch()
    watch.limit(0.0, asked=asked)
    return watch


def test_a_plan_and_its_bound_have_their_time_though_the_limit_is_over():
    watch = limited()
    assert watch.stopped
    plan, bound = for_plan(watch), for_bound(watch)
    assert not plan.stopped and not bound.stopped
    assert plan.deadline > bound.deadline > watch.deadline


def test_a_limit_that_nobody_asked_for_does_not_count_for_plan_and_bound():
    watch = limited(asked=False)
    assert for_plan(watch).deadline is None and for_bound(watch).deadline is None
    assert not is_over(watch) and is_over(limited()) and not is_over(Watch())


def test_an_interruption_is_heard_behind_every_limit():
    for soften in (for_plan, for_bound, Hurried, now):
        watch = Watch()
        behind = soften(watch)
        behind.interrupt()
        assert watch.interrupted and behind.stopped and is_over(watch)


def test_who_hurries_is_cut_short_even_in_what_no_limit_cuts_short():
    assert Hurried(limited()).patient().stopped
    assert not limited().patient().stopped
    assert not Hurried(Watch()).stopped


def test_now_is_over_for_every_plan_but_the_first_second():
    over = now(limited(asked=False))
    assert over.stopped and is_over(over) and not for_plan(over).stopped
