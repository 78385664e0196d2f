"""Sets, one a line."""

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.sets import SETS


def test_sets_keep_their_names_and_elements():
    given = SETS.read("# teams\nred: a b c\n b,c,d\n")
    assert (given.source.universe, given.source.sets) == (4, ((0, 1, 2), (1, 2, 3)))
    assert given.labels == {"elements": ("a", "b", "c", "d"), "sets": ("red", "2")}


def test_a_declared_universe_may_hold_what_no_set_does():
    assert SETS.read("universe: a b c\nS: a b\n").source.universe == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no set"),
        ("A:\n", "line 1 of the source is an empty set"),
        ("A: a a\n", "line 1 of the source names an element twice"),
        ("A: a\nA: b\n", "line 2 of the source gives two sets one name"),
        ("a b\nb a\n", "line 2 of the source repeats the set of line 1"),
        ("A: nan\n", "NaN is no name of an element"),
        ("universe: a\nA: b\n", "line 2 of the source names elements that were not declared"),
        ("A: a\nuniverse: a\n", "the universe is declared once, before all sets"),
    ],
)
def test_what_is_no_set_is_one_sentence(text, said):
    with pytest.raises(InputError, match=said):
        SETS.read(text)


def test_too_many_elements_are_refused():
    with pytest.raises(InputError, match="more than 5,000 elements"):
        SETS.read("\n".join(f"S{i}: " + " ".join(f"e{100 * i + j}" for j in range(100)) for i in range(51)))
