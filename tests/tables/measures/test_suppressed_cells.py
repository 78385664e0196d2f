import pytest

from incrowd.tables.measures.suppressed_cells import SuppressedCellCount

ROWS = [("1", "a"), ("1", "b"), ("2", "c"), ("3", "c")]


def test_stars_are_cells_at_the_top_level(release_of):
    made = release_of(ROWS, [(0, 1), (0, 1), (1, 0), (1, 0)])
    assert made.measure(SuppressedCellCount()) == {"cells": 4, "fraction": 0.5}


def test_a_generalized_cell_is_no_star(release_of):
    made = release_of(ROWS, [(1, 0), (1, 1), (2, 0), (2, 1)], heights=(2, 1))
    assert made.measure(SuppressedCellCount()) == {"cells": 4, "fraction": 0.5}


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_fully_suppressed_rows_count_with_all_their_cells(release_of, outliers):
    made = release_of(ROWS, [(0, 0), (0, 1), (1, 1), (1, 1)], outliers=outliers)
    assert made.measure(SuppressedCellCount()) == {"cells": 5, "fraction": 0.625}


def test_a_null_that_was_null_before_is_no_star_although_it_reads_like_one(release_of):
    made = release_of([(None, "a"), ("1", "a")], [(0, 0), (1, 0)], star=None)
    assert made.measure(SuppressedCellCount()) == {"cells": 1, "fraction": 0.25}


def test_a_split_type_counts_by_its_parts(release_of):
    made = release_of([("1", "a")] * 5, [(0, 0)] * 3 + [(1, 0)] * 2)
    assert made.measure(SuppressedCellCount()) == {"cells": 2, "fraction": 0.2}


def test_a_column_without_levels_holds_no_stars(release_of):
    made = release_of(ROWS, [(0, 1)] * 4, heights=(0, 1))
    assert made.measure(SuppressedCellCount()) == {"cells": 4, "fraction": 0.5}
    assert release_of([("1",)], [(0,)], heights=(0,)).measure(SuppressedCellCount())["cells"] == 0
