"""Cuts block by block: never above the optimum, counted as a plain recount does, better than prices alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.verify.recount import recheck
from oracles.brute_force import optimum
from oracles.lattice_cuts import worth
from oracles.problems import alike_problem, as_table, random_problem
from seeds import how_many, parts


def held_to_the_optimum(problem, seed, monkeypatch=None):
    """Cut the blocks of a problem; assert what holds of every bound; return it, that of prices alone, and the optimum."""
    try:
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return None
    pricing = Pricing(problem, encode(problem), first.plan, first.bound)
    pricing.first_look(Watch())
    for _ in range(3):
        pricing.round(Watch())
    plain = pricing.bound.value
    watch = Watch()
    watch.limit(0.3)
    pricing.cut_blocks(first.plan, watch, np.random.default_rng(seed))
    least = optimum(problem)
    assert plain <= pricing.bound.value == pricing.bound.checked <= least
    if pricing.proof is not None:
        cost = first.plan.cost(problem)
        written = json.loads(json.dumps(by_lattice_cuts(problem, cost, pricing.bound, pricing.proof)))
        assert worth(problem, written["prices"], pricing.proof.parts, written["trees"][0]) == pricing.proof.value
        found = recheck(as_table(problem), written, cost)
        assert found.violations == ()
        assert pricing.bound.value <= found.lower_bound <= least
    return plain, pricing.bound.value, least


@pytest.mark.few(1)
@pytest.mark.parametrize("part", parts(3))
@pytest.mark.parametrize("types", [3, 300])
def test_bounds_of_blocks_lie_between_those_of_prices_and_the_optimum(part, types, monkeypatch):
    import dataclasses

    from incrowd.tables.solve.bounds import tuning

    monkeypatch.setattr(tuning, "DEFAULT", dataclasses.replace(tuning.DEFAULT, block_types=types, block_whole=0))
    better = gaps = 0
    for seed in range(how_many(60, 15)):
        rng = np.random.default_rng([103, part, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 9)))
        if seed % 2:
            problem = alike_problem(
                np.random.default_rng([73, 100 * part + seed]), ("forbid", "suppress")[seed // 2 % 2]
            )
        seen = held_to_the_optimum(problem, seed)
        if seen is not None:
            gaps += seen[0] < seen[2]
            better += seen[1] > seen[0]
    assert better > gaps / 4 > 0


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(5))
def test_thousands_of_bounds_of_blocks_are_at_most_the_optimum(part):
    for seed in range(200):
        rng = np.random.default_rng([107, part, seed])
        held_to_the_optimum(random_problem(rng, rows=int(rng.integers(2, 9))), seed)
        held_to_the_optimum(alike_problem(rng, "suppress"), seed)
