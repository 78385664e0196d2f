"""The limit on fully suppressed rows, kept around solvers that do not know it."""

import dataclasses

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.global_recoding import Lattice
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.suppression_limit import WithinLimit, within_limit
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import star_levels, types_of
from seeds import seeds

COLUMNS = ("a", "b", "c")


def drawn(seed):
    rng = np.random.default_rng([26, seed])
    n = int(rng.integers(3, 10))
    types = types_of(np.stack([rng.integers(0, rng.integers(2, 7), n) for _ in COLUMNS], axis=1))
    mask = Mask(max_stars=int(rng.integers(1, 4)))
    patterns = Patterns.of(mask.to_dict(), COLUMNS, (1, 1, 1))
    rule = ("forbid", "suppress")[int(rng.integers(2))]
    most = int(rng.integers(0, n + 1))
    levels = star_levels(types)
    return mask, Problem(types, levels, patterns, int(rng.integers(2, 4)), rule, columns=COLUMNS, most_suppressed=most)


def suppressed(problem, plan):
    return int(plan.sizes()[(plan.levels == np.array(problem.top)).all(axis=1)].sum())


@pytest.mark.few(1)
@seeds(400, 40)
@pytest.mark.parametrize("solver", [Greedy(), Exact()])
def test_releases_keep_the_limit_and_bounds_hold(solver, seed):
    mask, problem = drawn(seed)
    free = dataclasses.replace(problem, most_suppressed=None)
    try:
        found = within_limit(solver, problem, mask).solve(problem, Watch())
    except Infeasible as error:
        assert error.requirement == "suppression_limit" or error.proven
        return
    assert suppressed(problem, found.plan) <= problem.most_suppressed
    cost = recount(problem, found.plan)
    least = optimum(free)
    assert least <= cost
    assert found.bound.checked <= least
    assert found.bound.value <= cost
    if problem.most_suppressed == 0:
        without = dataclasses.replace(free, patterns=within_limit(solver, problem, mask).patterns)
        assert found.bound.value <= optimum(without) <= cost
    assert found.status != "optimal" or found.bound.value == cost


@seeds(300, 40)
def test_without_suppressed_rows_exact_is_exact_and_refuses_what_there_is_not(seed):
    mask, problem = drawn(seed)
    problem = dataclasses.replace(problem, most_suppressed=0)
    solver = within_limit(Exact(), problem, mask)
    without = dataclasses.replace(problem, most_suppressed=None, patterns=solver.patterns)
    least = optimum(without)
    if least is None:
        with pytest.raises(Infeasible, match="suppression limit.*would do"):
            solver.solve(problem, Watch())
    else:
        assert recount(problem, solver.solve(problem, Watch()).plan) == least


def test_only_solvers_that_do_not_keep_it_are_wrapped_and_only_where_it_is_asked():
    mask, problem = drawn(1)
    assert isinstance(within_limit(Greedy(), problem, mask), WithinLimit)
    assert within_limit(Greedy(), dataclasses.replace(problem, most_suppressed=None), mask) == Greedy()
    assert within_limit(Lattice(single=True), problem, mask) == Lattice(single=True)
    wrapped = within_limit(Greedy(), problem, mask)
    assert (wrapped.name, wrapped.summary) == (Greedy().name, Greedy().summary)
    assert wrapped.declines(problem) is None
