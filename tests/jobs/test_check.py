"""Nothing is written unless the recount says what the plan says."""

import dataclasses
from fractions import Fraction

import pytest

import incrowd
from incrowd import LDiversity, Policy
from incrowd.errors import OurBug
from incrowd.jobs.check import assert_verdict_matches_plan, rows_and_policy, rules_of
from incrowd.progress import Watch
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Problem
from incrowd.tables.verdict import Verdict, Violation
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of

LEVELS, RANGES = load_recoding("levels"), load_recoding("ranges")


@pytest.fixture
def made():
    types = types_of([(0, 0), (0, 1), (1, 0), (1, 1)])
    problem = Problem(types, star_levels(types), PatternList([1, 1]), 2, scale=2)
    return problem, Greedy().solve(problem, Watch())


def verdict_of(cost, violations=()):
    return Verdict(violations, 4, 2, 2, 2, 0, (4, 4), cost)


def test_a_recount_that_agrees_passes(made):
    problem, solution = made
    cost = Fraction(solution.plan.cost(problem), problem.scale)
    assert cost == 2
    assert_verdict_matches_plan(verdict_of((cost, cost)), problem, solution)


def test_a_cost_within_what_nulls_leave_open_passes_and_one_outside_is_refused(made):
    problem, solution = made
    assert_verdict_matches_plan(verdict_of((Fraction(1), Fraction(2))), problem, solution)
    for ends in ((Fraction(5, 2), Fraction(3)), (Fraction(0), Fraction(3, 2))):
        with pytest.raises(OurBug, match="counts another cost than the solver; nothing was written"):
            assert_verdict_matches_plan(verdict_of(ends), problem, solution)


def test_a_broken_rule_is_refused_by_its_name(made):
    problem, solution = made
    bad = verdict_of((Fraction(2), Fraction(2)), (Violation("k=2", 1), Violation("mask", 3)))
    with pytest.raises(OurBug, match=r"refused the release \(k=2 \(1\); mask \(3\)\); nothing was written"):
        assert_verdict_matches_plan(bad, problem, solution)


def test_a_lower_bound_above_the_cost_is_refused(made):
    problem, solution = made
    high = dataclasses.replace(solution.bound, value=solution.plan.cost(problem) + 1)
    with pytest.raises(OurBug, match="lower bound is above the cost"):
        assert_verdict_matches_plan(
            verdict_of((Fraction(2), Fraction(2))), problem, dataclasses.replace(solution, bound=high)
        )


def test_a_release_is_held_to_what_the_policy_says():
    model = LDiversity(2, "ill")
    policy = Policy(
        quasi_identifiers=("a", "b"), k=3, weights={"a": "1.5"}, require=[model], outliers="suppress"
    )  # fmt: skip
    rules = rules_of(policy, LEVELS)
    assert (rules.k, rules.names, rules.outliers, rules.weights) == (3, ("a", "b"), "suppress", {"a": Fraction(3, 2)})
    assert rules.requirements == (model,) and rules.hierarchies == {} and rules.mask == policy.mask.to_dict()


def test_no_row_of_ranges_is_an_outlier_whatever_the_policy_says():
    policy = Policy(quasi_identifiers=("a",), numeric=("a",), k=3, outliers="suppress", recoding="ranges")
    assert rules_of(policy, RANGES).outliers == "forbid"


def test_a_release_is_held_to_its_own_policy_unless_another_is_named():
    rows = [{"age": age, "sex": sex} for age in (31, 31, 47, 47) for sex in "fm"]
    release = incrowd.anonymize(rows, quasi_identifiers=["age", "sex"], k=2)
    assert rows_and_policy(release, None) == (release.table, release.job)
    assert rows_and_policy(release.table, "p.toml") == (release.table, "p.toml")
    assert incrowd.verify(rows, release) == []
    assert [v.rule for v in incrowd.verify(rows, release, k=3)] == ["k=3"]
    assert [v.rule for v in incrowd.verify(rows, release, Policy(quasi_identifiers=["age", "sex"], k=4))] == ["k=4"]
    assert repr(incrowd.usefulness(rows, release, queries=3)).startswith("<Usefulness")
