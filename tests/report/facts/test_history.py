"""Cost and bound over time, as heard: only what is true of the whole problem, only what is better."""

from types import SimpleNamespace

from incrowd.progress import Watch
from incrowd.report.facts.history import MOST, History


def points(events, cost, bound, scale=1):
    told = []
    history = History(Watch(on_event=told.append))
    for stage, facts in events:
        history.watch.tell(stage, **facts)
    problem = SimpleNamespace(scale=scale, levels=())
    solution = SimpleNamespace(plan=SimpleNamespace(cost=lambda _: cost), bound=SimpleNamespace(value=bound))
    assert [event.stage for event in told] == [stage for stage, _ in events]
    return [(p["cost"], p["lower_bound"]) for p in history.points(problem, solution, 9e9)]


def test_costs_fall_and_bounds_rise_to_the_end():
    events = [
        ("solve", {"cost": 20, "rows_left": 0}),
        ("bound", {"lower_bound": 5}),
        ("solve", {"cost": 25, "lower_bound": 7}),
        ("solve", {"cost": 12}),
        ("bound", {"lower_bound": 6}),
    ]
    assert points(events, 12, 9) == [(20, None), (20, 5), (20, 7), (12, 7), (12, 9)]


def test_a_draft_with_rows_left_and_parts_of_a_problem_are_not_taken():
    events = [
        ("solve", {"cost": 30, "rows_left": 4}),
        ("solve", {"cost": 3}),
        ("bound", {"lower_bound": 40}),
        ("read", {"cost": 15}),
        ("solve", {"cost": None, "lower_bound": None}),
    ]
    assert points(events, 12, 9) == [(12, 9)]


def test_costs_are_in_the_users_units():
    assert points([("solve", {"cost": 9})], 6, 3, scale=6) == [(1.5, None), (1, 0.5)]


def test_a_long_run_is_thinned_and_keeps_its_end():
    made = points([("solve", {"cost": 10_000 - i}) for i in range(5000)], 5000, 10)
    assert len(made) <= MOST + 1
    assert made[-1] == (5000, 10)


def test_an_interruption_is_heard_on_both_sides():
    watch = Watch()
    history = History(watch)
    assert not history.watch.stopped
    watch.interrupt()
    assert history.watch.stopped
    other = History(Watch())
    other.watch.interrupt()
    assert other.watch.interrupted
