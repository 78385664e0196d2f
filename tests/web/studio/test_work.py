"""Work goes on behind a page: it tells how far it is, ends in one sentence, and can be stopped."""

from __future__ import annotations

import time

from incrowd.errors import InputError
from incrowd.web.studio.work import Work


def test_work_tells_its_result():
    work = Work("Adding", lambda _: 1 + 1)
    assert work.wait(10)
    assert (work.state, work.result) == ("done", 2)


def test_a_mistake_is_one_sentence_and_a_bug_says_no_value():
    def mistaken(_):
        raise InputError("there is no file")

    def broken(_):
        raise ValueError("Zaphod")

    def full(_):
        raise MemoryError

    found = [Work("x", do) for do in (mistaken, broken, full)]
    assert all(work.wait(10) for work in found)
    assert [work.state for work in found] == ["failed"] * 3
    assert found[0].why == "there is no file"
    assert found[1].why.startswith("this is our bug: ValueError in test_work.py")
    assert "memory" in found[2].why


def test_work_hears_the_wish_to_stop():
    def waits(watch):
        while not watch.stopped:
            time.sleep(0.01)
        return "best so far"

    work = Work("Waiting", waits)
    assert not work.wait(0.05)
    work.stop()
    assert work.wait(10)
    assert (work.stopping, work.result) == (True, "best so far")


def test_cost_bound_and_gap_follow_events_and_drafts_do_not_count():
    def tells(watch):
        watch.tell("solve", scale=10, offset=20, solver="x")
        watch.tell("solve", cost=5, rows_left=3)
        watch.tell("solve", cost=140)
        watch.tell("bound", lower_bound=100)
        watch.tell("bound", lower_bound=80)
        watch.tell("solve", cost=120, lower_bound=100)
        watch.tell("write", seconds=0.1)

    work = Work("Searching", tells)
    assert work.wait(10)
    told = work.told()
    assert (told["cost"], told["lower_bound"], told["gap"], told["scale"]) == (100, 80, 0.25, 10)
    assert told["stage"] == "write"


def test_a_bound_of_nothing_has_no_gap():
    work = Work("x", lambda watch: watch.tell("solve", cost=3, lower_bound=0))
    work.wait(10)
    assert work.told()["gap"] is None
