"""Row types near each row type."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.free_classes import near
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import kinds_of
from oracles.required import FAMILIES, random_required
from seeds import seeds


def together(problem, a, b):
    """What it costs a row of type a to be shown with type b, each column as low as it can be."""
    total = 0
    for j, level in enumerate(problem.levels):
        u, v = problem.types.codes[[a, b], j]
        total += int(next(level.cost[l][u] for l in range(level.height + 1) if level.up[l][u] == level.up[l][v]))  # noqa: E741
    return total


@seeds(48, 12)
def test_all_types_are_near_where_there_are_few_and_the_nearest_stand_first_of_both_sorts(seed):
    problem = random_required(np.random.default_rng([62, seed]), FAMILIES[seed % len(FAMILIES)], rows=20)
    found = near(problem, encode(problem), Watch())
    kinds = kinds_of(problem)
    for i in range(problem.types.t):
        row = found[i][found[i] >= 0].tolist()
        assert sorted(row) == [u for u in range(problem.types.t) if u != i]
        gaps = [together(problem, i, u) for u in row]
        if gaps:
            assert gaps[0] == min(gaps)
        other = [together(problem, i, u) for u in row if kinds[u] != kinds[i]]
        if other:
            assert min(other) in [together(problem, i, u) for u in row[:2] if kinds[u] != kinds[i]]


@seeds(12, 4)
def test_of_many_types_a_sample_is_looked_at(seed, monkeypatch):
    from incrowd.tables.solve.improve.under_requirements import tuning

    problem = random_required(np.random.default_rng([63, seed]), "frequency", rows=60)
    small = type(tuning.DEFAULT)(free_near=3, free_pairs=problem.types.t**2 // 4)
    monkeypatch.setattr(tuning, "DEFAULT", small)
    found = near(problem, encode(problem), Watch())
    for i in range(problem.types.t):
        row = found[i][found[i] >= 0].tolist()
        assert i not in row
        assert len(set(row)) == len(row) <= 6
        assert row
