from fractions import Fraction

import pytest

from incrowd.tables.verify.bound.ranges.recount import Grid
from incrowd.tables.verify.bound.ranges.runs import TooManyRuns, all_runs


def on(numbers, step, star, *, wide=False):
    return all_runs(Grid(column=0, numbers=tuple(map(Fraction, numbers)), step=Fraction(step)), star, wide=wide)


def test_runs_are_listed_by_cost_and_the_first_that_holds_values_is_their_shortest():
    numbers = [21, 24, 35, 52, 58]
    for wide in (False, True):
        runs = on(numbers, 10, 4 * 37, wide=wide)
        # six runs of three cells, but not all of them together
        assert runs.holds.shape == (5, 5)
        assert not runs.holds.all(axis=0).any()
        for column, paid in zip(runs.holds.T, runs.cost[1:-1], strict=True):
            held = [x for x, here in zip(numbers, column, strict=True) if here]
            whole = (held[-1] - held[0]) * 4 if wide else (len(held) - 1) * 37
            assert paid[column].tolist() == [whole] * len(held)
            assert (paid[~column] > 2**60).all()
            first = next(r for r in range(5) if runs.holds[column, r].all())
            assert runs.holds[:, first].tolist() == column.tolist()
        assert runs.cost[0].tolist() == [0] * 5
        assert runs.cost[-1].tolist() == [4 * 37] * 5


def test_too_many_runs_are_none():
    assert on(range(31), 1, 30).holds.shape[1] == 31 * 32 // 2 - 1
    with pytest.raises(TooManyRuns):
        on(range(32), 1, 31)
    with pytest.raises(TooManyRuns):
        on(range(9300), 310, 9299 * 7)
