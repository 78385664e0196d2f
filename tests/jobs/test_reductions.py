"""Solvers to whom equal rows are dear see few of them, in the whole job too."""

from __future__ import annotations

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import SolverDeclined
from incrowd.jobs.reductions import CappedCopies, OnKernel, kernel_facts, no_kernel, with_capped_copies
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.textbook.two_phase import TwoPhase
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import star_levels, types_of


def many_copies(copies=400):
    types = types_of([(0, 0)] * copies + [(0, 1)] * copies + [(1, 0), (1, 1), (2, 2)])
    return Problem(types, star_levels(types), PatternList([1, 1]), 3)


def test_only_solvers_that_say_so_are_asked_the_smaller_problem():
    assert with_capped_copies(Greedy()) == Greedy()
    for dear in (SubsetDp(), TwoPhase()):
        assert isinstance(with_capped_copies(dear), CappedCopies)
    assert with_capped_copies(SubsetDp(recursion="halves")) == SubsetDp(recursion="halves")


def test_a_table_of_many_equal_rows_becomes_small_enough_and_comes_back_whole():
    problem = many_copies()
    plain, small = SubsetDp(most_classes=1_000_000), with_capped_copies(SubsetDp(most_classes=1_000_000))
    assert plain.declines(problem) is not None and small.declines(problem) is None
    assert (small.name, small.summary) == (plain.name, plain.summary)
    solution = small.solve(problem, Watch())
    exact = Exact().solve(problem, Watch())
    assert recount(problem, solution.plan) == exact.plan.cost(problem) == solution.bound.value
    assert any("782 equal rows" in note for note in solution.notes) and solution.certificate is None


def test_where_the_rule_does_not_apply_the_solver_is_asked_itself():
    problem = many_copies(4)
    starred = Problem(problem.types, problem.levels, PatternList([1, 1], {(1, 1)}), 3)
    solver = with_capped_copies(SubsetDp())
    assert solver.declines(starred) is None
    assert solver.solve(starred, Watch()).plan.cost(starred) == 2 * starred.types.n


@pytest.mark.few(2)
@pytest.mark.parametrize("solver", ["subset_dp", "two_phase", "chain", "approximation"])
def test_a_named_solver_is_reduced_in_the_whole_job(solver):
    table = pa.table({"a": ["x"] * 300 + ["y", "z"], "b": ["p"] * 150 + ["q"] * 150 + ["p", "q"]})
    mask = incrowd.Mask(patterns=[[], ["a"], ["a", "b"]])
    with incrowd.anonymize(table, quasi_identifiers=["a", "b"], k=2, mask=mask, solver=solver) as release:
        assert release.facts["solver"] == solver and release.facts["rows"] == 302
        assert incrowd.verify(table, release.table, release.job) == []
        assert release.cost == (4 if solver != "approximation" else release.cost)


def test_exact_takes_a_solver_that_knows_the_requirement():
    table = pa.table({"a": list("xxxxyyyyzzz"), "s": list("pqrpqqrrpqr")})
    asked = {
        "matching": incrowd.LDiversity(l=2, column="s"),
        "exact": incrowd.TCloseness(t=0.4, column="s"),
        "subset_dp": incrowd.TCloseness(t=0.9, column="s", distance=[[0, 1, 2], [1, 0, 2], [2, 2, 0]], rescale=True),
    }
    for name, model in asked.items():
        with incrowd.anonymize(table, quasi_identifiers=["a"], k=2, require=[model], solver="exact") as release:
            assert release.facts["solver"] == name and release.optimal
            assert incrowd.verify(table, release.table, release.job) == []


def test_a_solver_on_the_kernel_sees_fewer_rows_and_its_plan_has_all_of_them():
    problem = many_copies()
    solver = OnKernel(Exact(), load_recoding("levels"))
    assert (solver.name, solver.summary, solver.declines(problem)) == (Exact().name, Exact().summary, None)
    plain, found = Exact().solve(problem, Watch()), solver.solve(problem, Watch())
    assert recount(problem, found.plan) == found.bound.value == plain.plan.cost(problem)
    assert found.certificate is None and found.bound.checked == 0
    assert kernel_facts(problem, Job(solver="greedy:reduce=kernel")) == {
        "kernel": {"rows_before": 803, "rows": 143, "row_types": 5, "most_copies": 72}
    }
    assert kernel_facts(problem, Job()) == {}


def test_a_kernel_that_is_the_whole_problem_changes_nothing_and_keeps_the_certificate():
    problem = many_copies(3)
    found = OnKernel(Exact(), load_recoding("levels")).solve(problem, Watch())
    assert found.bound.checked == Exact().solve(problem, Watch()).bound.checked


def test_what_has_no_kernel_is_declined_with_the_reason():
    problem, levels = many_copies(), load_recoding("levels")
    starred = Problem(problem.types, problem.levels, PatternList([1, 1], {(1, 1)}), 3)
    assert no_kernel(problem, levels) is None
    assert "the mask does not allow" in OnKernel(Exact(), levels).declines(starred)
    assert "recoding=ranges" in OnKernel(Exact(), load_recoding("ranges")).declines(problem)
    assert "no certificate" in OnKernel(Exact(), levels, certificate=True).declines(problem)
    assert "14 rows, not 143" in OnKernel(SubsetDp(recursion="thirds"), levels).declines(problem)


@pytest.mark.few(3)
@pytest.mark.parametrize("solver", ["auto", "exact", "greedy", "subset_dp", "improve"])
def test_every_solver_runs_on_the_kernel_and_says_its_size(solver):
    table = pa.table({"a": ["x"] * 90 + ["y", "z"], "b": ["p"] * 45 + ["q"] * 45 + ["p", "q"]})
    policy = {"quasi_identifiers": ["a", "b"], "k": 2}
    with incrowd.anonymize(table, **policy, solver=f"{solver}:reduce=kernel", time_limit=20) as release:
        assert release.facts["kernel"] == {"rows_before": 92, "rows": 64, "row_types": 4, "most_copies": 32}
        assert release.facts["rows"] == 92 and release.lower_bound <= 4 <= release.cost
        assert "a kernel of 64 of the 92 rows" in " ".join(release.summary().split())
        assert incrowd.verify(table, release.table, release.job) == []
    with pytest.raises(SolverDeclined, match="k-anonymity"):
        incrowd.anonymize(table, quasi_identifiers=["a"], sensitive=["b"], k=2, l=2, solver=f"{solver}:reduce=kernel")
