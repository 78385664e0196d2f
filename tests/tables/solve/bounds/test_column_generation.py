"""Prices round by round: a bound that only rises and never passes the optimum, and the instances it favours."""

from __future__ import annotations

import json

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing, paid, used_vectors
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.verify.recount import recheck
from oracles.brute_force import optimum
from oracles.plans import cost_of
from oracles.pricing import kept_instances, reduced_cost
from oracles.problems import as_table, random_problem
from seeds import how_many


def pricings(count, most=7):
    """Problems with a release, and prices that begin from the greedy's."""
    for seed in range(count):
        rng = np.random.default_rng([191, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, most)))
        try:
            first = Greedy().solve(problem, Watch())
        except Infeasible:
            continue
        yield problem, first, Pricing(problem, encode(problem), first.plan, first.bound)


def test_the_bound_rises_to_at_most_the_optimum_and_a_stranger_recounts_it():
    higher = 0
    for problem, first, pricing in pricings(how_many(300, 20)):
        least, cost = optimum(problem), first.plan.cost(problem)
        last = first.bound.value
        for _ in range(4):
            assert pricing.round(Watch())
            assert last <= pricing.bound.value == pricing.bound.checked <= least
            last = pricing.bound.value
        higher += last > first.bound.value
        made = pricing.bounding()
        if last > first.bound.value:
            written = by_prices(problem, cost, made.bound, made.whole, made.parts)
            assert recheck(as_table(problem), json.loads(json.dumps(written)), cost).proven
    assert higher


def test_stored_are_the_kept_instances_with_small_reduced_costs():
    some = 0
    for problem, _, pricing in pricings(30):
        pricing.round(Watch())
        counts = problem.types.counts.tolist()
        wanted = {
            (vector, types)
            for vector, types, cost, need in kept_instances(problem)
            if reduced_cost(types, cost, need, counts, pricing.priced.tolist()) <= pricing.tau - 1e-3
        }
        lists = np.split(pricing.stored.members, pricing.stored.begins[1:-1])
        found = {
            (tuple(v), tuple(types.tolist())) for v, types in zip(pricing.stored.vectors.tolist(), lists, strict=False)
        }
        assert wanted <= found
        some += len(wanted)
    assert some


def test_prices_begin_at_what_rows_pay_in_the_release_and_its_patterns_come_by_the_rows_they_hold():
    for problem, first, pricing in pricings(40):
        plan = first.plan
        for i, price in enumerate(paid(problem, plan)):
            row = problem.types.codes[i].tolist()
            groups = plan.part_class[plan.part_type == i]
            assert price == min(cost_of(problem, plan.levels[g].tolist(), row) for g in groups)
        used = used_vectors(problem, plan, pricing.encoded)
        assert len({tuple(v) for v in used.tolist()}) == len(used)
        assert all(problem.patterns.allows(v) for v in used)


def test_a_round_that_is_interrupted_says_so_and_leaves_the_bound():
    watch = Watch()
    watch.interrupt()
    for _, first, pricing in pricings(5):
        assert not pricing.round(watch)
        assert pricing.bound == first.bound


def test_a_cheaper_release_ends_the_rounds_once_the_bound_meets_it():
    _, _, pricing = next(pricings(5))
    pricing.lower(pricing.bound.value)
    assert pricing.finished
