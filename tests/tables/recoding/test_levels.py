"""Levels: what is asked is what is done, and the levels of a plan say everything."""

import contextlib

import pyarrow as pa
import pytest

from incrowd import Policy
from incrowd.jobs.prepare import prepare
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.recoding.levels import LevelRecoding
from incrowd.tables.solve.greedy.greedy import Greedy

TABLE = pa.table({"a": ["x", "x", "y", "y"], "b": ["p", "p", "p", "q"]})
POLICY = Policy(quasi_identifiers=("a", "b"), k=2, hierarchies={"a": "prefix"})


@pytest.fixture(scope="module")
def made():
    with Engine() as engine:
        yield prepare(engine, TABLE, POLICY, contextlib.nullcontext)


def test_every_solver_makes_levels_and_is_asked_nothing_special():
    levels = LevelRecoding()
    assert levels.declines(()) is None and dict(levels.solver_options) == {}
    assert levels.may_cap_copies and levels.takes_bound_of_k and levels.no_certificate is None


def test_outliers_are_what_the_policy_asks_and_stars_are_the_top(made):
    levels = LevelRecoding()
    assert [levels.outliers(rule) for rule in ("forbid", "suppress")] == ["forbid", "suppress"]
    assert levels.levels_name_stars and levels.star_levels(made.problem()) == made.problem().top


def test_a_plan_is_expanded_to_a_release_that_both_recounts_accept(made):
    problem = made.problem()
    solution = Greedy().solve(problem, Watch())
    levels, fitted = LevelRecoding(), made.fitted
    release = levels.expand(made.table, made.types, solution.plan, star="*", seed=0)
    verdict = levels.recount(release, fitted.rules)
    cost = solution.plan.cost(problem) / problem.scale
    assert verdict.ok and verdict.cost == (cost, cost)
    assert levels.facts(release) == {}
    context = levels.measure_context(problem, ["b"])
    assert not context.ranges and context.numeric == ("b",)


def test_the_recount_of_two_tables_names_a_class_that_is_too_small(made):
    engine, fitted = made.table.engine, made.fitted
    before = open_source(engine, TABLE, POLICY.reading)
    found = LevelRecoding().recount_tables(
        engine, before, before, POLICY.roles, fitted.rules, text=fitted.text, star="*"
    )
    assert [violation.rule for violation in found] == ["k=2"]
