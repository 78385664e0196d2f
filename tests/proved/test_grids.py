from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from incrowd.proved.grids import on_grid
from incrowd.proved.program import ask
from incrowd.proved.question import Question
from incrowd.tables.values import Levels
from incrowd.tables.verify.bound.ranges import recount
from incrowd.tables.verify.bound.ranges.runs import TooManyRuns, all_runs
from oracles.grid import drawn, optimum
from proved.asked import labels_of
from seeds import how_many


def ranged(values, step, shown):
    rules = SimpleNamespace(cost="leaves", star_cost=lambda _: Fraction(1), steps={"age": Fraction(step)})
    lines = [(value, *(label if value in held else value for label, held in shown.items())) for value in values]
    return SimpleNamespace(rules=rules, hierarchies={"age": SimpleNamespace(shown=lambda: lines[::-1])})


def test_every_run_is_a_level_and_a_value_outside_shows_what_no_release_does():
    asked = ranged(["21", "24", "35", "52"], 10, {"< 30": {"21", "24"}, "30-39": {"35"}, ">= 30": {"35", "52"}})
    ladder, levels = on_grid(["21", "24", "35", "52"], asked, "age", 3)
    # cells 20-29, 30-39, 50-59: runs of one cell by cost, then those of two; the star costs three thirds
    assert ladder.labels == [
        [1, 10, 11, 7, 13, 9, 0], [2, 15, 16, 7, 18, 9, 0], [3, 5, 21, 22, 8, 9, 0], [4, 25, 6, 27, 8, 29, 0],
    ]  # fmt: skip
    assert levels.cost[[1, 2, 3, 4, 5, 6], [2, 3, 0, 2, 0, 0]].tolist() == [0, 0, 1, 1, 2, 3]
    assert levels.cost[0].tolist() == [0, 0, 0, 0]
    assert levels.cost[1, 0] > 2**60
    assert {label: ladder.number[label] for label in ("21", "52", "< 30", "30-39", ">= 30")} == {
        "21": 1, "52": 4, "< 30": 7, "30-39": 5, ">= 30": 8,
    }  # fmt: skip


def test_of_two_labels_for_the_same_values_one_alone_is_known():
    asked = ranged(["21", "24", "52"], 10, {"20-29": {"21", "24"}, "20-39": {"21", "24"}})
    ladder, _ = on_grid(["21", "24", "52"], asked, "age", 2)
    assert len({"20-29", "20-39"} & set(ladder.number)) == 1


def test_runs_that_are_too_many_to_be_listed_are_not():
    asked = ranged([f"{x}" for x in range(100, 200)], 1, {})
    with pytest.raises(TooManyRuns):
        on_grid([f"{x}" for x in range(100, 200)], asked, "age", 99)


def put(problem, numbers, claim, *, wide):
    """A problem before the program, and as the check sees it."""
    grids, levels, labels = [], list(problem.levels), labels_of(problem.levels)
    stars = [
        Levels(level.up[[0, -1]], level.cost[[0, -1]]) if j in numbers else level for j, level in enumerate(levels)
    ]
    for j, own in numbers.items():
        grid = recount.Grid(column=j, numbers=tuple(map(Fraction, own)), step=Fraction(*problem.ranges[j].step))
        runs = all_runs(grid, int(stars[j].cost.max()), wide=wide)
        d, r = runs.holds.shape
        rank = np.arange(1, d + 1)[:, None]
        labels[j] = np.hstack([rank, np.where(runs.holds, 0, rank * r) + np.arange(r) + d + 1, 0 * rank]).tolist()
        levels[j] = Levels(np.zeros(runs.cost.shape, np.int32), runs.cost)
        grids.append(grid)
    table = recount.RangedTable(
        codes=problem.types.codes, counts=problem.types.counts, levels=stars, grids=tuple(grids), k=problem.k,
        outliers=problem.outliers, scale=problem.scale, wide=wide,
        allows=None if problem.kinds is None else problem.kinds.allows,
    )  # fmt: skip

    def allows(vector):
        kinds = [
            2 if j in numbers and x == levels[j].height else min(x, 1) if j in numbers else x
            for j, x in enumerate(vector)
        ]
        return problem.kinds is None or problem.kinds.allows(tuple(kinds))

    rows = np.repeat(problem.types.codes, problem.types.counts, axis=0).astype(np.int64)
    rows = np.column_stack([rows, np.zeros(len(rows), np.int64)])
    return table, Question(
        k=problem.k, suppress=problem.outliers == "suppress", labels=labels, levels=levels, allows=allows, rows=rows,
        claim=claim,
    )  # fmt: skip


def test_bounds_of_ranges_are_those_of_the_check_and_never_above_the_least_cost(program):
    seen = Counter()
    for seed in range(how_many(1000, few=40)):
        rng = np.random.default_rng([79, seed])
        masked, wide = bool(rng.random() < 0.4), bool(rng.random() < 0.3)
        problem, numbers = drawn(rng, most_rows=6, ranged=int(rng.choice([1, 1, 2])), wide=wide, masked=masked)
        parts = int(rng.choice([1, 7]))
        claim = {"parts": parts, "prices": rng.integers(-2 * parts, parts * 8, problem.types.t).tolist()}
        table, question = put(problem, numbers, claim, wide=wide)
        bound, mine, least = ask(program, question).bound, recount._value(table, claim), optimum(problem)
        assert bound is not None
        if problem.kinds is None:
            assert bound == mine
        # under a mask the check counts instances below what is allowed too
        assert bound >= mine
        assert least is None or bound <= least
        seen[masked, least == bound] += 1
    assert all(seen.values())
    assert len(seen) > 2
