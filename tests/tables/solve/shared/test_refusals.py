from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.tables.solve.shared.refusals import beyond_k
from oracles.problems import random_problem


def test_only_what_asks_for_more_than_k_is_refused():
    problem = random_problem(np.random.default_rng(1))
    assert beyond_k(problem) is None
    assert "no further requirement" in beyond_k(dataclasses.replace(problem, requirements=(object(),)))
