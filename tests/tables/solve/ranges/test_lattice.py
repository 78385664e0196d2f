import numpy as np

from incrowd.tables.solve.ranges.lattice import RangeLattice, ranged_places
from oracles.grid import drawn


def test_a_list_without_doubles_keeps_every_instance_and_its_cost():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        problem, numbers = drawn(rng, ranged=int(rng.integers(1, 4)))
        lattice = RangeLattice(problem)
        assert lattice.columns == ranged_places(problem) == tuple(numbers)
        listed = lattice.scan(np.full(lattice.t, 9, np.int64), 1, 10**9, 100_000).instances
        both = listed.union(listed)
        assert both.size == listed.size
        assert sorted(both.costs) == sorted(listed.costs)
        assert (listed.rows[listed.needs > 0] >= problem.k).all()
        again = lattice.extents(listed.vectors[listed.needs > 0], listed.reps[listed.needs > 0])
        assert (again.members == listed.members).all() and (again.costs == listed.costs).all()


def test_every_cost_of_an_instance_is_a_multiple_of_the_step():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, ranged=2, wide=bool(seed % 2))
        lattice = RangeLattice(problem)
        listed = lattice.scan(np.full(lattice.t, 9, np.int64), 1, 10**9, 100_000).instances
        assert not (listed.costs % lattice.step).any()


def test_a_scan_of_all_parts_of_the_patterns_finds_what_one_of_all_finds():
    for seed in range(20):
        problem, _ = drawn(np.random.default_rng(seed), ranged=1 + seed % 2)
        lattice = RangeLattice(problem)
        prices = np.random.default_rng(seed).integers(0, problem.scale, lattice.t).astype(np.int64)
        whole = lattice.scan(prices, 1, 0, 100_000)
        parts = [lattice.scan(prices, 1, 0, 100_000, None, np.array([p])) for p in range(len(lattice.vectors))]
        assert sum((part.rc[part.rc < 0]).sum() for part in parts) == whole.rc[whole.rc < 0].sum()
