from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.milp import Outcome, Program, rows_of
from incrowd.milp.matching_lp import Growing, whole


def drawn(seed):
    """Sets over four lines with costs, singles among them, so that a cover always exists."""
    rng = np.random.default_rng(seed)
    sets = [{i} for i in range(4)] + [set(rng.choice(4, 2, replace=False).tolist()) for _ in range(5)]
    return sets, rng.integers(1, 9, len(sets)).astype(float)


def program_of(sets, cost):
    row, column = np.array([(i, s) for s, held in enumerate(sets) for i in sorted(held)]).T
    rows = rows_of([(row, column, np.ones(row.size))], [(np.ones(4), np.ones(4))])
    return Program(cost, np.zeros(cost.size), np.ones(cost.size), np.ones(cost.size, bool), rows)


def test_a_whole_program_has_the_least_exact_cover():
    for seed in range(15):
        sets, cost = drawn(seed)
        least = min(
            sum(cost[s] for s in chosen)
            for size in range(1, 5)
            for chosen in itertools.combinations(range(len(sets)), size)
            if sorted(i for s in chosen for i in sets[s]) == list(range(4))
        )
        answer = whole(program_of(sets, cost), abs_gap=0.0)
        assert answer.outcome is Outcome.OPTIMAL
        assert answer.objective == pytest.approx(least) == answer.bound
        assert whole(program_of(sets, cost), abs_gap=0.0, nodes=10**6).objective == pytest.approx(least)


def test_a_program_that_grew_is_the_program_made_at_once():
    for seed in range(15):
        sets, cost = drawn(seed)
        grown = Growing()
        assert grown.add_lines(1.0, 1.0, [np.zeros(0, int)] * 4).tolist() == [0, 1, 2, 3]
        grown.add_columns(cost[:4], np.arange(5), np.arange(4))
        first = grown.solve().objective
        lines = np.array([i for held in sets[4:] for i in sorted(held)])
        added = grown.add_columns(cost[4:], 2 * np.arange(6), lines)
        assert first == pytest.approx(cost[:4].sum()) and grown.columns == len(sets)
        answer = grown.solve()
        value = (answer.x * cost).sum()
        assert answer.objective == pytest.approx(value) == pytest.approx(answer.duals.sum())
        slack = [cost[s] - sum(answer.duals[i] for i in held) for s, held in enumerate(sets)]
        assert min(slack) > -1e-7
        grown.forbid(added)
        assert grown.solve().objective == pytest.approx(first)
        grown.change_costs(np.arange(4), 2 * cost[:4])
        assert grown.solve().objective == pytest.approx(2 * first)
