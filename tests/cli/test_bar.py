"""The bar: what a search has reached, in the user's units, from the events alone."""

import time
from types import MappingProxyType

import pytest

from incrowd import anonymize
from incrowd.cli import bar
from incrowd.cli.bar import Progress
from incrowd.progress import Event


def event(stage, **facts):
    return Event(stage, MappingProxyType(facts), 0.0)


def begun(**facts):
    progress = Progress()
    progress.hear(event("solve", solver="auto", row_types=1200, **facts))
    return progress


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(bar.time, "perf_counter", lambda: now[0])
    return now


def test_the_bar_has_time_left_cost_bound_and_gap_in_the_users_units(clock):
    progress = begun(limit=60.0, scale=10, offset=50)
    progress.hear(event("solve", cost=250, rows_left=0))
    progress.hear(event("bound", lower_bound=210))
    clock[0] += 15
    line = progress.line(200)
    assert line == "bound    [#####---------------] 46 s left, cost 20, at least 16, gap 25.0%"


def test_what_is_of_a_part_of_the_table_is_no_cost_of_it():
    progress = begun(limit=None, scale=1, offset=0)
    progress.hear(event("solve", cost=90, lower_bound=80))
    progress.hear(event("solve", cost=12))  # of a part: below the bound
    progress.hear(event("solve", cost=40, rows_left=7))  # a draft
    progress.hear(event("bound", lower_bound=30))  # weaker than what is known
    assert (progress.cost, progress.bound) == (90, 80)
    assert progress.gap == pytest.approx(0.125)


def test_no_gap_is_told_above_a_bound_of_nothing():
    progress = begun(scale=1, offset=0)
    progress.hear(event("solve", cost=5, lower_bound=0))
    assert progress.gap is None and "gap" not in progress.line(100)


def test_the_line_fits_the_terminal_and_begins_with_what_matters():
    progress = begun(limit=3600.0, scale=1, offset=0)
    progress.hear(event("solve", cost=123456, lower_bound=120000))
    assert len(progress.line(60)) < 60
    assert "59 min" in progress.line(60) or "60 min" in progress.line(60)


def test_without_a_terminal_each_stage_is_a_line_however_often_the_search_tells(clock):
    progress = Progress()
    said = [progress.hear(event("read", seconds=1.26))]
    said.append(progress.hear(event("solve", solver="auto", row_types=1200, limit=60.0, scale=2, offset=0)))
    said += [progress.hear(event("solve", cost=cost, lower_bound=10)) for cost in range(90, 20, -1)]
    clock[0] += 4.0
    said.append(progress.hear(event("expand", seconds=0.5)))
    assert "".join(said) == (
        "read       1.3 s\n"
        "solve      1,200 row types, at most 60 s\n"
        "solve      4.0 s: cost 10.5, at least 5, gap 110.0%\n"
        "expand     0.5 s\n"
    )
    assert progress.last() == ""


def test_a_limit_is_told_in_tenths_of_a_second():
    assert Progress().hear(event("solve", solver="auto", row_types=2, limit=7.26)).endswith(", at most 7.3 s\n")


def test_a_search_that_is_cut_off_is_told_at_the_end(clock):
    progress = begun(scale=1, offset=0)
    clock[0] += 2
    assert progress.last() == "solve      2.0 s\n"


def test_the_events_of_a_job_lead_to_its_own_cost_and_bound():
    progress = Progress()
    rows = [{"age": i % 7, "sex": "fm"[i % 2], "land": i % 5} for i in range(200)]
    reached = []

    def hear(one):
        progress.hear(one)
        if progress.began is not None:
            reached.append((progress.units(progress.cost or 0), progress.units(progress.bound or 0)))

    began = time.perf_counter()
    release = anonymize(
        rows, quasi_identifiers=["age", "sex", "land"], k=9, weights={"age": "1/3"}, time_limit=5, on_event=hear
    )
    assert time.perf_counter() - began < 60
    assert reached[-1][0] == release.exact_cost
    assert reached[-1][1] == release.exact_lower_bound
