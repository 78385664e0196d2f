"""Rows moved one at a time, against lists of rows."""

from __future__ import annotations

import numpy as np

from incrowd.tables.mask import Patterns
from incrowd.tables.solve.blunt import MovableRows
from incrowd.tables.values import Levels, Plan, Problem, RowTypes
from seeds import seeds


def three_classes() -> tuple[Problem, Plan]:
    star = Levels(np.array([[0, 1, 2], [0, 0, 0]], np.int32), np.array([[0] * 3, [1] * 3], np.int64))
    types = RowTypes(np.array([[0], [1], [2]], np.int32), np.array([5, 4, 3], np.int64), (3,))
    problem = Problem(types, (star,), Patterns.of({}, ("a",), (1,)), 2, columns=("a",))
    levels = np.array([[0], [0], [1]], np.int8)
    plan = Plan(levels, np.array([0, 0, 1, 2], np.int32), np.array([0, 2, 1, 2], np.int32), np.array([4, 1, 4, 3]))
    return problem, plan


@seeds(50)
def test_moves_keep_every_row_and_a_class_without_rows_is_gone(seed):
    problem, plan = three_classes()
    rng, rows = np.random.default_rng(seed), MovableRows(problem, plan)
    held = [{0: 4}, {1: 4}, {0: 1, 2: 3}]
    for _ in range(6):
        low = int(rng.integers(2))
        if rng.random() < 0.2:
            assert rows.move_all(low, 2)
            for one, count in held[low].items():
                held[2][one] = held[2].get(one, 0) + count
            held[low] = {}
        elif sum(held[low].values()):
            assert rows.move(low, 2, float(rng.random()))
            held[low][low] -= 1
            held[2][low] = held[2].get(low, 0) + 1
        assert rows.sizes.tolist() == [sum(one.values()) for one in held]
        assert rows.showing(2, 0, 0, low) == held[2].get(low, 0)
        assert rows.showing(2, 0, 1, 0) == sum(held[2].values())
    made = rows.plan()
    left = [one for one in held if sum(one.values())]
    assert made.classes == len(left)
    assert made.sizes().tolist() == [sum(one.values()) for one in left]
    total = np.zeros(3, np.int64)
    np.add.at(total, made.part_type, made.part_rows)
    assert total.tolist() == [5, 4, 3]


class NoneOf:
    """A requirement that no class holds rows of one type twice."""

    rule = "test"

    def meets(self, group, kinds, rows, groups):
        ok = np.ones(groups, np.bool_)
        np.logical_and.at(ok, group, ~((kinds == 0) & (rows > 1)))
        return ok


def test_a_move_that_breaks_a_requirement_is_taken_back():
    problem, plan = three_classes()
    types = RowTypes(problem.types.codes, problem.types.counts, problem.types.sizes, np.array([0, 1, 2], np.int32))
    problem = Problem(types, problem.levels, problem.patterns, 2, columns=("a",), requirements=(NoneOf(),))
    rows = MovableRows(problem, plan)
    assert not rows.move(0, 2, 0.5)
    assert rows.sizes.tolist() == [4, 4, 4]
    assert rows.held(2) == {0: 1, 2: 3} or {one: n for one, n in rows.held(2).items() if n} == {0: 1, 2: 3}
    assert rows.move_all(1, 2)
