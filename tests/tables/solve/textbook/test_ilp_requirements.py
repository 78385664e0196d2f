"""The integer program under requirements against every partition, and its rows against what they stand for."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.solve.textbook.ilp_requirements import required
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, LINEAR, model, random_required
from oracles.sensitive import domain_of

STATED = (*LINEAR, "entropy", "recursive", "two columns", "several")


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


@pytest.mark.parametrize("family", STATED)
def test_the_program_finds_the_optimum(family):
    name = FAMILIES.index(family)
    found = [check(random_required(np.random.default_rng([71, name, seed]), family)) for seed in range(20)]
    assert any(found) and any(best is not None for best in found)


@pytest.mark.proofs
@pytest.mark.parametrize("family", STATED)
def test_the_program_finds_the_optimum_thousands_of_times(family):
    for seed in range(700):
        check(random_required(np.random.default_rng([72, FAMILIES.index(family), seed]), family))


def meets_rows(cone, counts):
    """Whether some extra variables satisfy a cone's rows for a group with so many rows per kind."""
    values = np.zeros(cone.counts.shape[1])
    np.add.at(values, cone.code, counts)
    fixed = cone.counts @ values + cone.size * values.sum() + cone.opened * bool(values.sum())
    extra = cone.extra.shape[1]
    if not extra:
        return bool((fixed <= 1e-9).all())
    answer = linprog(
        np.zeros(extra),
        A_ub=cone.extra,
        b_ub=1e-9 - fixed,
        bounds=(0, 1 if cone.binary else None),
        integrality=np.full(extra, int(cone.binary)),
    )
    return answer.status == 0


@pytest.mark.parametrize("family", LINEAR)
def test_the_rows_of_a_group_say_exactly_whether_it_meets_the_requirement(family):
    rng = np.random.default_rng([73, LINEAR.index(family)])
    verdicts = []
    for _ in range(8):
        domain, kinds = domain_of([(str(x),) for x in rng.integers(0, 4, int(rng.integers(4, 12)))])
        requirement = model(rng, family, domain.values[0]).bind(domain)
        cone = requirement.linear_rows()
        total = np.bincount(kinds)
        for _ in range(8):
            counts = rng.integers(0, total + 1)
            kind = np.flatnonzero(counts)
            met = requirement.meets(np.zeros(kind.size, np.int64), kind, counts[kind], 1)[0]
            assert meets_rows(cone, counts) == met
            verdicts.append(met)
    assert any(verdicts) and not all(verdicts)


def test_closeness_alone_needs_no_yes_or_no_and_k_adds_them():
    problem = random_required(np.random.default_rng(4), "equal", rows=6, k=1)
    model = required(problem, list_instances(problem), unit=1)
    assert not model.crowd.size
    problem = replace(problem, k=2)
    instances = list_instances(problem)
    model = required(problem, instances, unit=1)
    assert model.crowd.size == np.count_nonzero(instances.needs)


@pytest.mark.parametrize("family", ["entropy", "recursive"])
def test_a_cut_holds_for_every_group_that_meets_the_requirement_and_not_for_the_one_it_was_made_for(family):
    rng = np.random.default_rng([74, len(family)])
    made = 0
    for _ in range(12):
        domain, kinds = domain_of([(str(x),) for x in rng.integers(0, 3, int(rng.integers(3, 9)))])
        requirement = model(rng, family, domain.values[0]).bind(domain)
        groups = list(itertools.product(*(range(c + 1) for c in np.bincount(kinds))))[1:]
        place, kind = np.nonzero(groups)
        met = requirement.meets(place, kind, np.array(groups)[place, kind], len(groups))
        for failing in np.flatnonzero(~met):
            cut = requirement.cut_against(np.array(groups[failing]))
            worth = np.array(groups) @ cut.counts[0] + np.array(groups).sum(axis=1) * cut.size[0]
            assert worth[failing] > 1e-9 and (worth[met] <= 1e-9).all()
            made += 1
    assert made > 30


def test_cuts_are_needed_and_found():
    used = 0
    for seed in range(40):
        problem = random_required(np.random.default_rng([75, seed]), "recursive")
        told = []
        try:
            Ilp().solve(problem, Watch(told.append))
        except Infeasible:
            continue
        used += any("cuts" in event.facts for event in told)
    assert used


def test_models_without_linear_rows_or_cuts_are_declined_by_name():
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
