from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.large.portion import PortionSearch
from incrowd.tables.large.prices import PriceUnit
from incrowd.tables.large.words import laid_out
from incrowd.tables.solve.auto import Auto
from oracles.brute_force import optimum
from oracles.problems import random_problem, stars, types_of
from seeds import how_many


def one_group_each(problem):
    """Return a search, and the lines of a plan in which all rows are fully suppressed."""
    layout = laid_out(problem.levels, [f"column {j}" for j in range(len(problem.levels))])
    lines = {f"w{i}": np.zeros(problem.types.t, np.int64) for i in range(layout.words)}
    for j, (word, _) in enumerate(layout.place):
        lines[f"w{word}"] += layout.shifted(j)[problem.types.codes[:, j]]
    lines["n"] = problem.types.counts.astype(np.int64)
    lines["group"] = np.full(problem.types.t, 7, np.int64)
    lines["seq"] = np.zeros(problem.types.t, np.int64)
    return PortionSearch(problem, layout, (tuple(problem.top),), False, Auto(work=50)), lines


def test_what_is_solved_anew_costs_what_its_lines_say_and_is_never_below_the_optimum():
    cheaper = 0
    for seed in range(how_many(60, 2)):
        problem = random_problem(np.random.default_rng([110, seed]), rows=12, full=True, outliers="forbid")
        solver, lines = one_group_each(problem)
        vectors = list(solver.vectors)
        told, made, _ = solver.solve(lines, vectors, Watch())
        assert told.starred == problem.types.n
        assert told.bound <= optimum(problem) <= told.cost <= told.before, seed
        assert (made is None) == (told.cost == told.before), seed
        if made is None:
            continue
        n, cost, seq = (made.column(name).to_numpy() for name in ("n", "cost", "seq"))
        assert int((n * cost).sum()) == told.cost
        assert n.sum() == problem.types.n
        assert sorted(set(made.column("group").to_pylist())) == list(range(told.classes))
        assert int(n[[vectors[one] == tuple(problem.top) for one in seq]].sum()) == told.leaves
        cheaper += 1
    assert cheaper


def test_fewer_rows_than_k_are_no_problem_of_their_own():
    solver, lines = one_group_each(stars(types_of([[0, 0], [0, 1]]), 3))
    assert solver.solve(lines, list(solver.vectors), Watch()) is None


def test_where_prices_are_wanted_the_bound_is_no_less_than_what_every_row_costs():
    problem = random_problem(np.random.default_rng([110, 1]), rows=12, full=True, outliers="forbid")
    solver, lines = one_group_each(problem)
    assert solver.solve(lines, list(solver.vectors), Watch())[2] is None
    best = lines["best"] = 1000 + np.arange(problem.types.t, dtype=np.int64)  # more than any solver's
    solver = dataclasses.replace(solver, unit=PriceUnit(10, 10**6, 1))
    told, _, prices = solver.solve(lines, list(solver.vectors), Watch())
    assert told.per_row == int((best * problem.types.counts).sum())
    assert told.bound == told.per_row
    assert told.proven == int((prices.column("p").to_numpy() * problem.types.counts).sum()) == 10 * told.per_row
    assert [prices.column(name).to_pylist() for name in ("w0",)] == [lines["w0"].tolist()]
