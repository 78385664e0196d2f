from incrowd.tables.measures.c_avg import AverageClassSize

ROWS = [("1", "a"), ("1", "a"), ("2", "b"), ("2", "c"), ("2", "c"), ("3", "a"), ("4", "d")]
VECTORS = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1), (1, 1), (1, 1)]


def test_the_mean_class_size_is_divided_by_the_k_asked_not_the_k_reached(release_of):
    assert release_of(ROWS, VECTORS, k=2).measure(AverageClassSize()) == 7 / 6
    assert release_of(ROWS, VECTORS, k=1).measure(AverageClassSize()) == 7 / 3


def test_outliers_are_in_no_class(release_of):
    assert release_of(ROWS, VECTORS, outliers="suppress").measure(AverageClassSize()) == 5 / 4


def test_without_a_class_there_is_no_average(release_of):
    assert release_of(ROWS, [(1, 1)] * 7, outliers="suppress").measure(AverageClassSize()) is None
