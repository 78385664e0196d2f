"""What is left of the time under requirements: the bound of k alone, which holds for all that meet more."""

import random

import numpy as np
import pandas as pd
import pytest

import incrowd
from incrowd.errors import Infeasible
from incrowd.jobs.verify import verify
from incrowd.progress import Watch
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve import auto
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.bounds.of_any_release import improve_bound
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import bound_of_k
from incrowd.tables.solve.improve.bound_of_k import k_bound
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.solve.shared.without_requirements import k_alone, without_kinds
from incrowd.tables.values import Problem, RowTypes
from incrowd.tables.verify.bound.certificate import recheck
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import as_table, random_levels, star_levels
from oracles.required import FAMILIES, random_required
from oracles.sensitive import domain_of
from seeds import how_many


def timed(seconds):
    watch = Watch()
    watch.limit(seconds)
    return watch


@pytest.fixture
def no_program(monkeypatch):
    """No table is small enough for an integer program, whose word would raise the bound above what is recounted."""
    monkeypatch.setattr(auto, "PROGRAM", 0)
    monkeypatch.setattr(auto, "_closable", lambda *_: ("", False))


def larger(seed, *, hierarchies, rows=120, outliers="suppress"):
    """Four columns and a sensitive one."""
    rng = np.random.default_rng([5, seed])
    table = np.column_stack([(rng.random((rows, 4)) ** 2 * 6).astype(int), rng.integers(0, 4, rows)])
    domain, kinds = domain_of([(str(x),) for x in table[:, 4]])
    lines, counts = np.unique(np.column_stack((table[:, :4], kinds)), axis=0, return_counts=True)
    codes = np.column_stack([np.unique(c, return_inverse=True)[1] for c in lines[:, :4].T]).astype(np.int32)
    types = RowTypes(codes, counts, tuple(int(c.max()) + 1 for c in codes.T), lines[:, 4].astype(np.int32))
    levels = star_levels(types)
    if hierarchies:
        levels = tuple(random_levels(rng, d, 2, uniform=False) for d in types.sizes)
    model = LDiversity(2, "s0") if seed % 2 else TCloseness("0.3", "s0")
    return Problem(
        types, levels, PatternList([level.height for level in levels]), 3, outliers=outliers,
        requirements=(model.bind(domain),), sensitive=domain.sensitive,
    )  # fmt: skip


def proven(problem, solution):
    """Whether a stranger's recount comes to the whole bound, from row types without sensitive values.

    What requirements add to it has a check of its own, for certificates of version 2.
    """
    if solution.certificate["version"] == 2:
        return solution.certificate["lower_bound_checked"] == solution.bound.value == solution.bound.checked
    found = recheck(as_table(k_alone(problem)), solution.certificate, solution.plan.cost(problem))
    return found.proven and found.lower_bound == solution.bound.value and not found.violations


def test_no_bound_is_above_the_optimum_and_every_release_meets_what_was_asked():
    better = 0
    for seed in range(how_many(48, 12)):
        rng = np.random.default_rng([11, seed])
        problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=6)
        try:
            first = Greedy().solve(problem, Watch())
        except Infeasible:
            continue
        found = k_bound(problem, first, Watch())
        best = optimum(problem)
        for solution in (found, Auto(work=100).solve(problem, Watch())):
            assert broken(problem, solution.plan) is None
            assert recount(problem, solution.plan) == solution.plan.cost(problem) >= best
            assert solution.bound.value <= best
        assert first.bound.value <= found.bound.value == found.bound.checked
        better += found.bound.value > first.bound.value
        assert proven(problem, found)
    assert better


@pytest.mark.few(1)
@pytest.mark.usefixtures("no_program")
@pytest.mark.parametrize("hierarchies", [False, True])
def test_auto_with_time_proves_no_less_than_prices_do_for_k_alone(hierarchies):
    gains = 0
    for seed in (0, 2, 1, 3)[: how_many(4, 1)]:
        problem = larger(seed, hierarchies=hierarchies, outliers=["suppress", "forbid"][seed // 2])
        greedy, found = Greedy().solve(problem, Watch()), Auto().solve(problem, timed(1.5))
        alone, same = without_kinds(problem, greedy.plan)
        priced = improve_bound(alone, same.cost(alone), Watch()).bound
        assert found.bound.value == found.bound.checked >= priced.value
        assert proven(problem, found)
        gains += found.bound.value > greedy.bound.value
    assert gains == how_many(4, 1)


@pytest.mark.usefixtures("no_program")
def test_without_time_the_bound_is_the_greedys_and_the_status_says_that_time_was_missing():
    problem = larger(0, hierarchies=True)
    greedy, found = Greedy().solve(problem, Watch()), Auto().solve(problem, timed(0))
    assert found.bound == greedy.bound
    assert found.status == "time_limit"


@pytest.mark.usefixtures("no_program")
def test_a_search_goes_on_until_the_time_is_over():
    problem = larger(1, hierarchies=True)
    greedy, found = Greedy().solve(problem, Watch()), Auto().solve(problem, timed(1.5))
    assert found.solver == "improve"
    assert found.plan.cost(problem) < greedy.plan.cost(problem)
    assert broken(problem, found.plan) is None


def test_a_small_problem_is_proven():
    problem = larger(1, hierarchies=False, rows=4)
    found = Auto().solve(problem, timed(60))
    assert found.status == "optimal"


def test_prices_that_time_cuts_off_leave_the_best_bound_so_far(monkeypatch):
    problem = larger(2, hierarchies=True)
    first = Greedy().solve(problem, Watch())
    whole = k_bound(problem, first, timed(60)).bound.value
    seen = []
    for rounds in range(4):
        watch = Watch()
        real = bound_of_k.Pricing.round

        def some(self, at, rounds=rounds, watch=watch, real=real, **more):
            some.left -= 1
            if some.left < 0:
                watch.limit(0)
            return real(self, at, **more)

        some.left = rounds
        with monkeypatch.context() as cut:
            cut.setattr(bound_of_k.Pricing, "round", some)
            watch.limit(60)
            found = k_bound(problem, first, watch)
        assert first.bound.value <= found.bound.value <= whole
        assert proven(problem, found)
        seen.append(found.bound.value)
    assert seen == sorted(seen)
    assert seen[0] == first.bound.value < seen[-1]


def frame(seed):
    rng = random.Random(seed)
    rows = [
        {name: rng.choice("pqrstuvw"[: 3 + j]) for j, name in enumerate("abcd")} | {"s": rng.choice("1234")}
        for _ in range(120)
    ]
    return pd.DataFrame(rows)


@pytest.mark.usefixtures("no_program")
@pytest.mark.parametrize("solver", ["auto", "greedy"])
def test_a_job_with_a_time_limit_has_a_certificate_of_its_whole_bound(solver):
    policy = {"quasi_identifiers": ["a", "b", "c", "d"], "sensitive": ["s"], "k": 3, "l": 2, "outliers": "suppress"}
    table = frame(1)
    with incrowd.anonymize(table, **policy, solver="greedy") as plain:
        per_row = plain.lower_bound
    with incrowd.anonymize(table, **policy, solver=solver, time_limit=0.8) as release:
        assert release.lower_bound > per_row
        assert release.proof == "certificate"
        found = verify(table, release.table, incrowd.Job().replace(**policy), release.certificate())
        assert found.violations == ()
        assert found.proven
        assert found.lower_bound == release.lower_bound
        assert not release.facts["advice"]
