"""Fixing by reduced costs: what it rules out no release up to the limit has, asked one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.seeds import how_many

from incrowd.kernels.bounds import fixing as kernel
from incrowd.milp import Outcome, solve
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.cuts.counting import terms
from incrowd.tables.solve.exact.proof_tree import DualBound
from incrowd.tables.solve.exact.reduced_cost_fixing import reduce, without
from incrowd.tables.solve.shared.instances import common_step, list_instances
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import random_problem, star_levels, types_of

PARTS = 840


def drawn(seed):
    rng = np.random.default_rng([31, seed])
    if seed % 2:
        return random_problem(rng, full=True, outliers="suppress")
    m = int(rng.integers(3, 6))
    n = int(rng.integers(7, 10))
    rows = np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1)
    types = types_of(rows)
    return Problem(types, star_levels(types), PatternList([1] * m), int(rng.integers(2, 5)), "suppress")


def least(model, column, low, high):
    """Cost of the best release with a column held between two numbers (infinity: there is none)."""
    program = model.program
    lower, upper = program.lower.copy(), program.upper.copy()
    lower[column], upper[column] = low, high
    answer = solve(replace(program, lower=lower, upper=upper))
    return answer.objective if answer.outcome is Outcome.OPTIMAL else np.inf


def proven(problem, upper):
    instances = list_instances(problem).free_hub()
    unit = common_step([level.cost for level in problem.levels])
    prover = DualBound(instances, problem.k, unit, PARTS)
    prover.start(upper, Watch())
    return prover


def test_what_is_ruled_out_is_in_no_release_up_to_the_limit():
    asked = {"closed": 0, "open": 0, "empty": 0}
    problems = how_many(160, 20)
    for seed in range(problems):
        problem = drawn(seed)
        rng = np.random.default_rng([32, seed])
        prover = proven(problem, 10**9)
        instances, leaf = prover.instances, prover.root.leaf
        used = sorted(leaf.weights)
        constant, extra, fixed = terms(instances, [prover.cuts[c] for c in used], [leaf.weights[c] for c in used])
        prices = leaf.prices
        if seed % 3 == 0:  # any prices do
            prices = prices + rng.integers(-PARTS, PARTS + 1, prices.size)
        limit = prover.up(leaf.value) + int(rng.integers(0, 3)) * prover.unit
        base = int((prices * instances.counts).sum()) + constant
        closed, opened, empty = kernel.ruled_out(
            instances.begins, instances.members, instances.counts, instances.costs * PARTS, instances.needs, prices,
            extra, fixed, base, limit * PARTS,
        )  # fmt: skip
        model = strong(instances)
        for name, marked in (("closed", closed), ("open", opened), ("empty", empty & ~closed[instances.owners])):
            places = np.flatnonzero(marked)
            for place in rng.permutation(places)[:3]:
                if name == "empty":
                    cheapest = least(model, place, 1, instances.counts[instances.members[place]])
                elif model.column[place] < 0:
                    continue
                else:
                    mark = int(name == "closed")
                    cheapest = least(model, model.column[place], mark, mark)
                asked[name] += 1
                assert cheapest > limit + 1e-6, name
    assert all(count > problems / 8 for count in asked.values()), asked


def test_the_smaller_program_has_the_optimum_up_to_the_limit_and_nothing_below_it():
    smaller = 0
    problems = how_many(80, 20)
    for seed in range(problems):
        problem = drawn(seed)
        if problem.types.n > 8:
            continue
        best = optimum(problem)
        prover = proven(problem, 10**9)
        for limit in (best - prover.unit, best, best + 2 * prover.unit):
            reduced = reduce(prover, limit)
            smaller += reduced.instances.pairs < prover.instances.pairs
            answer = solve(reduced.program, cutoff=limit / prover.unit + 0.5)
            if limit < best:
                assert answer.x is None or answer.outcome is Outcome.CUTOFF
                continue
            assert answer.outcome is Outcome.OPTIMAL
            assert round(answer.objective * prover.unit) == best
            rows = np.zeros(prover.instances.pairs, np.int64)
            rows[reduced.places] = np.rint(answer.x[: reduced.instances.pairs]).astype(np.int64)
            if holds(prover.instances, rows):
                assert cost_of(prover.instances, rows) == best
    assert smaller > problems / 2


def test_without_prices_nothing_is_ruled_out():
    problem = drawn(0)
    instances = list_instances(problem)
    assert reduce(DualBound(instances, problem.k, 1, PARTS), 10) is None
    prover = proven(problem, 10**9)
    assert reduce(prover, 2**60) is None, "numbers that 62 bits do not hold"


def test_a_list_without_some_pairs_keeps_its_order_and_its_hub():
    for seed in range(60):
        instances = list_instances(drawn(seed))
        rng = np.random.default_rng([33, seed])
        closed, empty = rng.random(instances.size) < 0.3, rng.random(instances.pairs) < 0.2
        rest, ids, places = without(instances, closed, empty)
        assert not closed[ids].any() and not empty[places].any()
        kept = ~(closed[instances.owners] | empty)
        assert np.flatnonzero(kept).tolist() == places.tolist()
        assert rest.members.tolist() == instances.members[places].tolist()
        assert ids[rest.owners].tolist() == instances.owners[places].tolist()
        assert rest.costs.tolist() == instances.costs[ids].tolist()
        assert (rest.hub < 0) if instances.hub not in ids else (ids[rest.hub] == instances.hub)
