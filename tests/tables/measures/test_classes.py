import pytest

from incrowd.tables.measures.classes import Classes

ROWS = [("1", "a"), ("1", "a"), ("2", "b"), ("2", "c"), ("2", "c"), ("3", "a"), ("4", "d")]
VECTORS = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1)]


def test_fully_suppressed_rows_are_a_class_where_outliers_are_forbidden(release_of):
    found = release_of(ROWS, VECTORS).measure(Classes())
    assert found == {"count": 3, "min": 2, "mean": 7 / 3, "max": 3, "outliers": 0}


def test_fully_suppressed_rows_are_outliers_where_they_may_be(release_of):
    found = release_of(ROWS, VECTORS, outliers="suppress").measure(Classes())
    assert found == {"count": 2, "min": 2, "mean": 2.5, "max": 3, "outliers": 2}


def test_without_a_class_there_is_no_least_size(release_of):
    found = release_of(ROWS, [(1, 1)] * 7, outliers="suppress").measure(Classes())
    assert found == {"count": 0, "min": None, "mean": None, "max": None, "outliers": 7}


def test_classes_that_read_alike_as_null_stay_apart(release_of):
    rows = [(None, "a"), ("1", "a"), ("2", "a")]
    found = release_of(rows, [(0, 0), (1, 0), (1, 0)], star=None).measure(Classes())
    assert found == {"count": 2, "min": 1, "mean": 1.5, "max": 2, "outliers": 0}


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_a_table_whose_columns_cannot_change_has_no_outliers(release_of, outliers):
    found = release_of([("1",), ("1",)], [(0,), (0,)], heights=(0,), outliers=outliers).measure(Classes())
    assert found == {"count": 1, "min": 2, "mean": 2.0, "max": 2, "outliers": 0}
