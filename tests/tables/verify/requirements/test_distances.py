from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.verify.requirements.distances import line_of_numbers, line_of_ranks, matrix_of, tree_of

HALF = Fraction(1, 2)


def test_numbers_are_ranked_as_numbers_and_text_by_its_bytes():
    line = line_of_ranks(("10", "2", "30"), (), "x")
    assert (line.place.tolist(), line.steps) == ([1, 0, 2], [1, 1])
    line = line_of_ranks(("10", "2", "b"), (), "x")
    assert (line.place.tolist(), line.steps) == ([0, 1, 2], [1, 1])
    assert line_of_ranks(("1", "1.0", "3"), (), "x").place.tolist() == [0, 0, 1]


def test_an_order_holds_also_values_that_the_table_lacks():
    line = line_of_ranks(("high", "low"), ("low", "mid", "high"), "x")
    assert (line.place.tolist(), line.steps) == ([2, 0], [1, 1])


def test_numbers_lie_as_far_apart_as_they_are():
    line = line_of_numbers(("0.5", "1", "2"), "x")
    assert (line.place.tolist(), line.steps) == ([0, 1, 2], [1, 2])


def test_a_tree_is_its_lines_level_by_level():
    tree = tree_of(("a", "b", "c"), [("a", "p", "*"), ("c", "q", "*"), ("b", "p", "*")], "x")
    assert [level.tolist() for level in tree.nodes] == [[0, 1, 2], [0, 0, 1]]


def test_a_matrix_is_taken_in_the_order_that_it_names():
    found = matrix_of(("a", "b"), ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))), ("b", "a"), "x")
    assert (found.costs.tolist(), found.scale) == ([[0, 1], [1, 0]], 1)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: line_of_ranks(("1", None), (), "x"), "ordered distance: column 'x' has missing values"),
        (lambda: line_of_numbers((None, "1"), "x"), "numeric distance: column 'x' has missing values"),
        (lambda: line_of_numbers(("1", "two"), "x"), "1 of the 2 values of column 'x' is no number"),
        (lambda: line_of_ranks(("a", "b"), ("a",), "x"), "order lacks 1 of the 2 values of column 'x'"),
        (lambda: tree_of(("a", "b"), [("a", "*")], "x"), "has no line for 1 of its 2 values"),
        (lambda: matrix_of(("a", "b"), ((Fraction(0),),), (), "x"), "has 1 row, column 'x' has 2 values"),
        (lambda: matrix_of(("a",), ((Fraction(0),),), ("a", "b"), "x"), "order names 2 values,"),
        (
            lambda: matrix_of(("1", "1.0"), ((Fraction(0), HALF), (HALF, Fraction(0))), (), "x"),
            "equal numbers in two spellings",
        ),
        (
            lambda: matrix_of(("a", "b"), ((Fraction(0), HALF), (HALF, Fraction(0))), (), "x"),
            "its largest entry 1",
        ),
    ],
)
def test_values_that_a_distance_cannot_measure_are_refused_and_never_quoted(ask, said):
    with pytest.raises(PolicyError, match=said) as caught:
        ask()
    assert "two'" not in str(caught.value)
