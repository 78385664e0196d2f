import dataclasses

from incrowd.tables.measures.discernibility import Discernibility

ROWS = [("1", "a"), ("1", "a"), ("2", "b"), ("2", "c"), ("2", "c"), ("3", "a"), ("4", "d")]
VECTORS = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1)]


def test_a_class_costs_its_square(release_of):
    assert release_of(ROWS, VECTORS).measure(Discernibility()) == 2 * 2 + 3 * 3 + 2 * 2


def test_an_outlier_costs_the_whole_table(release_of):
    assert release_of(ROWS, VECTORS, outliers="suppress").measure(Discernibility()) == 2 * 2 + 3 * 3 + 2 * 7


def test_rows_that_all_differ_cost_one_each(release_of):
    rows = [(str(i),) for i in range(9)]
    assert release_of(rows, [(0,)] * 9).measure(Discernibility()) == 9
    assert release_of(rows, [(1,)] * 9).measure(Discernibility()) == 81


def test_squares_beyond_64_bits_are_exact(release_of):
    made = release_of(ROWS, VECTORS)
    many = 4_000_000_007
    parts = made.release.parts.mutate(rows=made.release.parts["rows"] * many)
    huge = dataclasses.replace(made.release, parts=parts)
    assert Discernibility().measure(huge, made.context) == (2 * 2 + 3 * 3 + 2 * 2) * many**2
