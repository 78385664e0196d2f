"""JSON from outside is read in one way or not at all."""

import pytest

from incrowd.strict_json import read_json


def test_json_is_read():
    assert read_json('{"a": [1, 2.5, null, true], "b": {"a": "x"}}') == {"a": [1, 2.5, None, True], "b": {"a": "x"}}


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '[{"a": 1, "a": 1}]', "NaN", "[-Infinity]", "{'a': 1}", ""])
def test_a_name_that_stands_twice_and_what_is_no_json_are_refused(text):
    with pytest.raises(ValueError):
        read_json(text)


def test_endless_nesting_is_refused_and_no_crash():
    with pytest.raises((RecursionError, ValueError)):
        read_json("[" * 100_000)
