"""The solver on problems: optima, tables that are hard to please, and stopping early."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching
from incrowd.tables.values import Levels, Problem, RowTypes
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.recount import AnyMask, Table, recheck
from oracles.matching_drawn import FAMILIES, draw
from oracles.partitions import least
from seeds import scaled


def stars(codes, counts=None, *, mask=None, outliers="forbid", weights=None, k=2):
    codes = np.asarray(codes, np.int32)
    if counts is None:
        codes, counts = np.unique(codes, axis=0, return_counts=True)
    m = codes.shape[1]
    sizes = tuple(int(x) + 1 for x in codes.max(axis=0))
    weights = [1] * m if weights is None else weights
    levels = tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.full(d, w, np.int64)]),
        )
        for d, w in zip(sizes, weights, strict=True)
    )
    names = tuple(f"c{j}" for j in range(m))
    patterns = (mask or Mask()).compile(names, [1] * m)
    types = RowTypes(codes, np.asarray(counts, np.int64), sizes)
    return Problem(types, levels, patterns, k, outliers, 1, (), names)


def solved(problem, watch=None, mask=None):
    assert Matching().declines(problem) is None
    solution = Matching().solve(problem, watch or Watch())
    plan = solution.plan
    total = np.zeros(problem.types.t, np.int64)
    np.add.at(total, plan.part_type, plan.part_rows)
    assert (total == problem.types.counts).all()
    starred = (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    needs = plan.sizes()[~(starred & (problem.outliers == "suppress"))]
    assert (needs >= 2).all()
    assert solution.bound.checked <= solution.bound.value <= plan.cost(problem)
    types = problem.types
    table = Table(
        codes=types.codes,
        counts=types.counts,
        levels=problem.levels,
        mask=AnyMask(problem.patterns.allows)
        if mask is None
        else MaskReading(mask.to_dict(), problem.columns, problem.patterns.heights),
        k=2,
        outliers=problem.outliers,
        scale=1,
    )
    found = recheck(table, solution.certificate, plan.cost(problem))
    assert not found.violations
    assert found.lower_bound >= solution.bound.checked
    return solution


@pytest.mark.parametrize("name", ["matching", "matching_local", "matching_textbook"])
def test_registered_solvers_find_the_optimum_of_small_problems(name):
    solver = load("solvers", name)()
    assert solver.name == name
    for seed in range(scaled(30)):
        drawn = draw("mask" if seed % 2 else "plain", 900 + seed, (3, 9))
        best = least(drawn.types.codes, drawn.types.counts, drawn.levels, drawn.vectors, drawn.outliers)
        assert solver.declines(drawn.problem) is None
        if best is None:
            with pytest.raises(Infeasible):
                solver.solve(drawn.problem, Watch())
            continue
        solution = solver.solve(drawn.problem, Watch())
        assert solution.plan.cost(drawn.problem) == best >= solution.bound.value


def test_other_k_and_requirements_are_declined_with_the_reason():
    assert "k=2 only" in Matching().declines(stars([[0], [1], [2]], k=3))

    class Never:
        name, summary = "never", "never"

        def describe(self):
            return "never met"

        def share_limit(self):
            return None

        def least_values(self):
            return None

    problem = stars([[0], [1]])
    asked = Problem(problem.types, problem.levels, problem.patterns, 2, "forbid", 1, (Never(),), ("c0",))
    assert "never met" in Matching().declines(asked)


def test_costs_beyond_what_kernels_add_up_are_declined():
    problem = stars([[0, 0], [1, 1]], weights=[3, 10**12])
    assert "digits" in Matching().declines(problem)
    # Large numbers with a common divisor are small ones.
    assert solved(stars([[0, 0], [1, 1]], weights=[10**12, 10**12])).plan.levels.sum() == 2


def test_expand_below_two_is_refused():
    with pytest.raises(PolicyError, match="at least 2, not 1"):
        Matching(expand=1)


def test_equal_rows_stay_as_they_are():
    for count in (2, 3, 7, 100_001):
        solution = solved(stars([[3, 1]], [count]))
        assert solution.plan.cost(stars([[3, 1]], [count])) == 0
        assert solution.status == "optimal"


def test_odd_number_of_rows_that_differ_everywhere_is_fully_starred():
    problem = stars([[i, i, i] for i in range(7)])
    solution = solved(problem)
    assert solution.plan.cost(problem) == 21
    assert solution.status == "optimal"


def test_weights_of_zero_cost_nothing():
    problem = stars([[i, i % 2] for i in range(9)], weights=[0, 0])
    assert solved(problem).plan.cost(problem) == 0
    problem = stars([[i, i % 2] for i in range(10)], weights=[0, 5])
    assert solved(problem).plan.cost(problem) == 0


def test_two_hundred_columns_are_no_obstacle():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (21, 200))
    codes[1::2] = codes[:-1:2]
    codes[1::2, :7] = rng.integers(0, 3, (10, 7))
    problem = stars(codes)
    free = solved(problem)
    assert free.status == "optimal"
    masked = stars(codes, mask=Mask(max_stars=8))
    solution = solved(masked, mask=Mask(max_stars=8))
    assert solution.status == "optimal"
    assert solution.plan.cost(masked) >= free.plan.cost(problem)


def test_mask_that_allows_no_pair_is_infeasible_and_proven():
    mask = Mask(keep=["c0"], full_suppression=False)
    with pytest.raises(Infeasible) as caught:
        Matching().solve(stars([[i, 0] for i in range(6)], mask=mask), Watch())
    assert caught.value.proven
    with pytest.raises(Infeasible) as caught:
        Matching().solve(stars([[i // 2, i] for i in range(7)], mask=mask), Watch())
    assert caught.value.proven


def test_a_single_fully_suppressed_row_needs_company_unless_outliers_are_suppressed():
    mask = Mask(max_stars=1)
    codes = [[0, 0, 0], [0, 0, 1], [5, 5, 5]]
    forbid, suppress = stars(codes, mask=mask), stars(codes, mask=mask, outliers="suppress")
    assert solved(suppress).plan.outlier_rows(suppress) == 1
    assert solved(suppress).plan.cost(suppress) == 2 + 3
    assert solved(forbid).plan.cost(forbid) == 9


@pytest.mark.few(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_stopping_at_any_moment_leaves_a_release_and_a_bound(family):
    class Stops(Watch):
        """Says stop from the n-th time it is asked."""

        asked = 0
        limit_ = 0

        @property
        def stopped(self):
            self.asked += 1
            return self.asked > self.limit_

    for limit in (0, 1, 2, 4, 7, 12):
        for seed in range(6):
            drawn = draw(family, 40 + seed, (6, 9))
            if drawn.sens is not None:
                continue
            best = least(drawn.types.codes, drawn.types.counts, drawn.levels, drawn.vectors, drawn.outliers)
            watch = Stops()
            watch.limit_ = limit
            try:
                solution = Matching().solve(drawn.problem, watch)
            except Infeasible as error:
                assert best is None or not error.proven
                continue
            assert best is not None
            assert solution.bound.value <= best <= solution.plan.cost(drawn.problem)
