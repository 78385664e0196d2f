import math

import pytest

from incrowd.tables.measures.entropy import NonUniformEntropy


def test_a_star_hides_more_bits_of_a_rare_value_than_of_a_common_one(release_of):
    rows = [("1",)] * 6 + [("2",)] * 2
    common = release_of(rows, [(1,)] + [(0,)] * 7).measure(NonUniformEntropy())
    rare = release_of(rows, [(0,)] * 7 + [(1,)]).measure(NonUniformEntropy())
    everything = 6 * math.log2(8 / 6) + 2 * math.log2(8 / 2)
    assert common == pytest.approx({"bits": math.log2(8 / 6), "fraction": math.log2(8 / 6) / everything})
    assert rare == pytest.approx({"bits": 2.0, "fraction": 2 / everything})


def test_a_node_hides_only_what_is_below_it(release_of):
    # level 1 shows {1, 2} and {3, 4}: of the three rows below the first, one has the value 1
    rows = [("1",), ("2",), ("2",), ("3",), ("4",)]
    made = release_of(rows, [(1,), (0,), (1,), (0,), (2,)], heights=(2,))
    assert made.measure(NonUniformEntropy())["bits"] == pytest.approx(math.log2(3) + math.log2(3 / 2) + math.log2(5))


def test_nothing_changed_is_zero_and_stars_everywhere_are_the_whole(release_of):
    rows = [("1", "a"), ("2", "a"), ("3", "b")]
    assert release_of(rows, [(0, 0)] * 3).measure(NonUniformEntropy()) == {"bits": 0.0, "fraction": 0.0}
    assert release_of(rows, [(1, 1)] * 3).measure(NonUniformEntropy())["fraction"] == 1.0


def test_a_column_of_one_value_hides_nothing(release_of):
    assert release_of([("1",), ("1",)], [(1,), (1,)]).measure(NonUniformEntropy()) == {"bits": 0.0, "fraction": 0.0}


def test_outliers_count_with_all_their_cells(release_of):
    made = release_of([("1",), ("2",)], [(1,), (1,)], outliers="suppress")
    assert made.measure(NonUniformEntropy()) == {"bits": 2.0, "fraction": 1.0}
