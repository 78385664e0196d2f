import json
from fractions import Fraction

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.solver import RangeSearch
from incrowd.tables.values import Levels
from incrowd.tables.verify.bound.ranges.recount import RangedTable, recheck
from oracles.grid import drawn, optimum
from seeds import seeds


def as_seen(problem, numbers):
    """Return a problem as the check sees it."""
    column = next(j for j, one in enumerate(problem.ranges) if one is not None)
    levels = list(problem.levels)
    levels[column] = Levels(levels[column].up[[0, -1]], levels[column].cost[[0, -1]])
    step = Fraction(*problem.ranges[column].step)
    return RangedTable(
        codes=problem.types.codes, counts=problem.types.counts, levels=levels, column=column,
        numbers=tuple(map(Fraction, numbers)), step=step, k=problem.k, outliers=problem.outliers, scale=problem.scale,
    )  # fmt: skip


def solved(problem):
    return RangeSearch(ranged=True, work=200).solve(problem, Watch())


@seeds(250)
def test_bound_optimum_and_cost_stand_in_this_order_and_the_check_recounts_the_bound(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        problem, numbers = drawn(rng, most_rows=6)
        found = solved(problem)
        cost, least = found.plan.cost(problem), optimum(problem)
        assert found.bound.value <= least <= cost
        again = recheck(as_seen(problem, numbers), json.loads(json.dumps(found.certificate)), cost)
        assert again.proven and not again.violations and again.lower_bound == found.bound.value


@seeds(40)
def test_random_prices_are_worth_the_same_to_the_search_and_to_the_check_and_never_more_than_the_optimum(seed):
    from incrowd.tables.solve.ranges.lattice import RangeLattice

    rng = np.random.default_rng(seed)
    for _ in range(10):
        problem, numbers = drawn(rng, most_rows=6)
        found = solved(problem)
        prices = rng.integers(-5, 60, problem.types.t).astype(np.int64)
        value, _ = RangeLattice(problem).scan(prices, 1, 0, 1000)
        assert value <= optimum(problem)
        claims = {
            **found.certificate,
            "parts": 1,
            "prices": prices.tolist(),
            "lower_bound": 0,
            "lower_bound_checked": 0,
        }
        again = recheck(as_seen(problem, numbers), claims, found.plan.cost(problem))
        step = np.gcd.reduce([problem.ranges[again_column(problem)].unit, *others(problem)])
        assert again.lower_bound == max(0, min(-(-value // step) * step, found.plan.cost(problem)))


def again_column(problem):
    return next(j for j, one in enumerate(problem.ranges) if one is not None)


def others(problem):
    return [
        int(np.gcd.reduce(level.cost, axis=None))
        for j, level in enumerate(problem.levels)
        if j != again_column(problem)
    ]
