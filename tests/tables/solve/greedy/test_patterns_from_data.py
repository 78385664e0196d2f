"""Patterns grown from the data finish what a mask with too many to walk through has begun."""

from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import few_of, how_many

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy import greedy as module
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Problem
from oracles.plans import recount
from oracles.problems import star_levels, stars, types_of


@pytest.mark.few(2)
@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
@pytest.mark.parametrize(
    ("work", "front"), few_of([(1, 1), (50_000_000, 10_000), (20_000, 16), (50_000_000, 50_000_000)], 2)
)
def test_grown_patterns_finish_where_the_work_runs_out(outliers, work, front, monkeypatch):
    rng = np.random.default_rng(7)
    n = how_many(2000, 800)
    kind = rng.integers(0, 40, n)
    noise = rng.random((n, 12)) < 0.1
    table = np.where(noise, rng.integers(0, 9, (n, 12)), kind[:, None] * (1 + np.arange(12)) % 9)
    types = types_of(table)
    full = Greedy(threads=1).solve(stars(types, 5, outliers), Watch())
    problem = stars(types, 5, outliers)
    monkeypatch.setattr(module, "HUGE", 100)
    monkeypatch.setattr(module, "FRONT", front)
    short = Greedy(threads=1, visits=work).solve(problem, Watch())
    cost = recount(problem, short.plan)
    assert short.bound.value <= full.bound.value <= cost
    assert any("grown" in note for note in short.notes)
    if work > 20_000:
        assert cost <= 1.1 * full.plan.cost(problem)
    two = Greedy(threads=2, visits=work).solve(problem, Watch())
    assert np.array_equal(short.plan.part_group, two.plan.part_group)


def test_a_mask_of_2_to_the_40_patterns_ends_far_below_full_suppression():
    rng = np.random.default_rng(8)
    n = how_many(1500, 600)
    kind = rng.integers(0, 60, n)
    noise = rng.random((n, 40)) < 0.1
    table = np.where(noise, rng.integers(0, 9, (n, 40)), kind[:, None] * (1 + np.arange(40)) % 9)
    types = types_of(table)
    columns = [f"c{j}" for j in range(40)]
    problem = Problem(types, star_levels(types), Mask().compile(columns, [1] * 40), 5)
    solution = Greedy(visits=20_000_000).solve(problem, Watch())
    assert 0 < solution.bound.value <= recount(problem, solution.plan) < 0.5 * types.n * 40
