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


def test_a_scan_in_shares_of_the_first_columns_choices_is_worth_the_same():
    for seed in range(12):
        problem, _ = drawn(np.random.default_rng([7, seed]), ranged=2 + seed % 2, masked=bool(seed % 3))
        prices = np.random.default_rng(seed).integers(0, problem.scale, problem.types.t).astype(np.int64)
        whole, shared = RangeLattice(problem), RangeLattice(problem)
        shared.shares, shared.piece = 5, 1
        one, other = (lattice.scan(prices, 1, 5, 4000) for lattice in (whole, shared))
        assert one.value == other.value and one.instances.size == other.instances.size


def test_a_scan_in_shares_is_stopped_between_them():
    problem, _ = drawn(np.random.default_rng(3), ranged=2)
    lattice = RangeLattice(problem)
    lattice.shares, lattice.piece = 5, 1
    asked = []

    class Stops:
        @property
        def stopped(self):
            asked.append(1)
            return len(asked) > 3

    assert lattice.scan(np.zeros(problem.types.t, np.int64), 1, 0, 100, Stops()) is None
    assert len(asked) == 4
