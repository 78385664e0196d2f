import numpy as np

from incrowd.tables.solve.ranges.lattice import RangeLattice, ranged_place
from oracles.grid import drawn


def test_a_list_without_doubles_keeps_every_instance_and_its_cost():
    for seed in range(20):
        problem, _ = drawn(np.random.default_rng(seed))
        lattice = RangeLattice(problem)
        assert lattice.column == ranged_place(problem)
        _, listed = lattice.scan(np.full(lattice.t, 9, np.int64), 1, 10**6, 10_000)
        both = listed.union(listed)
        assert both.size == listed.size
        assert sorted(lattice.costs(both)) == sorted(lattice.costs(listed))
        held = lattice.instances(listed)
        assert (held.needs > 0).sum() == listed.size
        assert (held.rows[held.needs > 0] >= problem.k).all()
