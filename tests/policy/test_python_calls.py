"""A mistake in a Python call: the setting in the message, and no line of ours in the traceback."""

import threading
import traceback

import pytest

import incrowd
from incrowd.errors import Infeasible, OurBug, PolicyError
from incrowd.policy.python_calls import from_python

ROWS = [{"age": age, "sex": sex} for age in (31, 31, 47, 52) for sex in "fm"]


def test_a_message_names_the_setting_in_a_call_and_in_the_shell_alike(run, tmp_path):
    with pytest.raises(PolicyError, match="k is not given: ask for one, as k = 5"):
        incrowd.anonymize(ROWS, quasi_identifiers=["age"])
    (tmp_path / "t.csv").write_text("age\n31\n31\n")
    assert "k is not given: ask for one, as k = 5" in run("anonymize", "t.csv", "--qi", "age", "--dry-run")[2]


def test_a_traceback_ends_where_the_caller_called(monkeypatch):
    def lines():
        with pytest.raises(PolicyError) as error:
            incrowd.anonymize(ROWS, quasi_identifiers=["ages"], k=2)
        assert error.value.__cause__ is None
        return len(traceback.extract_tb(error.value.__traceback__))

    assert lines() == 2  # here, and the public function
    monkeypatch.setenv("INCROWD_DEBUG", "1")
    assert lines() > 3


def test_what_an_error_carries_stays():
    rows = [{"age": 1, "ill": "x"}, {"age": 2, "ill": "x"}]
    with pytest.raises(Infeasible) as error:
        incrowd.anonymize(rows, quasi_identifiers=["age"], sensitive=["ill"], k=2, l=2)
    assert error.value.requirement and error.value.proven is True


def test_a_bug_of_ours_keeps_its_traceback():
    def broken(**settings):
        def inner():
            raise OurBug("--k")

        inner()

    with pytest.raises(OurBug, match="--k") as error:
        from_python(broken)()
    assert len(traceback.extract_tb(error.value.__traceback__)) > 3


def test_a_call_is_stopped_by_an_event_and_keeps_its_best():
    rows = [{"a": i % 17, "b": (i * 7) % 23, "c": (i * 5) % 11, "d": i % 6} for i in range(400)]
    asked = {"quasi_identifiers": ["a", "b", "c", "d"], "k": 7, "time_limit": 120}
    stop = threading.Event()

    def hear(event):
        if event.stage == "solve" and isinstance(event.facts.get("cost"), int) and not event.facts.get("rows_left"):
            stop.set()

    release = incrowd.anonymize(rows, **asked, on_event=hear, stop=stop)
    assert release.status == "interrupted"
    assert incrowd.verify(rows, release.table, quasi_identifiers=asked["quasi_identifiers"], k=7) == []
    assert release.facts["seconds"]["total"] < 60


def test_what_a_listener_raises_ends_the_call():
    class Enough(Exception):
        pass

    def hear(event):
        raise Enough

    with pytest.raises(Enough):
        incrowd.anonymize(ROWS, quasi_identifiers=["age"], k=2, on_event=hear)


def test_options_of_reading_csv_are_said_to_have_had_no_part_in_reading_a_frame():
    release = incrowd.anonymize(ROWS, quasi_identifiers=["age"], k=2, na=["NA"], delimiter=";")
    assert any(
        note.startswith("delimiter, na: options of reading CSV, which had no part") for note in release.facts["notes"]
    )
    assert not any("no part" in note for note in incrowd.anonymize(ROWS, quasi_identifiers=["age"], k=2).facts["notes"])


def test_a_chart_is_drawn_by_calling_plot_and_by_its_name():
    release = incrowd.anonymize(ROWS, quasi_identifiers=["age", "sex"], k=2)
    assert release.plot() == release.plot.levels()
    assert release.plot("classes").svg().startswith("<svg")
    with pytest.raises(incrowd.InputError, match=r"no chart 'clases' \(did you mean 'classes'"):
        release.plot("clases")
