import pytest

from incrowd.tables.measures.context import ClassSizes
from incrowd.tables.measures.risks import MEANINGS, ReidentificationRisks, risks_of, unique_rows

ROWS = [("1", "a"), ("1", "a"), ("2", "b"), ("2", "c"), ("2", "c"), ("3", "a"), ("4", "d")]
VECTORS = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1)]


def test_risks_by_hand(release_of):
    found = release_of(ROWS, VECTORS).measure(ReidentificationRisks())
    assert found["prosecutor"] == found["journalist"] == 1 / 2
    assert found["prosecutor_mean"] == found["journalist_mean"] == found["marketer"] == 3 / 7
    assert found["above"] == [
        {"threshold": 0.2, "rows": 7, "fraction": 1.0},
        {"threshold": 0.05, "rows": 7, "fraction": 1.0},
    ]
    assert found["unique_rows"] == 0


def test_the_mean_is_over_rows_and_not_over_classes(release_of):
    rows = [("1",)] + [("2",)] * 9
    found = release_of(rows, [(0,)] * 10, k=1).measure(ReidentificationRisks())
    assert found["prosecutor_mean"] == (1 + 9 * (1 / 9)) / 10
    assert found["prosecutor_mean"] != (1 + 1 / 9) / 2
    assert found["unique_rows"] == 1


def test_outliers_are_left_out(release_of):
    found = release_of(ROWS, VECTORS, outliers="suppress").measure(ReidentificationRisks())
    assert found["prosecutor"] == 1 / 2
    assert found["marketer"] == 2 / 5
    assert found["above"][0] == {"threshold": 0.2, "rows": 5, "fraction": 1.0}


def test_without_a_class_there_is_no_risk_to_state(release_of):
    found = release_of(ROWS, [(1, 1)] * 7, outliers="suppress").measure(ReidentificationRisks())
    assert found["prosecutor"] is None
    assert found["marketer"] is None
    assert found["above"][0] == {"threshold": 0.2, "rows": 0, "fraction": None}


@pytest.mark.parametrize(("size", "above"), [(4, 1), (5, 0), (6, 0)])
def test_a_risk_of_exactly_the_threshold_is_not_above_it(size, above):
    assert risks_of(ClassSizes(((size, 3),), 0))["above"][0]["rows"] == above * 3 * size


@pytest.mark.parametrize(("size", "above"), [(19, 1), (20, 0)])
def test_the_second_threshold_is_one_in_twenty(size, above):
    assert risks_of(ClassSizes(((size, 2),), 0))["above"][1]["rows"] == above * 2 * size


def test_unique_rows_are_the_classes_of_one():
    assert unique_rows(ClassSizes(((1, 4), (2, 9)), 7)) == 4
    assert unique_rows(ClassSizes(((2, 9),), 1)) == 0


def test_every_risk_is_explained():
    assert set(MEANINGS) == set(risks_of(ClassSizes(((1, 1),), 0)))
