import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.range_columns import RangedColumn
from incrowd.tables.solve.ranges import search, solver
from incrowd.tables.solve.ranges.lattice import RangeLattice
from incrowd.tables.solve.ranges.search import line_prices
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.grid import drawn, optimum


class Stopped:
    stopped = True


def long(t, k=3):
    rng = np.random.default_rng(3)
    codes = rng.permutation(t).astype(np.int32)
    levels = Levels(
        np.stack([np.arange(t), np.zeros(t)]).astype(np.int32),
        np.stack([np.zeros(t), np.full(t, t - 1)]).astype(np.int64),
    )
    types = RowTypes(codes[:, None], rng.integers(1, 4, t).astype(np.int64), (t,))
    return Problem(types, (levels,), None, k, ranges=(RangedColumn.by_values(np.arange(t), 1),))


def test_a_column_of_many_values_is_bounded_near_its_release_in_one_sweep_each_time():
    problem = long(12_000)  # so many pairs of cells that scans of several columns would be shared out
    lattice = RangeLattice(problem)
    assert lattice.shares == 1
    found = solver.RangeSearch(ranged=True).solve(problem, Watch())
    assert found.bound.value <= found.plan.cost(problem) <= 1.2 * found.bound.value


def test_a_stop_leaves_no_prices():
    problem = long(1500)
    lattice, one = RangeLattice(problem), problem.ranges[0]
    given = lattice.cell[0], one.low, one.up, lattice.counts, 3
    assert line_prices(*given, watch=Stopped()) is None
    assert (line_prices(*given) >= 0).all()


def test_bounds_from_raised_prices_never_pass_the_optimum(monkeypatch):
    monkeypatch.setattr(search, "DEFAULT", dataclasses.replace(search.DEFAULT, short=0))
    near = 0
    for seed in range(10):
        problem, _ = drawn(np.random.default_rng(seed), most_rows=9, others=0, wide=bool(seed % 2))
        found, least = solver.RangeSearch(ranged=True).solve(problem, Watch()), optimum(problem)
        assert found.bound.value <= least <= found.plan.cost(problem)
        near += 2 * found.bound.value >= least
    assert near >= 5


def test_the_instances_of_a_column_alone_are_those_that_hold_their_cells():
    problem = long(60)
    lattice = RangeLattice(problem)
    vectors = np.array([[3, 9], [-1, 7], [0, 59]])
    found = lattice.extents(vectors, np.zeros(3, np.int64))
    for g, (a, b) in enumerate(vectors.tolist()):
        held = found.members[found.begins[g] : found.begins[g + 1]]
        own = lattice.cell[0]
        inside = (lattice.value[0] == b) if a < 0 else (own >= a) & (own <= b)
        assert held.tolist() == np.flatnonzero(inside).tolist()
