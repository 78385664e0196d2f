"""The local search finds what `matching` finds, with the prices of a linear program and without."""

from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many, seeds

from incrowd.progress import Watch
from incrowd.tables.solve.matching.optimal import optimal_classes
from incrowd.tables.solve.textbook.simplex_matching import hyperedges, lightest, price_alone
from incrowd.tables.solve.textbook.triple_search import MatchingLocal, local_search
from incrowd.tables.verify.recount import AnyMask, Table, recheck
from oracles.matching_drawn import FAMILIES, draw
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, stars, types_of

GAP = [(2, 2, 2, 1), (2, 0, 1, 2), (1, 2, 1, 1), (0, 0, 0, 1), (1, 1, 1, 0), (0, 2, 2, 0), (0, 2, 1, 2)]


def textbook(drawn):
    rows = np.repeat(np.arange(drawn.types.t), drawn.types.counts).tolist()
    edges = hyperedges(drawn.types.codes, rows, drawn.levels, drawn.patterns, sens=drawn.sens)
    alone = price_alone(drawn.levels, drawn.patterns, drawn.outliers) if drawn.sens is None else None
    found = lightest(len(rows), edges, alone)
    return None if found is None else found[1]


def searched(drawn, *, odd_sets):
    return local_search(
        drawn.types, drawn.levels, drawn.patterns, outliers=drawn.outliers, sens=drawn.sens, odd_sets=odd_sets
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_local_search_finds_the_optimum_of_5_to_14_rows(family):
    for seed in range(how_many(25, 2)):
        drawn = draw(family, 500 + seed, (5, 14))
        best = textbook(drawn)
        for odd_sets in (True, False):
            found = searched(drawn, odd_sets=odd_sets)
            if best is None:
                assert found is None
                continue
            assert found is not None
            assert found.cost == best >= found.bound


@seeds(20_000, 100)
def test_without_the_linear_program_it_finds_what_matching_finds(seed):
    drawn = draw(FAMILIES[seed % len(FAMILIES)], 3_000_000 + seed, (3, 12))
    best = optimal_classes(
        drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns, outliers=drawn.outliers, sens=drawn.sens
    )
    found = searched(drawn, odd_sets=False)
    if best.classes is None:
        assert best.infeasible and found is None
        return
    assert found is not None and found.done
    # fully suppressed rows are one class under a sensitive requirement; `matching` pairs them as well
    assert found.cost == best.cost == best.bound >= found.bound


@seeds(300, 6)
def test_random_rows_of_few_columns_need_changes_of_triples(seed):
    """Odd numbers of rows far from each other: the first release is seldom the least, and prices leave a gap."""
    rng = np.random.default_rng([73, seed])
    types = types_of(rng.integers(0, 3, (int(rng.integers(7, 24)), int(rng.integers(4, 7)))))
    levels, patterns = star_levels(types), PatternList([1] * types.m)
    found = local_search(types, levels, patterns, odd_sets=False)
    assert found.cost == optimal_classes(types.codes, types.counts, levels, patterns).cost


@pytest.mark.few(1)
@pytest.mark.parametrize("copies", [1, 3])
def test_where_no_prices_meet_the_optimum_the_bound_is_the_theorems(copies):
    """The linear program with every odd set has 18 2/3 a copy, the optimum is 19."""
    rows = [(*row, *[c] * 12) for c in range(copies) for row in GAP]
    problem = stars(types_of(rows), 2)
    solution = MatchingLocal().solve(problem, Watch())
    assert solution.plan.cost(problem) == 19 * copies
    assert solution.status == "optimal" and solution.bound.value == 19 * copies
    assert -(-56 * copies // 3) >= solution.bound.checked
    if copies == 3:
        assert solution.bound.proof == "solver" and "covering theorem" in solution.notes[0]


@seeds(200, 8)
def test_its_certificate_is_recounted(seed):
    drawn = draw(("plain", "weighted", "hierarchy", "ties", "outliers")[seed % 5], 700 + seed, (4, 11))
    problem = drawn.problem
    if textbook(drawn) is None:
        return
    solution = MatchingLocal().solve(problem, Watch())
    table = Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=problem.levels, mask=AnyMask(problem.patterns.allows),
        k=2, outliers=problem.outliers, scale=1,
    )  # fmt: skip
    told = recheck(table, solution.certificate, solution.plan.cost(problem))
    assert not told.violations
    assert told.lower_bound >= solution.bound.checked


def test_told_to_stop_it_claims_what_the_prices_prove():
    rng = np.random.default_rng(74)
    problem = stars(types_of(rng.integers(0, 3, (40, 6))), 2)
    watch = Watch()
    watch.limit(0)
    solution = MatchingLocal().solve(problem, watch)
    assert solution.bound.value == solution.bound.checked <= solution.plan.cost(problem)
    assert solution.status in ("time_limit", "optimal")


def test_larger_tables_are_declined_with_their_size():
    problem = stars(types_of([(0,), (1,)]), 2)
    assert "up to 1 rows, not 2" in MatchingLocal(most_rows=1).declines(problem)
