from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.progress import Watch
from incrowd.tables.compress import compress
from incrowd.tables.solve.bounds import lagrangian as prices
from incrowd.tables.solve.bounds.column_generation import improve_bound, start_prices
from incrowd.tables.solve.bounds.counting import per_row_bound
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.pricing import lagrangian, reduced_cost
from oracles.problems import random_problem, star_levels


def drawn(count, seed, **given):
    for n in range(count):
        rng = np.random.default_rng([seed, n])
        problem = random_problem(rng, **given)
        highest = sum(int(level.cost.max()) for level in problem.levels) + 1
        yield problem, rng.integers(-2, 2 * highest, problem.types.t).astype(np.int64)


def test_reduced_costs_are_those_of_counting_row_by_row():
    for problem, whole in drawn(200, 1):
        instances = list_instances(problem)
        got = prices.reduced_costs(instances, whole.astype(float))
        for g in range(instances.size):
            types = instances.members[instances.begins[g] : instances.begins[g + 1]]
            expected = reduced_cost(types, instances.costs[g], int(instances.needs[g]), problem.types.counts, whole)
            assert got[g] == expected


@pytest.mark.parametrize("bits", [64, 4])
def test_the_scan_without_a_list_has_the_value_of_the_whole_list(bits):
    for problem, whole in drawn(how_many(200, 20), 2):
        encoded = encode(problem, bits=bits)
        tau = int(np.random.default_rng(3).integers(0, 4))
        seen = prices.scan(problem, encoded, CanonicalPattern(problem, encoded), whole, 1, tau=tau)
        value = lagrangian(problem, whole.tolist())
        assert prices.exact_value(list_instances(problem), whole, 1) == value
        if bits == 64:
            assert seen.value == value
        else:  # a collision may only lower the bound
            assert seen.value <= value


def test_the_scan_finds_every_instance_up_to_the_threshold():
    for problem, whole in drawn(200, 4):
        encoded = encode(problem)
        tau = 3
        seen = prices.scan(problem, encoded, CanonicalPattern(problem, encoded), whole, 1, tau=tau)
        everything = list_instances(problem)
        rc = prices.reduced_costs(everything, whole.astype(float))

        def named(instances, which):
            return {(instances.vectors[g].tobytes(), int(instances.reps[g])) for g in which}

        wanted = named(everything, np.flatnonzero((rc <= tau) & (everything.needs > 0)))
        assert named(seen.instances, np.flatnonzero(seen.instances.needs > 0)) == wanted


def test_a_price_is_capped_by_the_cheapest_instance_that_takes_any_number_of_rows():
    free = 0
    for problem, _ in drawn(40, 12, rows=8):
        instances = list_instances(problem)
        expected = np.full(instances.t, np.inf).tolist()
        for g in range(instances.size):
            if instances.needs[g] == 0:
                for i in instances.members[instances.begins[g] : instances.begins[g + 1]].tolist():
                    expected[i] = min(expected[i], float(instances.costs[g]))
        assert prices.price_caps(instances).tolist() == expected
        free += np.isfinite(expected).any()
    assert 0 < free < 40


def test_any_prices_give_a_bound():
    for problem, whole in drawn(how_many(150, 24), 5, rows=7):
        least = optimum(problem)
        if least is not None:
            assert prices.exact_value(list_instances(problem), whole, 1) <= least


def test_the_subgradient_only_goes_up_and_is_confirmed_in_integers():
    better = 0
    for problem, _ in drawn(100, 6):
        instances = list_instances(problem)
        if not instances.size:
            continue
        start = np.zeros(problem.types.t)
        target = float(problem.types.n * sum(int(level.cost.max()) for level in problem.levels))
        value, found = prices.subgradient(instances, start, target=target, steps=50)
        parts = prices.grain(instances.costs, instances.counts)
        exact = prices.exact_value(instances, prices.whole_prices(found, parts), parts)
        assert exact / parts == pytest.approx(value, abs=0.01)
        assert value >= 0
        better += value > 0
    assert better > 30


def priced(table, k):
    """What prices prove of a table over all patterns of stars in four rounds, and what counting proves."""
    types = compress(table).types
    problem = Problem(types, star_levels(types), PatternList([1] * types.m), k, "suppress")
    plan = Greedy().solve(problem, Watch()).plan
    found = improve_bound(problem, plan.cost(problem), Watch(), start=start_prices(problem, plan), rounds=4)
    assert found.bound.value <= plan.cost(problem)
    return found.bound.value, per_row_bound(problem).value


def test_cmc_prices_beat_the_counting_bound(cmc):
    found, counted = priced(cmc, 3)
    assert found > counted


@pytest.mark.proofs
def test_adult_prices_beat_the_counting_bound(adult2):
    found, counted = priced(adult2, 5)
    assert counted < 37500 <= found <= 38067
