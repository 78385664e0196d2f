import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.search import candidates_of
from incrowd.tables.solve.ranges.solver import RangeSearch, _Run
from oracles.grid import drawn


def test_the_search_begins_with_the_release_at_hand():
    for seed in range(20):
        problem, _ = drawn(np.random.default_rng(seed), others=2)
        run = _Run(RangeSearch(ranged=True, work=10), problem, Watch())
        run.run()
        found = candidates_of(run.prices, run.plan)
        assert found.rows.sum() == problem.types.n
        assert int((found.reduced.costs[found.lists.owners] * found.rows).sum()) == run.cost
