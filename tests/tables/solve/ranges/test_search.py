import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.search import candidates_of, dives_of
from incrowd.tables.solve.ranges.solver import RangeSearch, _Run
from oracles.grid import drawn, optimum


def ended(seed, **options):
    problem, _ = drawn(np.random.default_rng(seed), others=2, ranged=1 + seed % 3, **options)
    run = _Run(RangeSearch(ranged=True, work=10), problem, Watch())
    run.run()
    return problem, run


def test_the_search_begins_with_the_release_at_hand():
    for seed in range(30):
        problem, run = ended(seed)
        found = candidates_of(run.prices, run.plan)
        assert found.rows.sum() == problem.types.n
        assert int((found.reduced.costs[found.lists.owners] * found.rows).sum()) == run.cost


def test_dives_begin_with_the_release_at_hand_and_end_in_one_that_is_no_dearer():
    for seed in range(30):
        problem, run = ended(seed, most_rows=6)
        dives = dives_of(run.prices, run.plan, 1)
        assert dives.cost == run.cost
        dives.run(Watch(), lambda cost: None)
        plan = dives.plan()
        assert optimum(problem) <= plan.cost(problem) <= dives.cost <= run.cost
        assert (np.bincount(plan.part_type, weights=plan.part_rows) == problem.types.counts).all()
