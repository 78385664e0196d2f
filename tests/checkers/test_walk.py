"""The walk over all instances: what `verify` does with arrays is what `incrowd.check` does row type by row type."""

import dataclasses

import numpy as np
import pytest

from incrowd.check.prices import Problem
from incrowd.tables.verify import recount
from oracles.problems import as_table, random_problem
from seeds import how_many


def found_by(problem, prices, parts, everything):
    """Instances by vector and what they show, with their row types, need and cost."""
    top = problem.listed()
    walk = problem.instances(prices, parts, top, everything=everything)
    return sorted((one.vector, tuple(one.types), one.need, one.cost) for one in walk)


@pytest.mark.parametrize("seed", range(how_many(200, 40)))
def test_the_instances_that_matter_are_those_of_the_check(seed, monkeypatch):
    rng = np.random.default_rng([71, seed])
    if seed % 3 == 0:  # keys of several words, and few pairs at a time
        monkeypatch.setattr(recount, "WORD", 8)
        monkeypatch.setattr(recount, "PAIRS", 1)
    table = as_table(random_problem(rng, rows=int(rng.integers(1, 40))))
    problem, parts = recount.Compiled(table), int(rng.integers(1, 4))
    if not problem.listed() and not problem.vectors:
        return
    prices = rng.integers(-3, 3 * parts * max(problem.dearest, 1), problem.t).tolist()
    twin = recount.Compiled(dataclasses.replace(table))
    twin.instances = Problem.instances.__get__(twin)
    for everything in (False, True):
        assert found_by(problem, prices, parts, everything) == found_by(twin, prices, parts, everything)
