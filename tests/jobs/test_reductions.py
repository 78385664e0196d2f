"""Solvers to whom equal rows are dear see few of them, in the whole job too."""

from __future__ import annotations

import pyarrow as pa
import pytest

import incrowd
from incrowd.jobs.reductions import CappedCopies, with_capped_copies
from incrowd.progress import Watch
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


def test_a_table_of_many_equal_rows_becomes_small_enough_and_comes_back_whole():
    problem = many_copies()
    plain, small = SubsetDp(most_groups=1_000_000), with_capped_copies(SubsetDp(most_groups=1_000_000))
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
