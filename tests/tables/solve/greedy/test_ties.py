"""Orders of patterns of equal cost: those of plain sorts, and refused where they cannot be had."""

import dataclasses
import itertools

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import PolicyError, SolverDeclined
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.greedy.ties import TIES, blocks_by, reason_against
from oracles.problems import random_problem
from oracles.required import random_required
from seeds import seeds

ROWS = pa.table({"a": ["1", "1", "2", "2"], "b": ["1", "2", "1", "2"], "c": ["x", "x", "x", "x"]})


def order(ties, problem):
    blocks = list(blocks_by(ties, problem))
    levels = np.concatenate([block.levels for block in blocks])
    return [tuple(v) for v in levels.tolist()], np.concatenate([block.costs for block in blocks]).tolist()


def plain_key(ties, problem):
    floors = problem.floor_costs()

    def key(v):
        cost = sum(floors[j][level] for j, level in enumerate(v))
        stars = sum(level == top > 0 for level, top in zip(v, problem.patterns.heights, strict=True))
        read = v if ties == "first" else v[::-1]
        return cost, stars, tuple(-level for level in read)

    return key


@seeds(60)
def test_first_and_colexicographic_are_plain_sorts(seed):
    problem = random_problem(np.random.default_rng([311, seed]))
    every, _ = order("domains", problem)
    for ties in ("first", "colexicographic"):
        found, costs = order(ties, problem)
        assert found == sorted(every, key=plain_key(ties, problem))
        assert costs == sorted(costs)


def test_two_stars_of_four_columns_come_in_the_orders_named():
    compiled = Mask(max_stars=2, full_suppression=False).compile(list("abcd"), [1, 1, 1, 1])
    problem = random_problem(np.random.default_rng(0))
    up = np.array([[0, 1], [0, 0]], np.int32)
    level = dataclasses.replace(problem.levels[0], up=up, cost=np.array([[0, 0], [1, 1]], np.int64))
    types = dataclasses.replace(problem.types, codes=np.zeros((1, 4), np.int32), counts=np.ones(1, np.int64))
    problem = dataclasses.replace(problem, types=types, levels=(level,) * 4, patterns=compiled, requirements=())
    shown = {ties: ["".join(map(str, v)) for v in order(ties, problem)[0] if sum(v) == 2] for ties in TIES[2:]}
    assert shown["first"] == ["1100", "1010", "1001", "0110", "0101", "0011"]
    assert shown["colexicographic"] == ["0011", "0101", "1001", "0110", "1010", "1100"]


def test_the_users_order_of_patterns_is_kept_among_equal_costs():
    for written in itertools.permutations([["a"], ["b"], ["c"]]):
        mask = Mask(patterns=[*written, ["a", "b", "c"]])
        compiled = mask.compile(list("abc"), [1, 1, 1])
        assert [v.index(1) for v in compiled.written[:3]] == ["abc".index(column) for (column,) in written]
        problem = dataclasses.replace(three_columns(), patterns=compiled)
        found, _ = order("pattern", problem)
        assert [v.index(1) for v in found[:3]] == ["abc".index(column) for (column,) in written]
        assert found[-1] == (1, 1, 1)


def three_columns():
    problem = random_problem(np.random.default_rng(1))
    level = dataclasses.replace(
        problem.levels[0], up=np.array([[0, 1], [0, 0]], np.int32), cost=np.array([[0, 0], [1, 1]], np.int64)
    )
    types = dataclasses.replace(problem.types, codes=np.zeros((1, 3), np.int32), counts=np.ones(1, np.int64))
    return dataclasses.replace(problem, types=types, levels=(level,) * 3, requirements=())


def test_the_users_order_decides_which_column_is_starred():
    asked = {"quasi_identifiers": ["a", "b"], "k": 2, "solver": "greedy", "ties": "pattern"}
    for first, second in (("a", "b"), ("b", "a")):
        release = incrowd.anonymize(ROWS, mask=Mask(patterns=[[first], [second], ["a", "b"]]), **asked)
        table = release.table
        assert set(table.column(first).to_pylist()) == {"*"} and set(table.column(second).to_pylist()) == {"1", "2"}


@seeds(40)
def test_every_order_gives_a_release_and_the_same_bound(seed):
    problem = random_problem(np.random.default_rng([312, seed]))
    bounds = set()
    for ties in ("domains", "first", "colexicographic"):
        try:
            bounds.add(Greedy(ties=ties).solve(problem, Watch()).bound.value)
        except incrowd.Infeasible:
            bounds.add(None)
    assert len(bounds) == 1


def test_what_cannot_be_had_is_refused_with_the_reason():
    required = random_required(np.random.default_rng(3), "frequency")
    plain = dataclasses.replace(required, requirements=())
    assert "k-anonymity alone" in reason_against("first", required)
    assert "lists none" in reason_against("pattern", plain)
    assert [reason_against(ties, plain) for ties in ("domains", "first", "colexicographic")] == [None] * 3
    wide = dataclasses.replace(three_columns(), patterns=Mask().compile([f"c{j}" for j in range(62)], [1] * 62))
    assert "61 columns" in reason_against("colexicographic", wide)
    with pytest.raises(PolicyError, match="ties must be one of domains, pattern"):
        Greedy(ties="any")
    with pytest.raises(SolverDeclined, match="it goes with solver 'greedy'"):
        incrowd.anonymize(ROWS, quasi_identifiers=["a", "b"], k=2, ties="first", solver="improve")
    with pytest.raises(SolverDeclined, match="lists none"):
        incrowd.anonymize(ROWS, quasi_identifiers=["a", "b"], k=2, ties="pattern", solver="greedy")
