"""Portions improved by executors: the plan that one machine makes of them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from engines import SPARK, spark_kept
from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine
from incrowd.tables.large import improvement as module
from incrowd.tables.large.floor import floor
from incrowd.tables.large.improvement import improved, improved_by_executors
from incrowd.tables.large.plan import counted
from incrowd.tables.large.prices import price_unit
from incrowd.tables.large.sweep import settled, sweep
from incrowd.tables.solve.auto import Auto
from oracles.large import classes_of, in_engine, plan_of
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from tables.large.test_portion import one_group_each

AUTO = Auto(work=50)


def planned(engine, problem):
    types, instances = in_engine(engine, problem)
    plan = settled(instances, sweep(types, instances, problem.types.n, Watch()), Watch())
    return types, instances, plan, counted(engine, plan).cost(problem)


def made(engine, problem, most, improve, watch=None):
    """Return the plan in memory, and what there is to say of it."""
    types, instances, plan, before = planned(engine, problem)
    found = improve(instances, plan, before, most, AUTO, watch or Watch())
    there = plan_of(engine, types, problem, found.plan)
    assert recount(problem, there) == counted(engine, found.plan).cost(problem) <= before
    told = found.bound, found.portions, found.seen, found.lowered
    return classes_of(problem, there), told, found.note, counted(engine, found.plan).by_pattern()


def kept(seed):
    """A problem in which no pattern changes the first column."""
    rows = np.random.default_rng([99, seed]).integers(0, 3, (12, 4))
    every = [vector for vector in PatternList([1] * 4).vectors if not vector[0]] + [(1,) * 4] * (seed % 2)
    return stars(types_of(rows), 2, vectors=every)


def drawn(seed, outliers):
    rng = np.random.default_rng([98, outliers == "forbid", seed])
    problem = random_problem(rng, rows=int(rng.integers(20, 40)), full=True, outliers=outliers)
    return problem, int(rng.integers(3, 12))


@pytest.fixture(scope="module")
def spark():
    with spark_kept(), open_engine("spark", None) as engine:
        # tasks find the masks that tests make
        engine.session.sparkContext.environment["PYTHONPATH"] = str(Path(__file__).parents[2])
        yield engine


# drawn: several portions of which one comes to cost less, and one where the bounds of the portions add up
CASES = {"forbid": lambda: drawn(26, "forbid"), "suppress": lambda: drawn(13, "suppress"), "kept": lambda: (kept(3), 6)}


@pytest.mark.parametrize("case", [pytest.param(case, marks=SPARK) for case in CASES])
def test_executors_make_of_a_plan_what_one_machine_makes_of_it(spark, case):
    problem, most = CASES[case]()
    with Engine() as engine:
        here = made(engine, problem, most, improved)
    there = made(spark, problem, most, improved_by_executors)
    assert there == here
    assert here[1][1] > 1
    assert here[1][0] if case == "kept" else here[1][3]


@pytest.mark.parametrize("case", [pytest.param("", marks=SPARK)])
def test_where_executors_lack_incrowd_or_cannot_work_the_plan_stays_and_a_note_says_so(spark, case, monkeypatch):
    problem, most = drawn(26, "forbid")
    with Engine() as engine:
        _, instances, plan, before = planned(engine, problem)
        monkeypatch.setattr(module, "tasks_of", lambda *_: (1, frozenset({case})))
        found = improved_by_executors(instances, plan, before, most, AUTO, Watch())
        assert found.plan is plan
        assert "these lack it; send the environment" in found.note
    monkeypatch.undo()

    def failing(*_):
        raise ValueError("Zebedee")

    monkeypatch.setattr(module, "done_by_group", failing)
    there = made(spark, problem, most, improved_by_executors)
    assert there[1][2:] == (0, 0)
    assert there[2].startswith("improvement on executors ended early (improving the plan on executors: ")
    assert "Zebedee" not in there[2]


@pytest.mark.parametrize("how", [pytest.param("time", marks=SPARK)])
def test_nothing_begins_that_has_no_time(spark, how, monkeypatch):
    problem, most = drawn(26, "forbid")
    types, instances, plan, before = planned(spark, problem)
    monkeypatch.setattr(module, "tasks_of", lambda *_: (1, frozenset({module.__version__})))
    watch = Watch()
    cut = module.cut_for

    def late(*given):
        found = cut(*given)
        watch.limit(1 if how == "time" else None)  # less than Spark takes to begin
        return found

    monkeypatch.setattr(module, "cut_for", late)
    found = improved_by_executors(instances, plan, before, most, AUTO, watch)
    assert (found.seen, found.lowered) == (0, 0)
    assert found.portions > 1
    assert recount(problem, plan_of(spark, types, problem, found.plan)) == before


@pytest.mark.parametrize("seed", [pytest.param(3, marks=SPARK)])
def test_prices_of_executors_are_those_of_one_machine(spark, seed):
    problem, told = kept(seed), []
    for engine, improve in ((None, improved), (spark, improved_by_executors)):
        with contextlib.ExitStack() as stack:
            engine = engine or stack.enter_context(Engine())
            types, instances = in_engine(engine, problem)
            swept = sweep(types, instances, problem.types.n, Watch())
            least = floor(types, instances, swept, Watch(), prices=True)
            plan = settled(instances, swept, Watch())
            cost = counted(engine, plan).cost(problem)
            found = improve(instances, plan, cost, 6, AUTO, Watch(), least)
            lines = engine.fetch(found.prices.lines).to_pylist()
            told.append(
                (found.bound, found.prices.parts, found.prices.value, sorted(map(tuple, map(dict.values, lines))))
            )
            assert found.prices.value > least.value
    assert told[1] == told[0]


def solved(solver, lines, number):
    table = pa.table(
        {**{name: pa.array(array) for name, array in lines.items()}, "portion": [number] * len(lines["n"])}
    )
    return module._work(solver, None)(table)


def test_a_task_tells_a_line_a_portion_and_gives_lines_where_they_cost_less():
    problem, _ = drawn(26, "forbid")
    solver, lines = one_group_each(problem)
    vectors = list(solver.vectors)
    told, plan, _ = solver.solve(lines, vectors, Watch())
    # in any order of the lines, as they come from a shuffle
    turn = np.random.default_rng(1).permutation(problem.types.t)
    found = solved(solver, {name: array[turn] for name, array in lines.items()}, 3).to_pylist()
    head = json.loads(found[0]["told"])
    assert {name: getattr(told, name) for name in head["anew"]} == head["anew"]
    assert [tuple(vector) for vector in head["vectors"]] == vectors[1:]
    names = [*plan.column_names]
    assert [[line[name] for name in names] for line in found[1:]] == [list(line.values()) for line in plan.to_pylist()]
    assert {line["portion"] for line in found} == {3}
    assert {line["p"] for line in found} == {0}
    assert [line["told"] for line in found[1:]] == [None] * plan.num_rows


@pytest.mark.parametrize("error", [MemoryError(), Infeasible("none", requirement="k=2", proven=False)])
def test_a_portion_that_cannot_be_solved_stays_as_it_is(error):
    class Failing:
        def go_on(self, *_):
            raise error

    problem, _ = drawn(26, "forbid")
    solver, lines = one_group_each(problem)
    some = type(solver)(solver.problem, solver.layout, solver.vectors, False, Failing())
    found = solved(some, lines, 0).to_pylist()
    assert [json.loads(line["told"])["anew"] for line in found] == [None]


def test_searches_share_the_time_less_what_spark_takes_by_the_turns_of_a_task():
    watch = Watch()
    assert module._seconds(watch, 2) is None
    watch.limit(100)
    assert 47 < module._seconds(watch, 2) < 48.1


def test_where_no_time_is_left_the_plan_stays_and_a_note_says_so():
    problem, most = drawn(26, "forbid")
    watch = Watch()
    with Engine() as engine:
        _, instances, plan, before = planned(engine, problem)
        watch.interrupt()
        found = improved_by_executors(instances, plan, before, most, AUTO, watch)
    assert found.plan is plan
    assert found.note == "not improved: greedy and bound took the time that there was"


def test_executors_may_end_a_little_late_but_hears_an_interruption_at_once():
    watch = Watch()
    watch.limit(0)
    assert not module._a_little_later(watch, 1.0).stopped
    assert module._a_little_later(watch, 1.0).deadline == watch.deadline + module.GRACE
    assert module._a_little_later(watch, 100.0).deadline == watch.deadline + 100 * module.LATE
    watch.interrupt()
    assert module._a_little_later(watch, 1.0).stopped
    assert module._a_little_later(Watch(), None).deadline is None


def test_a_task_gives_a_line_of_no_rows_for_every_price():
    problem = kept(1)
    solver, lines = one_group_each(problem)
    solver = dataclasses.replace(solver, unit=price_unit(problem))
    lines["best"] = np.ones(problem.types.t, np.int64)
    told, _, prices = solver.solve(lines, list(solver.vectors), Watch())
    found = solved(solver, lines, 3).to_pylist()
    assert json.loads(found[0]["told"])["anew"]["proven"] == told.proven > 0
    priced = [line for line in found[1:] if line["n"] == 0]
    assert [line["p"] for line in priced] == prices.column("p").to_pylist()
    assert [line["w0"] for line in priced] == prices.column("w0").to_pylist()
