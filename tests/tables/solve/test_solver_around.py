"""Whoever stands around a solver goes by its name."""

import pytest

from incrowd.jobs.reductions import CappedCopies, OnKernel
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.solver_around import SolverAround
from incrowd.tables.solve.suppression_limit import WithinLimit


@pytest.mark.parametrize("kind", [CappedCopies, OnKernel, WithinLimit])
def test_name_and_summary_are_those_of_the_solver(kind):
    solver = Greedy()
    around = kind(solver, None)
    assert isinstance(around, SolverAround)
    assert (around.name, around.summary) == (solver.name, solver.summary)
