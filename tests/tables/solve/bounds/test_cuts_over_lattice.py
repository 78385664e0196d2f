"""Cuts over the whole lattice: never above the optimum, counted as a plain recount does, mostly better than prices."""

from __future__ import annotations

import json

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.shared.instances import extents
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import closed
from incrowd.tables.values import Problem
from incrowd.tables.verify.recount import recheck
from oracles.brute_force import optimum
from oracles.lattice_cuts import worth
from oracles.pattern_lists import PatternList
from oracles.problems import alike_problem, as_table, random_problem, star_levels, types_of
from seeds import how_many, parts


def drawn(seed):
    """Few values in many columns: prices alone leave a gap."""
    rng = np.random.default_rng([73, seed])
    return alike_problem(rng, ("forbid", "suppress")[seed % 2])


def bounded(problem, rounds=3):
    """The prices of a problem, cut from the instances of the greedy's release on; None where there is no release."""
    try:
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return None
    encoded = encode(problem)
    pricing = Pricing(problem, encoded, first.plan, first.bound)
    pricing.first_look(Watch())
    for _ in range(rounds):
        pricing.round(Watch())
    plain = pricing.bound.value
    few = pricing.stored.only(pricing.stored.needs == 0)
    few = few.union(extents(problem, encoded, *closed(problem, first.plan, encoded)))
    pricing.cut(few, Watch())
    return pricing, plain, first.plan.cost(problem), few


def held_to_the_optimum(problem):
    """Assert what holds of every bound; return the plain one, the one with cuts, the optimum and its proof."""
    made = bounded(problem)
    if made is None:
        return None
    pricing, plain, cost, few = made
    least = optimum(problem)
    assert plain <= pricing.bound.value == pricing.bound.checked <= least
    proof = pricing.proof
    if proof is None:
        return plain, pricing.bound.value, least, None, 0
    written = json.loads(json.dumps(by_lattice_cuts(problem, cost, pricing.bound, proof)))
    assert worth(problem, written["prices"], proof.parts, written["trees"][0]) == proof.value
    found = recheck(as_table(problem), written, cost)
    assert found.violations == ()
    assert found.proven
    assert pricing.bound.value <= found.lower_bound <= least
    return plain, pricing.bound.value, least, proof, proof.instances.size - few.size


@pytest.mark.parametrize("part", parts(3))
def test_bounds_with_cuts_lie_between_those_of_prices_and_the_optimum(part):
    better = tight = gaps = grown = 0
    kinds = set()
    for seed in range(how_many(100, 50)):
        rng = np.random.default_rng([79, part, seed])
        problem = drawn(100 * part + seed) if seed % 2 else random_problem(rng, rows=int(rng.integers(2, 9)))
        seen = held_to_the_optimum(problem)
        if seen is None:
            continue
        plain, bound, least, proof, more = seen
        gaps += plain < least
        better += bound > plain
        tight += plain < bound == least
        if proof is not None:
            kinds |= {cut.kind for cut in proof.cuts}
            grown += more > 0
    assert better > gaps / 2 > 0
    assert tight
    assert {"T", "C"} <= kinds
    assert grown


@pytest.mark.proofs
def test_where_time_is_limited_improve_cuts_and_certifies_it():
    rng = np.random.default_rng(83)
    types = types_of(np.stack([rng.integers(0, 4, 60) for _ in range(5)], axis=1))
    problem = Problem(types, star_levels(types), PatternList([1] * 5), 3, "suppress")
    plain = Improve(work=200).solve(problem, Watch())
    watch = Watch()
    watch.limit(how_many(4, 2))
    solution = Improve().solve(problem, watch)
    cost = solution.plan.cost(problem)
    assert plain.bound.value < solution.bound.value <= cost
    assert solution.certificate["trees"]
    found = recheck(as_table(problem), json.loads(json.dumps(dict(solution.certificate))), cost)
    assert found.proven
    assert found.lower_bound == solution.bound.value


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_bounds_with_cuts_are_at_most_the_optimum(part):
    for seed in range(400):
        rng = np.random.default_rng([89, part, seed])
        held_to_the_optimum(drawn(1000 + 400 * part + seed))
        held_to_the_optimum(random_problem(rng, rows=int(rng.integers(2, 9))))
