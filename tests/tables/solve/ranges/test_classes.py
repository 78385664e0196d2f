import numpy as np

from incrowd.tables.solve.ranges.classes import opened, plan_of, shown
from incrowd.tables.solve.ranges.lattice import RangeLattice
from oracles.grid import drawn


def test_classes_that_show_the_same_are_one_and_hold_all_their_rows():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, ranged=int(rng.integers(1, 4)))
        lattice = RangeLattice(problem)
        types = np.arange(lattice.t)
        group = np.unique(rng.integers(0, 2, lattice.t), return_inverse=True)[1]
        plan = plan_of(lattice, types, group, problem.types.counts)
        assert plan.part_rows.sum() == problem.types.n
        groups = int(group.max()) + 1
        assert plan.groups <= groups
        listed = lattice.extents(
            shown(lattice, types, group, groups), np.array([types[group == g][0] for g in range(groups)])
        )
        for g in range(groups):
            assert {*types[group == g]} <= {*listed.members[listed.begins[g] : listed.begins[g + 1]]}


def test_the_instances_that_a_plan_opens_cost_what_it_costs():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, ranged=int(rng.integers(1, 4)), wide=bool(seed % 2))
        lattice = RangeLattice(problem)
        group = np.unique(rng.integers(-1, 2, lattice.t), return_inverse=True)[1] - int(lattice.free)
        plan = plan_of(lattice, np.arange(lattice.t), group, problem.types.counts)
        listed, place = opened(lattice, plan)
        assert int((listed.costs[place[plan.part_group]] * plan.part_rows).sum()) == plan.cost(problem)
