"""Bounds under requirements: never above the least release, never below the bound of k alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.bounds import tuning as bounds_tuning
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import bound_of_requirements
from incrowd.tables.solve.improve.bound_of_k import k_bound
from incrowd.tables.solve.improve.bound_of_requirements import RequirementsBound, priced, whole_below
from incrowd.tables.values import Problem, RowTypes
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels
from oracles.required import FAMILIES, random_required
from oracles.sensitive import domain_of
from seeds import how_many


def larger(seed, model, rows=120):
    """Four columns and a sensitive one of four values."""
    rng = np.random.default_rng([5, seed])
    table = np.column_stack([(rng.random((rows, 4)) ** 2 * 6).astype(int), (rng.random(rows) ** 1.3 * 4).astype(int)])
    domain, kinds = domain_of([(str(x),) for x in table[:, 4]])
    lines, counts = np.unique(np.column_stack((table[:, :4], kinds)), axis=0, return_counts=True)
    codes = np.column_stack([np.unique(c, return_inverse=True)[1] for c in lines[:, :4].T]).astype(np.int32)
    types = RowTypes(codes, counts, tuple(int(c.max()) + 1 for c in codes.T), lines[:, 4].astype(np.int32))
    return Problem(
        types, star_levels(types), PatternList([1] * 4), 3, outliers="suppress", requirements=(model.bind(domain),),
        sensitive=domain.sensitive,
    )  # fmt: skip


def test_no_bound_is_above_the_optimum_or_below_the_bound_of_k_alone():
    higher = 0
    for seed in range(how_many(320, 19)):
        rng = np.random.default_rng([59, seed])
        problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=6)
        try:
            first = Greedy().solve(problem, Watch())
        except Infeasible:
            continue
        alone = k_bound(problem, first, Watch(), cuts=False)
        found = priced(problem, first, Watch())[0]
        assert alone.bound.value <= found.bound.value <= optimum(problem)
        assert found.certificate["version"] == (2 if found.bound.value > alone.bound.value else 1)
        assert found.certificate["lower_bound_checked"] == found.bound.value == found.bound.checked
        higher += found.bound.value > alone.bound.value
    assert higher


@pytest.mark.parametrize("model", [LDiversity("5/2", "s0"), TCloseness("0.2", "s0")])
def test_requirements_prove_much_more_than_k_alone(model):
    problem = larger(1, model)
    first = Greedy().solve(problem, Watch())
    alone = k_bound(problem, first, Watch(), cuts=False).bound.value
    found = priced(problem, first, Watch())[0].bound.value
    assert alone * 1.1 < found <= first.plan.cost(problem)


def test_too_many_pairs_leave_the_bound_of_k_alone_and_say_so(monkeypatch):
    problem = larger(2, LDiversity(2, "s0"))
    few = dataclasses.replace(bounds_tuning.DEFAULT, inner_pairs=10)
    monkeypatch.setattr(bounds_tuning, "DEFAULT", few)
    first = Greedy().solve(problem, Watch())
    found = priced(problem, first, Watch())[0]
    assert "too many" in found.notes[-1]
    assert found.bound == k_bound(problem, first, Watch(), cuts=False).bound
    assert found.certificate["version"] == 1


def test_without_time_the_solution_stays_as_it_is():
    problem = larger(3, LDiversity(2, "s0"))
    first = Greedy().solve(problem, Watch())
    watch = Watch()
    watch.limit(0)
    assert priced(problem, first, watch)[0] is first


def test_a_stop_between_steps_leaves_the_last_recounted_bound(monkeypatch):
    problem = larger(4, LDiversity(2, "s0"))
    first = Greedy().solve(problem, Watch())
    watch = Watch()
    watch.limit(60)
    real = RequirementsBound.step

    def some(self, at):
        if self.prices.steps >= 5:
            watch.interrupt()
        return real(self, at)

    monkeypatch.setattr(RequirementsBound, "step", some)
    found = priced(problem, first, watch)[0]
    assert found.certificate["version"] == 2
    assert found.bound.value <= first.plan.cost(problem)


def test_near_instances_have_small_reduced_costs_and_hold_their_members():
    problem = larger(5, LDiversity(2, "s0"))
    first = Greedy().solve(problem, Watch())
    pricing, _ = bound_of_requirements.k_prices(problem, Watch())
    begun = RequirementsBound.begun(problem, pricing, first.plan.cost(problem), Watch())
    while begun.prices.steps < 20 and begun.step(Watch()):
        pass
    near, rc = begun.prices.near(0.5)
    wide, _ = begun.prices.near(3.0)
    assert near.size == rc.size
    assert 0 < near.size < wide.size <= begun.prices.instances.size
    assert (rc <= 0.5).all()


def test_few_kinds_are_listed_and_many_are_looked_at_by_their_rules():
    rng = np.random.default_rng(1)
    few = random_required(rng, "frequency", rows=7)
    assert whole_below(few) == 25
