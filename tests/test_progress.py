"""Stop is told and progress is told; neither is asked twice."""

import logging

from incrowd.progress import Watch


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
