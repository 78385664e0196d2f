from incrowd.tables.measures.precision import Precision

ROWS = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "c")]


def test_a_level_costs_its_share_of_the_height(release_of):
    made = release_of(ROWS, [(1, 0), (2, 0), (0, 0), (1, 1)], heights=(2, 1))
    assert made.measure(Precision()) == 1 - (1 / 2 + 1 + 0 + 1 / 2 + 1) / 8


def test_stars_alone_are_one_minus_the_suppressed_share(release_of):
    assert release_of(ROWS, [(1, 0), (1, 0), (0, 1), (1, 1)]).measure(Precision()) == 3 / 8


def test_nothing_changed_is_one_and_stars_everywhere_are_zero(release_of):
    assert release_of(ROWS, [(0, 0)] * 4).measure(Precision()) == 1
    assert release_of(ROWS, [(1, 1)] * 4, outliers="suppress").measure(Precision()) == 0


def test_a_column_that_cannot_change_loses_nothing(release_of):
    assert release_of(ROWS, [(0, 1)] * 4, heights=(0, 1)).measure(Precision()) == 1 / 2
