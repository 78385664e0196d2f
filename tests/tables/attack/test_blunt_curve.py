"""Claims counted on a plan, against every row of every class."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.attack.by_plan import blunt_curve, claims_of
from incrowd.tables.mask import Patterns
from incrowd.tables.solve.blunt import BUDGETS, blunted
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Levels, Plan, Problem, RowTypes
from seeds import seeds


def drawn(seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    sizes = (3, 6, 4)
    rows = np.stack([np.minimum(rng.geometric(0.4, 150) - 1, size - 1) for size in sizes], axis=1)
    codes, counts = np.unique(rows.astype(np.int32), axis=0, return_counts=True)
    levels = tuple(
        Levels(np.array([range(d), [0] * d], np.int32), np.array([[0] * d, [1] * d], np.int64)) for d in sizes
    )
    types = RowTypes(codes, counts.astype(np.int64), sizes)
    return Problem(types, levels, Patterns.of({}, ("a", "b", "c"), (1, 1, 1)), 2 + seed % 3, columns=("a", "b", "c"))


def plainly(problem: Problem, plan: Plan) -> tuple[int, int, float]:
    """Class by class and column by column: the values that a class with one star less shows."""
    m, types = problem.types.m, problem.types
    shown, held = {}, {}
    for one, g, rows in zip(plan.part_type.tolist(), plan.part_class.tolist(), plan.part_rows.tolist(), strict=True):
        cells = tuple(-1 if plan.levels[g, j] else int(types.codes[one, j]) for j in range(m))
        shown[cells] = shown.get(cells, 0) + rows
        held.setdefault(cells, []).append((types.codes[one], rows))
    claimed, wrong, chance = 0, 0, 0.0
    for cells, size in shown.items():
        for j in range(m):
            values = {v for v in range(types.sizes[j]) if cells[j] < 0 and (*cells[:j], v, *cells[j + 1 :]) in shown}
            if size <= problem.k or not values:
                continue
            claimed += size
            wrong += sum(rows for codes, rows in held[cells] if codes[j] in values)
            share = sum(int(types.counts[types.codes[:, j] == v].sum()) for v in values) / types.n
            chance += size * share
    return claimed, wrong, chance


@seeds(200)
def test_claims_and_their_fate_are_those_of_every_class(seed):
    problem = drawn(seed)
    best = Greedy().solve(problem, Watch())
    for plan in (best.plan, blunted(problem, best, 3, Watch()).plan):
        claimed, wrong, chance = claims_of(problem, plan, Watch())
        expected = plainly(problem, plan)
        assert (claimed, wrong) == expected[:2]
        assert abs(chance - expected[2]) < 1e-9


def test_the_curve_has_a_line_for_the_release_and_one_for_every_level():
    problem = drawn(1)
    best = Greedy().solve(problem, Watch())
    lines = blunt_curve(problem, best, Watch(), draws=3)
    assert [line["blunt"] for line in lines] == [None, *BUDGETS]
    cost = best.plan.cost(problem)
    assert lines[0]["cost"] == cost
    for line in lines[1:]:
        assert cost <= line["cost"] <= (1 + BUDGETS[line["blunt"]]) * cost
    stopped = Watch()
    stopped.interrupt()
    assert blunt_curve(problem, best, stopped) == []
