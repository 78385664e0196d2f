"""Whatever the tuning says, releases meet everything and are never dearer than the greedy's."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from oracles.plans import recount
from oracles.required import random_required

OTHERS = (
    {"reach": 0.1},
    {"candidate_pairs": 1},
    {"lenience": 0.0001, "rigour": 0.0001},
    {"urgency": 1000.0, "urgent_most": 1e9, "urgent_from": 0.0},
    {"heat": 50.0, "chill": 50.0},
    {"joined": 0.5},
    {"repair_rounds": 0},
    {"draw_rarity": 0.0},
    {"program_rows": 1, "drawn_classes": 1},
    {"program_pairs": 0},
    {"program_nodes": 0, "program_cuts": 1, "program_rounds": 1},
    {"program_reach": 50.0, "stated_rows": 0},
)


@pytest.mark.few(5)
@pytest.mark.parametrize("other", OTHERS)
def test_no_constant_decides_what_is_released(monkeypatch, other):
    monkeypatch.setattr(tuning, "DEFAULT", dataclasses.replace(tuning.DEFAULT, **other))
    for seed in range(3):
        problem = random_required(np.random.default_rng([83, seed]), "frequency", rows=12, k=2)
        try:
            first = Greedy().solve(problem, Watch()).plan.cost(problem)
        except Infeasible:
            continue
        found = Improve(work=200, seed=seed).solve(problem, Watch())
        assert is_release(problem, found.plan)
        assert recount(problem, found.plan) <= first
