import dataclasses

import pytest

from incrowd.errors import OurBug
from incrowd.tables.measures.nodes import cells_shown, leaves_below, rows_below
from incrowd.tables.measures.precision import Precision
from made_releases import hierarchy

ROWS = [("1",), ("2",), ("2",), ("3",), ("4",)]


def test_cells_are_counted_by_level_and_value(release_of):
    made = release_of(ROWS, [(1,), (0,), (1,), (0,), (2,)], heights=(2,))
    (cells,) = cells_shown(made.release, made.context)
    assert cells.tolist() == [[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]]


def test_leaves_and_rows_below_a_node_are_those_that_share_it(release_of):
    import numpy as np

    level = hierarchy(5, 2)
    assert leaves_below(level).tolist() == [[1] * 5, [2, 2, 2, 2, 1], [5] * 5]
    assert rows_below(level, np.array([1, 2, 3, 4, 5])).tolist() == [[1, 2, 3, 4, 5], [3, 3, 7, 7, 5], [15] * 5]


def test_another_release_in_the_same_context_is_counted_anew(release_of):
    made = release_of(ROWS, [(0,)] * 5)
    first = cells_shown(made.release, made.context)
    assert cells_shown(made.release, made.context) is first
    doubled = made.release.parts.mutate(rows=made.release.parts["rows"] * 2)
    again = cells_shown(dataclasses.replace(made.release, parts=doubled), made.context)
    assert again[0].sum() == 2 * first[0].sum()


def test_a_context_without_row_types_is_our_bug(release_of):
    made = release_of(ROWS, [(0,)] * 5)
    with pytest.raises(OurBug):
        Precision().measure(made.release, dataclasses.replace(made.context, types=None))
