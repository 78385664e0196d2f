"""The table of a mask's words: complete, and each word true to itself in all its forms."""

import dataclasses

import pytest

from incrowd.tables.mask import Mask
from incrowd.tables.mask.vocabulary import WORDS

SAID = {
    "max_stars": 2,
    "keep": ["a"],
    "together": [["a", "b"]],
    "at_most_one": [["a", "b", "c"]],
    "never_together": [["b", "c"]],
    "max_level": {"a": 1},
    "full_suppression": False,
    "patterns": [["a"], {"b": 1}, []],
}


def test_the_table_holds_every_word_of_a_mask_in_the_order_of_its_settings():
    assert list(WORDS) == [setting.name for setting in dataclasses.fields(Mask)] == list(SAID)


@pytest.mark.parametrize("name", WORDS)
def test_a_value_is_frozen_and_comes_back_as_it_was_written(name):
    word = WORDS[name]
    frozen = word.settle(f"mask.{name}", SAID[name])
    hash(frozen)
    assert word.plain(frozen) == SAID[name]
    assert word.settle(f"mask.{name}", frozen) == frozen


@pytest.mark.parametrize("name", WORDS)
def test_a_word_that_names_columns_reads_those_columns_and_says_them(name):
    word, place = WORDS[name], {"a": 0, "b": 1, "c": 2}
    named = {column for column, _ in word.mentions(SAID[name])}
    machines = word.machines(SAID[name], place, [1, 1, 1])
    if named:
        assert {place[column] for column in named} <= set().union(*(machine.touches for machine in machines))
        assert all(column in " ".join(word.sentences(SAID[name])) for column in named)
    assert bool(machines) == (name != "full_suppression")
