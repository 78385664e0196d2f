from incrowd.tables.measures.ncp import CertaintyPenalty

ROWS = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "c")]


def test_stars_cost_one_each_and_the_mean_is_over_all_cells(release_of):
    made = release_of(ROWS, [(1, 0), (1, 0), (0, 1), (1, 1)])
    assert made.measure(CertaintyPenalty()) == 5 / 8


def test_nothing_changed_is_zero_and_stars_everywhere_are_one(release_of):
    assert release_of(ROWS, [(0, 0)] * 4).measure(CertaintyPenalty()) == 0
    assert release_of(ROWS, [(1, 1)] * 4).measure(CertaintyPenalty()) == 1


def test_a_node_costs_the_share_of_the_domain_below_it(release_of):
    # level 1 shows {1, 2} and {3, 4}: two of the four values, half the domain
    made = release_of(ROWS, [(1, 0), (2, 0), (0, 0), (1, 0)], heights=(2, 1))
    assert made.measure(CertaintyPenalty()) == (2 / 4 + 1 + 0 + 2 / 4) / 8


def test_a_node_with_a_single_value_below_it_costs_nothing(release_of):
    # of three values level 1 shows {1, 2} and {3}
    made = release_of([("1",), ("2",), ("3",)], [(1,), (1,), (1,)], heights=(2,))
    assert made.measure(CertaintyPenalty()) == (2 / 3 + 2 / 3 + 0) / 3


def test_a_star_costs_one_in_a_column_of_one_value_too(release_of):
    assert release_of([("1",), ("1",)], [(1,), (1,)]).measure(CertaintyPenalty()) == 1


def test_outliers_count_with_all_their_cells(release_of):
    made = release_of(ROWS, [(0, 0), (0, 0), (1, 1), (1, 1)], outliers="suppress")
    assert made.measure(CertaintyPenalty()) == 1 / 2


def test_a_value_counts_as_often_as_it_is_shown(release_of):
    made = release_of([("1",)] * 3 + [("2",)], [(1,), (0,), (0,), (0,)])
    assert made.measure(CertaintyPenalty()) == 1 / 4
