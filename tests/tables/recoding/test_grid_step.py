import csv

import numpy as np
import pytest

import incrowd
from incrowd.progress import Watch
from incrowd.tables.recoding import grid_step
from incrowd.tables.values import Levels, Problem, RowTypes


@pytest.fixture
def prices(tmp_path):
    """Amounts in three dense heaps of one step of 100 each, and a sex that half of the time decides the heap."""
    rng = np.random.default_rng(5)
    path = tmp_path / "prices.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["paid", "age", "sex"])
        for _ in range(60):
            heap = int(rng.integers(3))
            out.writerow([1000 + 400 * heap + int(rng.integers(100)), 20 + heap, "fm"[heap % 2]])
    return path


def made(path, columns, numeric, **more):
    settings = {"quasi_identifiers": columns, "numeric": numeric, "k": 3, "recoding": "grid", "work": 1000}
    return incrowd.anonymize(path, dry_run=True, **{**settings, **more})


def judged(told):
    """What the rule says of the costs that were compared."""
    (_, least), *others = told["compared"]
    kept = [step for step, cost in others if 100 * cost <= 101 * least]
    return kept[-1:] or [told["compared"][0][0]]


@pytest.mark.few(1)
@pytest.mark.parametrize("columns", [["paid"], ["paid", "sex"], ["sex", "paid", "age"]])
def test_the_step_is_the_coarsest_that_costs_one_per_cent_more_by_the_costs_told(prices, columns):
    numeric = [name for name in columns if name != "sex"]
    release = made(prices, columns, numeric)
    told = release.facts["grid_steps"]
    assert list(told) == numeric
    for name in numeric:
        one = told[name]
        assert one["in_time"]
        assert (one["rows"], one["sampled"]) == (60, False)
        steps = [float(step) for step, _ in one["compared"]]
        assert steps[0] == 1
        assert steps[1:] == sorted(steps[1:], reverse=True)
        assert judged(one) == [one["step"]] == [release.facts["grid"][name]]
        assert all(100 * cost > 101 * one["compared"][0][1] for _, cost in one["compared"][1:-1])
    assert "at most 1 % more than one, on all rows" in " ".join(str(release.summary()).split())


def test_the_choice_follows_the_seed_alone_and_a_step_that_is_named_stays(prices):
    once, again = (made(prices, ["paid", "sex"], ["paid"]).facts["grid_steps"] for _ in range(2))
    assert once == again
    named = made(prices, ["paid", "sex"], ["paid"], round=20).facts
    assert named["grid"] == {"paid": 20}
    assert "grid_steps" not in named


def test_where_time_ends_the_step_is_the_usual_one_and_the_summary_says_so(prices, monkeypatch):
    monkeypatch.setattr(grid_step, "SHARE", 0.0)
    release = made(prices, ["paid", "sex"], ["paid"], time_limit=5.0)
    assert release.facts["grid_steps"]["paid"]["compared"] == []
    assert not release.facts["grid_steps"]["paid"]["in_time"]
    assert "name one with round" in " ".join(str(release.summary()).split())


def test_a_sample_is_of_rows_of_the_table_and_follows_the_seed():
    line = np.arange(3, dtype=np.int32)
    level = Levels(np.stack([line, 0 * line]), np.stack([0 * line, 0 * line + 1]).astype(np.int64))
    types = RowTypes(line[:, None], np.array([4, 1, 5]), (3,))
    problem = Problem(types=types, levels=(level,), patterns=None, k=2)
    for seed in range(5):
        found = grid_step.sample(problem, 6, seed).types
        assert found.n == 6
        assert (found.counts <= types.counts[found.codes[:, 0]]).all()
        assert np.array_equal(found.counts, grid_step.sample(problem, 6, seed).types.counts)
    assert grid_step.sample(problem, 10, 1) is problem


def test_a_stop_before_anything_was_compared_leaves_the_costs_unknown():
    watch = Watch()
    watch.interrupt()
    assert grid_step._on_sample(grid_step._Question(None, 0, watch), {}, 1) is None
