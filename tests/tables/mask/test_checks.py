"""What a mask refuses at birth."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import Mask


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"max_stars": -1}, ["mask.max_stars", "-1", "at least 0"]),
        ({"max_stars": True}, ["mask.max_stars", "True"]),
        ({"max_stars": 1.5}, ["mask.max_stars", "1.5"]),
        ({"max_stars": "2"}, ["mask.max_stars", "'2'"]),
        ({"keep": 3}, ["mask.keep", "3"]),
        ({"keep": {"a": 1}}, ["mask.keep", "{'a': 1}"]),
        ({"keep": {"a"}}, ["mask.keep", "{'a'}"]),
        ({"keep": ["a", 2]}, ["mask.keep", "2"]),
        ({"keep": ["a", ""]}, ["mask.keep", "''"]),
        ({"keep": ["a", "b", "a"]}, ["mask.keep", "'a'", "twice"]),
        ({"together": [["a", "a"]]}, ["mask.together", "'a'", "twice"]),
        ({"together": [["a"]]}, ["mask.together", "at least 2", "['a']"]),
        ({"at_most_one": ["a"]}, ["mask.at_most_one", "at least 2", "['a']"]),
        ({"at_most_one": [[]]}, ["mask.at_most_one", "at least 2", "[]"]),
        ({"at_most_one": "a,b"}, ["mask.at_most_one", "'a,b'"]),
        ({"at_most_one": [["a", "b"], "c"]}, ["mask.at_most_one", "mixes", "'c'"]),
        ({"never_together": [["a"]]}, ["mask.never_together", "keep"]),
        ({"max_level": {"a": -2}}, ["mask.max_level.a", "-2", "at least 0"]),
        ({"max_level": ["a"]}, ["mask.max_level", "['a']"]),
        ({"max_level": [("a", 1), ("a", 2)]}, ["mask.max_level", "'a'", "twice"]),
        ({"full_suppression": 1}, ["mask.full_suppression", "1", "true or false"]),
        ({"patterns": []}, ["mask.patterns", "at least 1"]),
        ({"patterns": [["a", "a"]]}, ["mask.patterns", "'a'", "twice"]),
        ({"patterns": [{"a": "b"}]}, ["mask.patterns.a", "'b'"]),
        ({"patterns": [["a"], "b"]}, ["mask.patterns", "mixes"]),
        ({"patterns": 4}, ["mask.patterns", "4"]),
    ],
)
def test_bad_values_are_refused_at_birth_with_value_and_range(setting, words):
    with pytest.raises(PolicyError) as refused:
        Mask(**setting)
    assert all(word in str(refused.value) for word in words), str(refused.value)


def test_a_listed_pattern_has_one_form_with_and_without_the_columns_that_stay():
    assert Mask(patterns=[{"a": 0, "b": 1}]) == Mask(patterns=[{"b": 1}])


def test_two_columns_are_enough_for_a_group():
    assert Mask(together=[["a", "b"]], at_most_one=[["a", "b"]]).together == (("a", "b"),)
