import pytest

from incrowd.tables.measures.loss import GeneralLoss
from incrowd.tables.measures.suppressed_cells import SuppressedCellCount

ROWS = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "c")]


def test_a_node_costs_the_share_of_the_other_values_below_it(release_of):
    # level 1 shows {1, 2} and {3, 4}: one of the three other values
    made = release_of(ROWS, [(1, 0), (2, 0), (0, 0), (1, 1)], heights=(2, 1))
    assert made.measure(GeneralLoss()) == pytest.approx((1 / 3 + 1 + 0 + 1 / 3 + 1) / 8)


def test_stars_alone_are_the_suppressed_share(release_of):
    made = release_of(ROWS, [(1, 0), (1, 0), (0, 1), (1, 1)])
    assert made.measure(GeneralLoss()) == made.measure(SuppressedCellCount())["fraction"] == 5 / 8


def test_a_star_in_a_column_of_one_value_costs_one_as_it_does_in_the_cost(release_of):
    assert release_of([("1",), ("1",)], [(1,), (0,)]).measure(GeneralLoss()) == 1 / 2
    assert release_of([("1",), ("1",)], [(2,), (1,)], heights=(2,)).measure(GeneralLoss()) == 1 / 2


def test_a_column_that_cannot_change_loses_nothing(release_of):
    assert release_of([("1",), ("1",)], [(0,), (0,)], heights=(0,)).measure(GeneralLoss()) == 0


def test_outliers_count_with_all_their_cells(release_of):
    made = release_of(ROWS, [(0, 0), (0, 0), (1, 1), (1, 1)], outliers="suppress")
    assert made.measure(GeneralLoss()) == 1 / 2
