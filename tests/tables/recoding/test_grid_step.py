import csv

import numpy as np
import pytest

import incrowd
from incrowd.tables.recoding import grid_step


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
    assert "name one as round" in " ".join(str(release.summary()).split())
