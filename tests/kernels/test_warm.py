from __future__ import annotations

import importlib

import numpy as np

from incrowd import kernels
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from oracles.problems import random_problem

OURS = {
    "grouping.frequent": ("hash_nodes", "frequent", "crowds"),
    "grouping.cheapest": ("cheapest_crowds",),
    "grouping.nearest": ("common_levels",),
}


def signatures():
    return {
        (module, name): len(getattr(importlib.import_module(f"incrowd.kernels.{module}"), name).signatures)
        for module, names in OURS.items()
        for name in names
    }


def test_warm_compiles_all_that_greedy_calls():
    assert set(OURS) <= set(kernels.warm())
    before = signatures()
    assert all(before.values())
    for work in (1, 10**6):
        for seed in range(5):
            problem = random_problem(np.random.default_rng([30, seed]), rows=12, full=True)
            Greedy(visits=work, threads=2).solve(problem, Watch())
    assert signatures() == before
