from incrowd.tables.measures.changed_cells import ChangedCellCount

ROWS = [("1", "a"), ("1", "b"), ("2", "c"), ("3", "c")]


def test_changed_is_every_level_above_zero(release_of):
    made = release_of(ROWS, [(1, 0), (1, 1), (2, 0), (0, 0)], heights=(2, 1))
    assert made.measure(ChangedCellCount()) == {"cells": 4, "fraction": 0.5}


def test_without_hierarchies_changed_cells_are_stars(release_of):
    made = release_of(ROWS, [(0, 1), (0, 1), (1, 1), (0, 0)])
    assert made.measure(ChangedCellCount()) == {"cells": 4, "fraction": 0.5}


def test_nothing_changed_is_zero(release_of):
    assert release_of(ROWS, [(0, 0)] * 4).measure(ChangedCellCount()) == {"cells": 0, "fraction": 0.0}
