"""What is said of cells that show neither their value nor a star."""

from incrowd.report.text.recoding import words_of

RANGES = {"recoding": "ranges", "cost": 7, "suppressed_cells": 7, "measures": {"ncp": 0.25}}
LEVELS = {"recoding": "levels", "cost": 7, "suppressed_cells": 7}


def test_the_words_are_those_of_the_recoding_and_of_levels_where_none_is_named():
    assert words_of(RANGES).cell == "a range"
    assert words_of(LEVELS).cell == words_of({}).cell == "a coarser label"


def test_a_level_is_a_number_and_a_range_is_a_range():
    assert (words_of(LEVELS).level(2), words_of(LEVELS).mark(2)) == ("level 2", "2")
    assert (words_of(RANGES).level(1), words_of(RANGES).mark(1)) == ("range", "↔")
    assert "↔" in words_of(RANGES).legend and "number" in words_of(LEVELS).legend


def test_the_cost_of_levels_is_told_only_where_the_stars_do_not_say_it():
    assert words_of(LEVELS).cost(LEVELS) is None
    assert words_of(LEVELS).cost(LEVELS | {"cost": 9}) == (
        "cost with weights and labels: 9 (a star counts the weight of its column, a coarser label a part of it)"
    )


def test_the_cost_of_ranges_is_always_told_with_their_width():
    assert words_of(RANGES).cost(RANGES) == (
        "a cell that shows a range costs like a star, 7 in all; the ranges are 25.0% as wide as they could be "
        "(certainty penalty, NCP; less is better)"
    )
