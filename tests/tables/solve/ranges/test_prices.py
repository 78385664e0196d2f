import numpy as np

from incrowd.tables.solve.ranges.classes import opened, plan_of
from incrowd.tables.solve.ranges.lattice import RangeLattice
from incrowd.tables.solve.ranges.prices import RangePrices
from oracles.grid import drawn, optimum


def test_no_round_lowers_the_bound_or_brings_it_above_the_optimum():
    for seed in range(20):
        problem, _ = drawn(np.random.default_rng(seed), most_rows=6, ranged=1 + seed % 3)
        lattice = RangeLattice(problem)
        types, group = np.arange(lattice.t), np.zeros(lattice.t, np.int64)
        plan = plan_of(lattice, types, group, problem.types.counts)
        cost, least = plan.cost(problem), optimum(problem)
        prices = RangePrices(lattice, np.full(lattice.t, cost / problem.types.n), opened(lattice, plan)[0], cost)
        last = 0
        for _ in range(4):
            assert prices.round(None)
            assert last <= prices.bound <= least
            last = prices.bound
