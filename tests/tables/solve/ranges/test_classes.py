import numpy as np

from incrowd.tables.solve.ranges.classes import extents, plan_of, shown
from incrowd.tables.solve.ranges.lattice import RangeLattice
from oracles.grid import drawn


def test_classes_that_show_the_same_are_one_and_hold_all_their_rows():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng)
        lattice = RangeLattice(problem)
        types = np.arange(lattice.t)
        group = rng.integers(0, 2, lattice.t)
        group = np.unique(group, return_inverse=True)[1]
        plan = plan_of(lattice, types, group, problem.types.counts)
        assert plan.part_rows.sum() == problem.types.n
        assert plan.groups <= group.max() + 1
        groups = int(group.max()) + 1
        what = shown(lattice, types, group, groups)
        listed = extents(lattice, types, group, groups)
        assert (listed.ends == what.ends).all()
        for g in range(groups):
            assert {*types[group == g]} <= {*listed.members[listed.begins[g] : listed.begins[g + 1]]}
