"""A first release keeps the time limit that was asked for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mondrian.mondrian import Mondrian
from incrowd.tables.solve.shared import time_limit
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.plans import recount


@pytest.fixture
def wide():
    """300 rows of 40 columns of 3 values: more patterns than are walked through."""
    rng = np.random.default_rng(4)
    codes = np.unique(rng.integers(0, 3, (300, 40)), axis=0).astype(np.int32)
    levels = tuple(
        Levels(
            np.stack([np.arange(3, dtype=np.int32), np.zeros(3, np.int32)]),
            np.stack([np.zeros(3, np.int64), np.ones(3, np.int64)]),
        )
        for _ in range(40)
    )
    names = tuple(f"c{j}" for j in range(40))
    types = RowTypes(codes, np.ones(len(codes), np.int64), (3,) * 40)
    return Problem(types, levels, Mask().compile(names, [1] * 40), 5, "forbid", 1, (), names)


class Counting(Watch):
    """Counts events; a limit of 0 seconds if `asked`."""

    def __init__(self, *, asked):
        super().__init__()
        self.heard = 0
        self.on_event = self.hear
        self.limit(0, asked=asked)

    def hear(self, event):
        self.heard += event.stage == "solve" and "rows_left" in event.facts


def test_when_the_limit_is_over_no_more_groups_are_looked_for_and_the_release_is_valid(monkeypatch, wide):
    whole = Greedy(visits=2_000_000).solve(wide, Watch())
    monkeypatch.setattr(time_limit, "PLAN", 0.0)
    monkeypatch.setattr(time_limit, "BOUND", 0.0)
    for solver in (Greedy(visits=2_000_000), Auto()):
        watch = Counting(asked=True)
        cut = solver.solve(wide, watch)
        assert watch.heard == 1  # the end, and no batch of patterns
        assert cut.status == "time_limit"
        assert recount(wide, cut.plan) == cut.plan.cost(wide) >= whole.plan.cost(wide) >= cut.bound.value
        assert min(cut.plan.sizes()) >= wide.k


def test_without_a_limit_that_was_asked_for_the_release_is_the_whole_one(monkeypatch, wide):
    monkeypatch.setattr(time_limit, "PLAN", 0.0)
    monkeypatch.setattr(time_limit, "BOUND", 0.0)
    whole = Greedy(visits=2_000_000).solve(wide, Watch())
    other = Greedy(visits=2_000_000).solve(wide, Counting(asked=False))
    assert whole.plan.cost(wide) == other.plan.cost(wide) and whole.status == other.status == "heuristic"
    assert whole.bound == other.bound


def cut_out(wide, rows, columns, k):
    codes, counts = np.unique(wide.types.codes[:rows, :columns], axis=0, return_counts=True)
    names = wide.columns[:columns]
    return Problem(
        RowTypes(codes, counts.astype(np.int64), (3,) * columns), wide.levels[:columns],
        Mask().compile(names, [1] * columns), k, "forbid", 1, (), names,
    )  # fmt: skip


def test_a_small_table_has_its_whole_greedy_release_with_a_limit_of_0(wide):
    small = cut_out(wide, 40, 6, 3)
    whole, cut = Greedy().solve(small, Watch()), Greedy().solve(small, Counting(asked=True))
    assert (whole.plan.cost(small), whole.bound) == (cut.plan.cost(small), cut.bound)


def test_mondrian_leaves_parts_whole_and_its_bound_where_it_is_when_the_limit_is_over(monkeypatch, wide):
    table = cut_out(wide, 300, 9, 5)
    whole = Mondrian().solve(table, Watch())
    monkeypatch.setattr(time_limit, "PLAN", 0.0)
    monkeypatch.setattr(time_limit, "BOUND", 0.0)
    cut = Mondrian().solve(table, Counting(asked=True))
    assert cut.status == "time_limit" and whole.status == "heuristic"
    assert cut.plan.groups < whole.plan.groups
    assert recount(table, cut.plan) == cut.plan.cost(table) >= cut.bound.value
    assert cut.bound.value < whole.bound.value


def test_under_requirements_the_first_release_keeps_the_limit_and_what_was_asked(monkeypatch):
    rng = np.random.default_rng(5)
    cells = {f"c{j}": [str(x) for x in rng.integers(0, 3, 200)] for j in range(8)}
    table = pa.table(cells | {"s": [str(x) for x in rng.integers(0, 3, 200)]})
    asked = {"quasi_identifiers": list(cells), "sensitive": ["s"], "k": 5, "l": 2, "solver": "greedy"}
    with incrowd.anonymize(table, **asked) as release:
        whole = release.cost
    monkeypatch.setattr(time_limit, "PLAN", 0.0)
    monkeypatch.setattr(time_limit, "BOUND", 0.0)
    with incrowd.anonymize(table, **asked, time_limit=0) as release:
        assert release.status == "time_limit"
        assert release.lower_bound <= whole <= release.cost
        assert incrowd.verify(table, release.table, release.job) == []
