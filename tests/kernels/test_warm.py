from __future__ import annotations

import importlib

import numpy as np

from incrowd import kernels
from incrowd.kernels.matching import assign, columns, odd_sets, repair
from incrowd.kernels.matching import metric as matching_metric
from incrowd.kernels.matching import price as matching_price
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.matching import optimal_groups
from oracles.matching_drawn import FAMILIES, draw
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


def test_warm_compiles_all_that_the_matching_calls():
    modules = [assign, columns, matching_metric, matching_price, odd_sets, repair]
    assert {m.__name__.removeprefix("incrowd.kernels.") for m in modules} <= set(kernels.warm())

    def signatures():
        # The others are only called by kernels.
        inner = ("cost3", "row_block", "both_sets")
        names = [(m, n) for m in modules for n in m.__all__ if hasattr(getattr(m, n), "signatures") and n not in inner]
        return {(m.__name__, n): len(getattr(m, n).signatures) for m, n in names}

    before = signatures()
    assert all(before.values())
    for family in FAMILIES:
        for seed in range(12):
            drawn = draw(family, seed, (6, 9))
            optimal_groups(
                drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns,
                outliers=drawn.outliers, sens=drawn.sens, dense=seed % 2 == 0,
            )  # fmt: skip
    assert signatures() == before
