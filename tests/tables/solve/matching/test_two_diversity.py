"""Frequency 2-diversity by matching, as a requirement of the whole problem."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.matching.solver import Matching
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.solve.textbook.simplex_matching import MatchingTextbook
from incrowd.tables.solve.textbook.triple_search import MatchingLocal
from incrowd.tables.values import Domain
from incrowd.tables.verify.bound.matching import matching_bound
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import random_required
from seeds import scaled


def asking(problem, *models):
    """The problem with other requirements on its sensitive columns."""
    sensitive = problem.sensitive
    counts = np.bincount(problem.types.kinds, problem.types.counts, len(sensitive.codes)).astype(np.int64)
    values = tuple(tuple(str(code) for code in range(size)) for size in sensitive.sizes)
    domain = Domain(sensitive, values, counts)
    return replace(problem, requirements=tuple(m.bind(domain) for m in models))


def draw(seed, columns, *, rows):
    rng = np.random.default_rng(seed)
    family = "two columns" if columns == 2 else "frequency"
    problem = random_required(rng, family, rows=rows, k=1 + int(rng.integers(2)))
    return asking(problem, *(LDiversity(l=2, column=f"s{j}") for j in range(columns)))


def solved(solver, problem):
    assert solver.declines(problem) is None
    try:
        solution = solver.solve(problem, Watch())
    except Infeasible as error:
        assert error.proven
        return None
    assert broken(problem, solution.plan) is None
    assert solution.status == "optimal"
    if solver.name == "matching":
        held = solution.certificate["matching"]
        sens = np.stack([r.code[problem.types.kinds] for r in problem.requirements], axis=1)
        proven = matching_bound(
            problem.types, problem.levels, problem.patterns.allows, held, outliers=problem.outliers, sens=sens
        )
        assert solution.bound.checked == max(proven, 0)
    assert recount(problem, solution.plan) == solution.bound.value
    return solution.bound.value


@pytest.mark.parametrize("columns", [1, 2])
def test_the_optimum_is_that_of_every_partition(columns):
    found = []
    for seed in range(scaled(150)):
        problem = draw([81, columns, seed], columns, rows=2 + seed % 7)
        found.append(solved(Matching(), problem))
        assert found[-1] == optimum(problem)
    assert found.count(None) < scaled(130)


@pytest.mark.parametrize("columns", [1, 2])
def test_it_agrees_with_the_sets_of_rows_on_larger_tables(columns):
    for seed in range(10):
        problem = draw([82, columns, seed], columns, rows=14)
        assert solved(Matching(), problem) == solved(SubsetDp(), problem)


@pytest.mark.proofs
@pytest.mark.parametrize("columns", [1, 2])
def test_the_optimum_is_that_of_every_partition_thousands_of_times(columns):
    for seed in range(3000):
        problem = draw([83, columns, seed], columns, rows=2 + seed % 8)
        assert solved(Matching(), problem) == solved(SubsetDp(), problem)


def test_half_of_a_group_is_the_same_question_under_another_name():
    problem = draw([84, 1], 1, rows=8)
    other = asking(problem, AlphaK(alpha="1/2", column="s0"))
    assert Matching().declines(other) is None
    assert solved(Matching(), other) == solved(Matching(), problem)


def test_what_pairs_and_triples_cannot_answer_is_declined_with_the_reason():
    one, two = draw([85, 1], 1, rows=8), draw([85, 2], 2, rows=8)
    assert "cannot be split" in Matching().declines(asking(one, LDiversity(l=2, column="s0", kind="distinct")))
    assert "l=3" in Matching().declines(asking(one, LDiversity(l=3, column="s0")))
    mixed = asking(two, LDiversity(l=2, column="s0"), TCloseness(t=0.5, column="s1"))
    assert "t-closeness" in Matching().declines(mixed)
    assert "k=3" in Matching().declines(replace(one, k=3))
    twice = asking(one, LDiversity(l=2, column="s0"), LDiversity(l=2, column="s0"))
    assert Matching().declines(twice) is None
    for other in (MatchingTextbook(), MatchingLocal()):
        assert other.declines(replace(one, k=2)) is not None


def test_three_columns_are_declined():
    rng = np.random.default_rng(86)
    while True:
        problem = random_required(rng, "joint", rows=7, k=2)
        if len(problem.sensitive.names) == 3:
            break
    columns = [LDiversity(l=2, column=f"s{j}") for j in range(3)]
    assert "one or two" in Matching().declines(asking(problem, *columns))
