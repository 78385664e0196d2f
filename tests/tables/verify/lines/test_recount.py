from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.verify.bound import certificate as bound
from incrowd.tables.verify.lines import recount as module
from incrowd.tables.verify.lines import sums
from incrowd.tables.verify.lines.price_file import PriceFile
from incrowd.tables.verify.lines.recount import Asked, recount, unchanged
from incrowd.tables.verify.lines.type_table import TypeTable
from oracles.lined import lined
from oracles.problems import as_table, random_problem
from seeds import few_of, seeds


@pytest.fixture(scope="module")
def engine():
    with Engine() as one:
        yield one


def types_in(engine, problem):
    types = problem.types
    columns = {f"r{j}": types.codes[:, j].astype(np.int32) for j in range(types.m)}
    rows = engine.put(pa.table({"n": types.counts.astype(np.int64)} | columns))
    return TypeTable(engine, rows, types.t, types.n, types.sizes, (None,) * types.m)


def head_of(problem, parts, cost, bound_claimed, proof="solver"):
    return {
        "certificate": "incrowd k-anonymity bound", "version": 3, "rows": problem.types.n, "row_types": problem.types.t,
        "k": problem.k, "outliers": problem.outliers, "scale": problem.scale, "cost": cost,
        "lower_bound": bound_claimed, "lower_bound_checked": bound_claimed, "proof": proof, "parts": parts,
    }  # fmt: skip


def both(engine, problem, head, prices, folder):
    """What the recount in the engine and the one in memory say; the error's kind where they refuse."""
    file = lined(folder / "c.gz", head, prices)
    asked = Asked(
        levels=problem.levels, allows=problem.patterns.allows, k=problem.k, outliers=problem.outliers,
        scale=problem.scale,
    )  # fmt: skip
    told = []
    plain = {**head, "version": 1, "components": None, "prices": [int(p) for p in prices], "trees": []}
    for ask in (
        lambda: recount(types_in(engine, problem), PriceFile(file), head, asked, head["cost"]),
        lambda: bound.recheck(as_table(problem), plain, head["cost"]),
    ):
        try:
            told.append(ask())
        except InputError:
            told.append(InputError)
    return told


def drawn_prices(rng, problem):
    """Prices that instances pay for more or less often: near what a row costs, or anything."""
    dearest = max(sum(int(level.cost.max()) for level in problem.levels), 1)
    parts = int(rng.integers(1, 4))
    high = int(rng.choice([2, dearest // 2 + 1, 2 * dearest + 2])) * parts
    return parts, rng.integers(-1 if rng.random() < 0.3 else 0, high + 1, problem.types.t)


@seeds(200, 4)
def test_the_engine_finds_what_is_found_in_memory(engine, tmp_path, monkeypatch, seed):
    """Under any mask, hierarchies, node costs and prices; columns in one key word or in several."""
    rng = np.random.default_rng([330, seed])
    problem = random_problem(rng, rows=int(rng.integers(1, 25)))
    problem = dataclasses.replace(problem, k=int(rng.integers(1, problem.types.n + 2)))
    if seed % 3 == 0:
        monkeypatch.setattr(sums, "WORD", 4)
    if seed % 4 == 0:
        monkeypatch.setattr(sums, "JOINS", 1)
    parts, prices = drawn_prices(rng, problem)
    claimed = int(rng.integers(0, 2 * problem.types.n))
    head = head_of(problem, parts, 10**6, claimed, "certificate" if seed % 2 else "solver")
    here, there = both(engine, problem, head, prices, tmp_path)
    assert here == there
    assert here is not InputError


@pytest.mark.proofs
def test_what_it_finds_is_told_apart(engine, tmp_path):
    """Of the random problems some are good and some not, and the bounds are many."""
    rng = np.random.default_rng(331)
    seen = []
    for _ in range(12):
        problem = random_problem(rng, rows=12, uniform=False)
        parts, prices = drawn_prices(rng, problem)
        here, there = both(engine, problem, head_of(problem, parts, 10**6, 3), prices, tmp_path)
        assert here == there
        seen.append((bool(here.violations), here.lower_bound))
    assert {wrong for wrong, _ in seen} == {False, True}
    assert len({value for _, value in seen}) > 4


@pytest.mark.parametrize("size", few_of([2**61 - 1, 2**57, 2**53, 2**56, 2**58, 2**60]))
def test_numbers_that_other_checkers_could_not_add_up_are_refused_alike(engine, tmp_path, size):
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(4):
        problem = random_problem(rng, rows=6, full=True)
        prices = np.zeros(problem.types.t, object)
        prices[0] = int(size) * (1 if rng.random() < 0.7 else -1)
        here, there = both(engine, problem, head_of(problem, 1, 10**6, 0), prices, tmp_path)
        assert here == there
        refused += here is InputError
    assert refused == (0 if size < 2**55 else 4 if size > 2**57 else refused)


def test_a_head_about_another_table_is_a_violation_and_its_lines_are_not_looked_at(engine, tmp_path):
    problem = random_problem(np.random.default_rng(9), rows=8, full=True)
    head = head_of(problem, 1, 10**6, 0) | {"row_types": problem.types.t + 1}
    here, there = both(engine, problem, head, [0] * problem.types.t, tmp_path)
    assert here == there
    assert [one.rule for one in here.violations] == ["certificate: row_types"]


def test_more_level_vectors_than_are_asked_are_refused_in_words(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_ASKED", 0)
    problem = random_problem(np.random.default_rng(9), rows=8, full=True, outliers="forbid")
    file = lined(tmp_path / "c.gz", head_of(problem, 1, 10**6, 0), [10**6] * problem.types.t)
    asked = Asked(levels=problem.levels, allows=problem.patterns.allows, k=problem.k, outliers="forbid", scale=1)
    with pytest.raises(InputError, match="--types-in-memory"):
        recount(types_in(engine, problem), PriceFile(file), PriceFile(file).head, asked, 10**6)


def test_rows_that_cost_something_as_they_are_are_added_up(engine):
    problem = random_problem(np.random.default_rng(3), rows=9, uniform=False)
    assert unchanged(types_in(engine, problem), problem.levels) == 0
    dear = tuple(
        dataclasses.replace(level, cost=level.cost + 1 + np.arange(level.cost.shape[1])) for level in problem.levels
    )
    codes, counts = problem.types.codes, problem.types.counts
    wanted = sum(int((level.cost[0][codes[:, j]] * counts).sum()) for j, level in enumerate(dear))
    assert unchanged(types_in(engine, problem), dear) == wanted
