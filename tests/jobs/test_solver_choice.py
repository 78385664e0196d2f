"""The solver of a job: the named one, the first exact one that takes the problem, or auto."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from incrowd.errors import Infeasible, InputError, SolverDeclined
from incrowd.jobs import solver_choice
from incrowd.jobs.solver_choice import AUTO_SECONDS, choose_solver, cut_by_memory, raise_bound, seconds_of, solve
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of

LEVELS, RANGES = load_recoding("levels"), load_recoding("ranges")


def posed(k=2, rows=((0, 0), (0, 1), (1, 0), (1, 1))):
    types = types_of(rows)
    return Problem(types, star_levels(types), PatternList([1] * types.m), k)


def test_a_solver_is_given_the_options_of_the_job_that_it_knows():
    job = Job(solver="improve", work=7, seed=3, gap=0.5)
    made = choose_solver(posed(), job, LEVELS)
    assert (made.name, made.work, made.seed, made.gap) == ("improve", 7, 3, 0.5)
    greedy = choose_solver(posed(), Job(solver="greedy", work=7, seed=3), LEVELS)
    assert greedy.name == "greedy" and not hasattr(greedy, "work")


@pytest.mark.parametrize("name", ["auto", "exact"])
def test_a_job_that_writes_a_certificate_tells_its_solver(name):
    problem = posed(k=3)
    plain = choose_solver(problem, Job(solver=name), LEVELS)
    assert not plain.certificate
    assert choose_solver(problem, Job(solver=name, certificate=Path("c.json")), LEVELS).certificate


def test_exact_is_the_first_of_its_solvers_that_does_not_decline():
    assert choose_solver(posed(2), Job(solver="exact"), LEVELS).name == "matching"
    assert choose_solver(posed(3), Job(solver="exact"), LEVELS).name == "exact"


def test_where_every_exact_solver_declines_each_reason_is_said_once(monkeypatch):
    monkeypatch.setitem(solver_choice.SEVERAL, "exact", ("matching", "matching"))
    with pytest.raises(SolverDeclined) as refused:
        choose_solver(posed(3), Job(solver="exact"), LEVELS)
    reason = choose_solver(posed(2), Job(solver="matching"), LEVELS).declines(posed(3))
    assert str(refused.value).count(str(reason)) == 1


def test_ranges_are_made_by_solvers_that_know_them_alone():
    numbers = dataclasses.replace(posed(), places=(np.arange(2), np.arange(2)))
    assert choose_solver(numbers, Job(solver="mondrian"), RANGES).ranges
    with pytest.raises(SolverDeclined, match="it shows levels, no ranges; for recoding=ranges name a solver"):
        choose_solver(posed(), Job(solver="greedy"), RANGES)


class Heard(Watch):
    """A watch that remembers its limits."""

    def __init__(self):
        super().__init__()
        self.limits = []

    def limit(self, seconds, *, asked=True):
        self.limits.append((seconds, asked))
        super().limit(seconds, asked=asked)


@pytest.mark.parametrize(
    ("job", "limit"),
    [
        (Job(solver="greedy"), (None, False)),
        (Job(solver="auto"), (AUTO_SECONDS, False)),
        (Job(solver="greedy", time_limit=5), (5, True)),
        (Job(solver="auto", time_limit=5), (5, True)),
    ],
)
def test_only_auto_has_a_time_limit_that_nobody_asked_for(monkeypatch, job, limit):
    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Greedy())
    watch = Heard()
    assert solve(posed(), job, LEVELS, watch).solver == "greedy"
    assert watch.limits == [limit, (None, True)]


def test_the_limit_is_lifted_where_the_solver_fails_too(monkeypatch):
    class Failing(Greedy):
        def solve(self, problem, watch):
            raise ValueError("broken")

    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Failing())
    watch = Heard()
    with pytest.raises(ValueError, match="broken"):
        solve(posed(), Job(solver="greedy", time_limit=5), LEVELS, watch)
    assert watch.limits[-1] == (None, True)


def test_without_requirements_the_bound_is_left_as_the_solver_found_it():
    problem = posed()
    found = Greedy().solve(problem, Watch())
    assert raise_bound(problem, found, Watch()) is found


def test_a_bound_under_requirements_is_raised_only_where_time_is_left_of_a_limit_and_levels_are_shown(monkeypatch):
    raised = []
    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Greedy())
    monkeypatch.setattr(solver_choice, "raise_bound", lambda problem, found, watch: raised.append(1) or found)
    for job, recoding, times in (
        (Job(solver="greedy"), LEVELS, 0),
        (Job(solver="auto"), LEVELS, 0),
        (Job(solver="greedy", time_limit=5), RANGES, 0),
        (Job(solver="greedy", time_limit=5), LEVELS, 1),
    ):
        raised.clear()
        solve(posed(), job, recoding, Watch())
        assert len(raised) == times


def test_solvers_that_know_what_they_take_are_told_what_memory_is_left():
    assert choose_solver(posed(), Job(solver="auto"), LEVELS).most_mb == 1024
    assert choose_solver(posed(), Job(solver="auto"), LEVELS, 7).most_mb == 7
    with pytest.raises(SolverDeclined, match="more than 1;"):
        many = posed(rows=[(a, b) for a in range(6) for b in range(6)])
        solve(many, Job(solver="subset_dp"), LEVELS, Watch(memory_budget=lambda: 0))


def test_a_search_that_memory_ended_says_so_and_one_that_found_nothing_is_an_error_of_memory(monkeypatch):
    job = Job(solver="greedy", memory="1GB")
    problem = posed(k=2)
    found = Greedy().solve(problem, Watch())
    said = cut_by_memory(dataclasses.replace(found, status="time_limit"), job)
    assert "memory came near its limit (--memory 1GB)" in said.notes[-1]
    assert cut_by_memory(dataclasses.replace(found, status="optimal"), job).notes == found.notes

    def none(self, problem, watch):
        watch.near_full()
        raise Infeasible("none", requirement="k", proven=False)

    monkeypatch.setattr(Greedy, "solve", none)
    watch = Watch()
    with pytest.raises(InputError, match="no release was found before memory came near its limit"):
        solve(problem, job, LEVELS, watch)
    assert not watch.short


def test_auto_alone_has_a_limit_where_none_is_asked():
    asked = [
        (Job(solver=solver, time_limit=limit), limit or (60.0 if solver == "auto" else None))
        for solver in ("auto", "greedy") for limit in (None, 7.0)
    ]  # fmt: skip
    assert [seconds_of(job) for job, _ in asked] == [told for _, told in asked]


class Late:
    """A solver that has no release when it is stopped."""

    name = "late"

    def __init__(self, proven=False):
        self.proven = proven

    def declines(self, problem):
        return None

    def solve(self, problem, watch):
        watch.limit(0)
        raise Infeasible("none was found", requirement="k=2", proven=self.proven)


@pytest.mark.parametrize("stopped", ["time_limit", "interrupted"])
def test_a_solver_that_has_none_when_it_is_stopped_gives_stars_alone_and_says_so(monkeypatch, stopped):
    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Late())
    watch = Watch()
    if stopped == "interrupted":
        watch.interrupt()
    found = solve(posed(), Job(solver="late", time_limit=1), LEVELS, watch)
    assert (found.status, found.bound.value, found.plan.classes) == (stopped, 0, 1)
    assert found.plan.cost(posed()) == found.plan.part_rows.sum() * 2
    assert "every row is suppressed whole" in found.notes[0]


def test_without_stars_in_the_mask_or_with_a_proof_there_is_none(monkeypatch):
    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Late())
    bare = dataclasses.replace(posed(), patterns=PatternList([1, 1], {(0, 0)}))
    with pytest.raises(Infeasible):
        solve(bare, Job(solver="late", time_limit=1), LEVELS, Watch())
    monkeypatch.setattr(solver_choice, "choose_solver", lambda *_: Late(proven=True))
    with pytest.raises(Infeasible):
        solve(posed(), Job(solver="late", time_limit=1), LEVELS, Watch())
