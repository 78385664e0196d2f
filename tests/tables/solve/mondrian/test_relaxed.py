"""Relaxed Mondrian: Mondrian whose cuts halve the rows, under a name of its own."""

from __future__ import annotations

import numpy as np

from incrowd import registry
from incrowd.progress import Watch
from incrowd.tables.solve.mondrian.mondrian import Mondrian
from incrowd.tables.solve.mondrian.relaxed import MondrianRelaxed
from oracles.mondrian import drawn
from oracles.plans import recount
from oracles.problems import stars, types_of
from seeds import seeds


@seeds(40)
def test_it_releases_what_mondrian_does_when_told_to_halve(seed):
    problem = drawn(seed, full=True)
    named, told = (solver.solve(problem, Watch()) for solver in (MondrianRelaxed(), Mondrian(relaxed=True)))
    assert named.solver == "mondrian_relaxed" != told.solver
    assert named.bound == told.bound
    for name in ("levels", "part_type", "part_group", "part_rows"):
        assert np.array_equal(getattr(named.plan, name), getattr(told.plan, name))


def test_equal_values_lie_on_both_sides_where_a_half_asks_for_it():
    problem = stars(types_of([[0]] * 3 + [[1]]), 2)
    assert recount(problem, Mondrian().solve(problem, Watch()).plan) == 4
    assert recount(problem, registry.load("solvers", "mondrian_relaxed")().solve(problem, Watch()).plan) == 2
