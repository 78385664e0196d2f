"""Stop is told and progress is told; neither is asked twice."""

import logging

import pytest

from incrowd import progress
from incrowd.progress import Watch, search_time, standstill


def test_events_reach_the_listener_and_the_log(caplog):
    heard = []
    with caplog.at_level(logging.INFO, logger="incrowd"):
        Watch(on_event=heard.append).tell("solve", cost=3, bound=None)
    assert heard[0].stage == "solve"
    assert dict(heard[0].facts) == {"cost": 3, "bound": None}
    assert heard[0].seconds >= 0
    assert "solve cost=3 bound=None" in caplog.text


def test_the_library_adds_no_handler():
    assert logging.getLogger("incrowd").handlers == []


def test_a_limit_stops_and_is_lifted():
    watch = Watch()
    assert not watch.stopped
    watch.limit(0)
    assert watch.out_of_time
    assert watch.stopped
    watch.limit(None)
    assert not watch.stopped


def test_patient_work_hears_interruptions_but_no_limit():
    watch = Watch()
    watch.limit(0)
    patient = watch.patient()
    assert not patient.stopped
    watch.interrupt()
    assert patient.stopped
    assert not patient.out_of_time


def test_memory_nearly_used_up_stops_a_run_and_what_lies_behind_it_but_is_no_interruption():
    watch = Watch()
    patient = watch.patient()
    assert (watch.affordable(10, 8), patient.affordable(10, 8)) == (10, 10)
    watch.near_full()
    assert watch.stopped and patient.stopped and patient.first(5).stopped
    assert not (watch.interrupted or patient.interrupted or watch.out_of_time)
    patient.short = False
    assert not watch.stopped


def test_of_a_thing_no_more_are_kept_than_memory_is_left_for():
    watch = Watch(room=lambda: 100)
    assert [watch.affordable(10, size) for size in (5, 10, 11, 101)] == [10, 10, 9, 0]
    assert watch.patient().affordable(10, 50) == 2


def test_a_share_of_the_time_stops_earlier_and_without_a_limit_there_is_none():
    watch = Watch()
    assert watch.share(0.5) is watch
    watch.limit(1000.0)
    part, none = watch.share(0.5), watch.share(0.0)
    assert none.stopped
    assert not part.stopped
    assert part.deadline < watch.deadline
    watch.interrupt()
    assert part.stopped


def test_a_limit_stands_still_while_loops_are_compiled_for_every_thread_and_wall_time_goes_on(monkeypatch):
    at = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: at[0])
    watch = Watch(started=100.0)
    watch.limit(5.0)
    half = watch.share(0.5)
    begun = search_time()
    at[0] += 2
    one, other = standstill(), standstill()
    one.__enter__()
    at[0] += 20
    with other:  # begins before the first ends, and ends after it: of another thread
        at[0] += 20
        one.__exit__(None, None, None)
        at[0] += 20
        assert search_time() - begun == 2 and not half.stopped
    assert search_time() - begun == 2 and watch.seconds == 62
    at[0] += 1
    assert half.stopped and not watch.stopped
    with pytest.raises(KeyError), standstill(), standstill():
        raise KeyError
    at[0] += 2
    assert watch.stopped and watch.out_of_time
