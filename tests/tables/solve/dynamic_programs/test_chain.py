"""The optimum under a chain of patterns against every partition, and against the general exact solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.solve.dynamic_programs import chain
from incrowd.tables.solve.dynamic_programs.chain import Chain, chain_of, forest_of
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import scaled


def chain_problem(seed, *, rows=None):
    """Any table and hierarchies under a random chain of patterns, often without full suppression."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, rows=int(rng.integers(1, 9)) if rows is None else rows)
    vector, top = [0] * problem.types.m, problem.top
    chain = [tuple(vector)]
    while tuple(vector) != top:
        j = rng.choice([j for j, (v, h) in enumerate(zip(vector, top, strict=True)) if v < h])
        vector[j] += 1
        chain.append(tuple(vector))
    kept = {v for v in chain if rng.random() < 0.7} - ({top} if rng.integers(2) else set())
    k = int(rng.integers(1, 1 + min(problem.types.n, 4)))
    return replace(problem, patterns=PatternList(top, kept or {chain[0]}), k=k)


def least(problem):
    assert Chain().declines(problem) is None
    try:
        solution = Chain().solve(problem, Watch())
    except Infeasible as error:
        assert error.proven
        return None
    assert solution.status == "optimal"
    assert recount(problem, solution.plan) == solution.bound.value
    return solution.bound.value


def test_it_finds_the_optimum():
    found = []
    for seed in range(scaled(180)):
        problem = chain_problem([41, seed])
        found.append(least(problem))
        assert found[-1] == optimum(problem)
    assert scaled(10) < found.count(None) < scaled(200)


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(5))
def test_it_finds_the_optimum_thousands_of_times(part):
    for seed in range(1000):
        problem = chain_problem([42, part, seed])
        assert least(problem) == optimum(problem)


def test_many_rows_and_deep_chains_agree_with_the_general_solver():
    sent_up = 0
    for seed in range(12):
        rng = np.random.default_rng([43, seed])
        m = int(rng.integers(3, 7))
        types = types_of(rng.integers(0, 3, (int(rng.integers(40, 160)), m)))
        chain = {tuple([0] * (m - i) + [1] * i) for i in range(m + 1)}
        outliers = ("forbid", "suppress")[seed % 2]
        problem = Problem(types, star_levels(types), PatternList([1] * m, chain), int(rng.integers(2, 8)), outliers)
        found = Chain().solve(problem, Watch())
        exact = Exact(leaves=0).solve(problem, Watch())
        assert recount(problem, found.plan) == exact.plan.cost(problem) == exact.bound.value
        sent_up += len(np.unique(found.plan.levels, axis=0)) > 2
    assert sent_up > 6


def test_no_table_of_a_node_is_longer_than_its_cap_needs():
    problem = chain_problem([44, 7], rows=9)
    forest = forest_of(problem, chain_of(problem))
    assert (forest.cap <= forest.rows).all() and (forest.cap[forest.parent < 0] == 0).all()
    roots = forest.parent < 0
    assert forest.rows[roots].sum() == problem.types.n


def test_it_declines_patterns_that_are_no_chain_and_too_large_tables():
    problem = random_problem(np.random.default_rng(1), rows=6)
    two = replace(problem, levels=problem.levels[:1] * 2, types=types_of([(i, i) for i in range(6)]))
    two = replace(two, levels=star_levels(two.types), patterns=PatternList([1, 1], {(0, 1), (1, 0)}))
    assert "nested" in Chain().declines(two)
    assert "nested" in Chain().declines(replace(two, patterns=PatternList([1, 1])))
    types = types_of(np.random.default_rng(2).integers(0, 900, (60_000, 3)))
    nested = PatternList([1, 1, 1], {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)})
    large = Problem(types, star_levels(types), nested, 20_000)
    assert "MB" in Chain(most_mb=1).declines(large)
    with pytest.raises(PolicyError):
        Chain(most_mb=0)


def test_rows_that_the_last_pattern_leaves_alone_are_a_proof_that_there_is_no_release():
    types = types_of([(0,), (0,), (1,)])
    problem = Problem(types, star_levels(types), PatternList([1], {(0,)}), 2)
    with pytest.raises(Infeasible, match="fewer than 2"):
        Chain().solve(problem, Watch())


class Asked(Watch):
    """A watch whose time is over when it is asked the nth time."""

    def __init__(self, asks):
        super().__init__()
        self.asks = asks

    @property
    def stopped(self):
        self.asks -= 1
        return self.asks < 0


def test_a_search_that_is_cut_short_puts_all_rows_under_the_last_pattern(monkeypatch):
    monkeypatch.setattr(chain, "PIECE", 1)
    cut = 0
    for seed in range(60):
        problem = chain_problem([45, seed])
        best = optimum(problem)
        watch = Asked(seed % 5)
        if best is None:
            with pytest.raises(Infeasible):
                Chain().solve(problem, watch)
            continue
        found = Chain().solve(problem, watch)
        cost = recount(problem, found.plan)
        assert found.bound.value <= best <= cost
        assert (found.status == "optimal") == (found.bound.value == cost)
        cut += found.bound.method == "per row"
    assert cut > 10
