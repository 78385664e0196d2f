import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.lattice import RangeLattice
from incrowd.tables.solve.ranges.search import candidates_of, dives_of, raised
from incrowd.tables.solve.ranges.solver import RangeSearch, _Run
from oracles.grid import drawn, optimum


def ended(seed, **options):
    problem, _ = drawn(np.random.default_rng(seed), others=2, ranged=1 + seed % 3, **options)
    run = _Run(RangeSearch(ranged=True, work=10), problem, Watch())
    run.run()
    return problem, run


def test_the_search_begins_with_the_release_at_hand():
    for seed in range(30):
        problem, run = ended(seed, masked=seed % 3 == 0)
        found = candidates_of(run.prices, run.plan)
        assert found.rows.sum() == problem.types.n
        assert int((found.reduced.costs[found.lists.owners] * found.rows).sum()) == run.cost


def test_dives_begin_with_the_release_at_hand_and_end_in_one_that_is_no_dearer():
    for seed in range(30):
        problem, run = ended(seed, most_rows=6, masked=seed % 3 == 0)
        dives = dives_of(run.prices, run.plan, 1)
        assert dives.cost == run.cost
        dives.run(Watch(), lambda cost: None)
        plan = dives.plan()
        assert optimum(problem) <= plan.cost(problem) <= dives.cost <= run.cost
        assert (np.bincount(plan.part_type, weights=plan.part_rows) == problem.types.counts).all()


def test_what_a_mask_does_not_allow_is_raised_to_the_cheapest_that_it_does():
    some = 0
    for seed in range(25):
        rng = np.random.default_rng([5, seed])
        problem, _ = drawn(rng, most_rows=6, masked=True)
        lattice = RangeLattice(problem)
        stored = lattice.scan(np.full(problem.types.t, problem.scale, np.int64), 1, 1 << 40, 4000).instances
        which = np.flatnonzero(~lattice.openable(stored) & (stored.needs > 0))
        found = raised(lattice, stored, which)
        own = np.flatnonzero(found.needs > 0)
        some += own.size
        assert lattice.openable(found)[own].all()
        for at in own.tolist():
            members = set(found.members[found.begins[at] : found.begins[at + 1]].tolist())
            below = [
                x for x in which.tolist() if set(stored.members[stored.begins[x] : stored.begins[x + 1]]) <= members
            ]
            assert any(stored.costs[x] <= found.costs[at] for x in below)
    assert some
