"""Triples, one a line."""

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.triples import TRIPLES


def test_the_same_name_in_two_columns_is_two_elements():
    given = TRIPLES.read("a a a\nb b b\n")
    assert (given.source.side, given.source.triples) == (2, ((0, 0, 0), (1, 1, 1)))
    assert given.labels == {"W": ("a", "b"), "X": ("a", "b"), "Y": ("a", "b")}


def test_elements_in_no_triple_are_declared():
    assert TRIPLES.read("w: a b\nX: a b\nY: a b\na a a\n").source.side == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no triple"),
        ("a b\n", "line 1 of the source has 2 words where a triple has three"),
        ("a b c\na b c\n", "line 2 of the source repeats the triple of line 1"),
        ("a b c\na b d\n", "must have equally many elements, and the source has 1, 1 and 2"),
        ("W: a\nb b b\n", "names W elements that were not declared"),
        ("a b c\nW: a\n", "declared once, before all triples"),
        ("a b nan\n", "NaN is no name of a Y element"),
    ],
)
def test_what_is_no_triple_is_one_sentence(text, said):
    with pytest.raises(InputError, match=said):
        TRIPLES.read(text)
