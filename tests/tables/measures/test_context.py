"""What several measures share is counted once, and right."""

import dataclasses

import pytest

from incrowd.tables.measures.context import ClassSizes, cells_by_level, class_sizes

ROWS = [("1", "a"), ("1", "a"), ("2", "b"), ("2", "c"), ("2", "c"), ("3", "a"), ("4", "d")]
VECTORS = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1)]


def test_the_histogram_of_sizes_is_ordered_and_complete(release_of):
    made = release_of(ROWS, VECTORS)
    assert class_sizes(made.release, made.context).classes == ((2, 2), (3, 1))


def test_sizes_are_counted_once_for_each_release(release_of, monkeypatch):
    one, other = release_of(ROWS, VECTORS), release_of(ROWS, [(1, 1)] * 7)
    first = class_sizes(one.release, one.context)
    with monkeypatch.context() as patch:
        patch.setattr(type(one.release.table.engine), "fetch", None)  # nothing is asked again
        assert class_sizes(one.release, one.context) is first
    assert class_sizes(other.release, one.context).classes == ((7, 1),)


def test_a_context_is_the_same_whatever_was_counted_with_it(release_of):
    made = release_of(ROWS, VECTORS)
    fresh = dataclasses.replace(made.context, memo={})
    class_sizes(made.release, made.context)
    assert made.context.memo != fresh.memo
    assert [f.name for f in dataclasses.fields(fresh) if f.compare] == [
        f.name for f in dataclasses.fields(fresh) if f.name != "memo"
    ]


@pytest.mark.parametrize("heights", [(1, 1), (2, 1), (2, 0)])
def test_changed_and_starred_cells_are_those_of_the_levels(release_of, heights):
    vectors = [(min(a * (1 + i % 2), heights[0]), min(b, heights[1])) for i, (a, b) in enumerate(VECTORS)]
    made = release_of(ROWS, vectors, heights=heights)
    cells = [(level, top) for vector in vectors for level, top in zip(vector, heights, strict=True) if top]
    assert cells_by_level(made.release, made.context, "changed") == sum(level > 0 for level, _ in cells)
    assert cells_by_level(made.release, made.context, "starred") == sum(level == top for level, top in cells)


def test_classes_and_rows_are_the_sums_of_the_histogram():
    sizes = ClassSizes(((2, 3), (5, 1)), outliers=4)
    assert (sizes.count, sizes.rows) == (4, 11)
    assert (ClassSizes((), 0).count, ClassSizes((), 0).rows) == (0, 0)
