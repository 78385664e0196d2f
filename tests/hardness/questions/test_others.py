"""Assignments, matchings and classes of rows are judged by their definition."""

import itertools

from incrowd.hardness.questions.others import ASSIGNMENT, CLASSES, MATCHING, PERFECT_MATCHING, STARS
from incrowd.hardness.sources.anonymity import Rows
from incrowd.hardness.sources.matching3d import NAMED as CUBES
from incrowd.hardness.sources.one_in_three import NAMED as FORMULAS
from oracles.hard import one_in_three


def test_assignments_are_those_of_the_truth_table():
    source = FORMULAS["example-1"]
    right = one_in_three(source.variables, source.clauses)
    for values in itertools.product((False, True), repeat=3):
        assert ASSIGNMENT.solves(source, values) == (values in right)
    assert not ASSIGNMENT.solves(source, right[0][:2])
    assert ASSIGNMENT.tell(source, (True, False, True), {}).facts == {"assignment": [1, -2, 3]}


def test_matchings_share_no_element_and_perfect_ones_hold_all():
    source = CUBES["cube"]
    for size in range(5):
        for some in itertools.combinations(range(4), size):
            apart = all(
                a != b
                for i, j in itertools.combinations(some, 2)
                for a, b in zip(source.triples[i], source.triples[j], strict=True)
            )
            assert MATCHING.solves(source, some) == apart
            assert (PERFECT_MATCHING.solves(source, some) and PERFECT_MATCHING.meets(source, some, None)) == (
                apart and size == 2
            )
    assert MATCHING.meets(source, (0, 1), 2)
    assert not MATCHING.meets(source, (0,), 2)
    names = {"W": ("a", "b"), "X": ("c", "d"), "Y": ("e", "f")}
    assert MATCHING.tell(source, (0,), names).lines == ("a c e",)


def test_classes_hold_every_row_once_and_k_of_them():
    source = Rows((("a", "b"), ("a", "c"), ("d", "c"), ("d", "c")), 2)
    assert CLASSES.solves(source, ((0, 1), (2, 3)))
    assert not CLASSES.solves(source, ((0,), (1, 2, 3)))
    assert not CLASSES.solves(source, ((0, 1), (1, 2, 3)))
    assert not CLASSES.solves(source, ((0, 1),))
    assert CLASSES.stars(source, ((0, 1), (2, 3))) == 2
    assert CLASSES.meets(source, ((0, 1), (2, 3)), 2)
    assert not CLASSES.meets(source, ((0, 1), (2, 3)), 1)
    assert CLASSES.tell(source, ((0, 1), (2, 3)), {}).facts == {"classes": [[1, 2], [3, 4]], "stars": 2}


def test_a_table_alone_is_asked_for_its_stars():
    assert STARS.solves(3, 10)
    assert STARS.meets(3, 9, None)
    assert not STARS.meets(3, 10, None)
    assert STARS.tell(3, 9, {}).sentence == "a release of 9 stars"
