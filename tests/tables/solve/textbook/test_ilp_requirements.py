"""The integer program under requirements against every partition, and its rows against what they stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models import joint
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.solve.textbook.ilp_requirements import required
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, LINEAR, random_required
from oracles.sensitive import domain_of

STATED = (*LINEAR, "entropy", "recursive", "joint", "two columns", "several")


def check(problem):
    """Assert that the program finds the optimum, and return it."""
    best = optimum(problem)
    assert Ilp().declines(problem) is None
    try:
        solution = Ilp().solve(problem, Watch())
    except Infeasible:
        assert best is None
        return None
    assert broken(problem, solution.plan) is None
    assert recount(problem, solution.plan) == solution.bound.value == best
    assert solution.status == "optimal" and solution.bound.checked <= best
    return best


@pytest.mark.few(6)
@pytest.mark.parametrize("family", STATED)
def test_the_program_finds_the_optimum(family):
    name = FAMILIES.index(family)
    found = [check(random_required(np.random.default_rng([71, name, seed]), family)) for seed in range(how_many(20, 8))]
    assert any(found) and any(best is not None for best in found)


@pytest.mark.proofs
@pytest.mark.parametrize("family", STATED)
def test_the_program_finds_the_optimum_thousands_of_times(family):
    for seed in range(700):
        check(random_required(np.random.default_rng([72, FAMILIES.index(family), seed]), family))


def test_closeness_alone_needs_no_yes_or_no_and_k_adds_them():
    problem = random_required(np.random.default_rng(4), "equal", rows=6, k=1)
    model = required(problem, list_instances(problem), unit=1)
    assert not model.crowd.size
    problem = replace(problem, k=2)
    instances = list_instances(problem)
    model = required(problem, instances, unit=1)
    assert model.crowd.size == np.count_nonzero(instances.needs)


def test_models_without_linear_rows_or_cuts_are_declined_by_name(monkeypatch):
    monkeypatch.setattr(joint, "STATED", 1)
    problem = random_required(np.random.default_rng(5), "joint")
    reason = Ilp().declines(problem)
    assert "linear rows only" in reason and "differ" in reason and "subset_dp" in reason


def test_a_requirement_that_the_whole_table_fails_is_named():
    domain, _ = domain_of([("1",), ("1",), ("2",)])
    problem = random_required(np.random.default_rng(6), "equal", rows=3, k=1)
    problem = replace(problem, types=replace(problem.types, kinds=np.zeros(problem.types.t, np.int32)))
    asked = TCloseness(t=0, column="s0").bind(domain)
    with pytest.raises(Infeasible, match="t-closeness") as error:
        Ilp().solve(replace(problem, requirements=(asked,)), Watch())
    assert error.value.proven
