"""The release of a plan, for a look by the way."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.by_plan import gives_away, released_of_plan
from incrowd.tables.attack.rules import SingleRows
from oracles.attacked import (
    problem_of,
    random_question,
    released_of,
    shown_by,
    worlds_by_release,
)
from oracles.problems import random_problem
from oracles.small_attacks import triples


def test_it_finds_what_is_found_in_the_released_rows():
    met = 0
    for seed in (9, 18):
        question = random_question(np.random.default_rng(seed), most=120)
        for shown, worlds in worlds_by_release(question, load("solvers", "exact")(), Watch).items():
            table, problem, found = worlds[0]
            assert shown_by(problem_of(table, question), found.plan) == shown
            released = released_of(shown, question, closed=False)
            wanted = SingleRows().find(released, 0, Watch())
            cells = released.unit_rows[:, None] * np.isin(
                np.arange(released.sizes.size * released.m).reshape(-1, released.m),
                wanted.unit * released.m + wanted.column,
            )
            told = gives_away(problem, found.plan, settled=True, watch=Watch())
            assert (told["cells"], told["settled"], told["complete"]) == (int(cells.sum()), True, True)
            met += bool(triples(wanted))
    assert met > 10


def test_costs_and_sizes_are_those_of_the_plan():
    for seed in range(30):
        problem = random_problem(np.random.default_rng(seed))
        try:
            plan = load("solvers", "greedy")().solve(problem, Watch()).plan
        except Infeasible:
            continue
        released = released_of_plan(problem, plan)
        assert released.cost == plan.cost(problem)
        assert released.rows == problem.types.n
        assert released.starred.sum() == ((plan.levels == released.top) & (released.top > 0)).sum()
