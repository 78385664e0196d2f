"""The order of patterns as one integer each."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask.patterns import Keys, lexicographic, tables
from oracle import masks as plain

HEIGHTS = (1, 3, 2)
COSTS = [[0, 2], [0, 0, 1, 2], [0, 1, 1]]
TIES = [[0, 1], [0, 2, 0, 1], [0, 0, 3]]


def key_of(keys, vector):
    return sum(cells[level] for cells, level in zip(keys.cells, vector, strict=True))


def test_keys_sort_as_cost_then_stars_then_ties_then_vectors_and_give_the_vector_back():
    every = list(itertools.product(*(range(top + 1) for top in HEIGHTS)))
    keys = Keys.of(HEIGHTS, COSTS, TIES)
    ordered = sorted(every, key=lambda vector: key_of(keys, vector))
    assert ordered == plain.by_cost(every, HEIGHTS, COSTS, TIES)
    numbers = [key_of(keys, vector) for vector in ordered]
    assert len(set(numbers)) == len(every)
    assert [keys.vector(number) for number in numbers] == ordered
    assert keys.levels(numbers).tolist() == [list(vector) for vector in ordered]


def test_vectors_longer_than_a_word_sort_as_texts_of_levels_do():
    heights = (100,) * 20
    levels = np.random.default_rng(5).integers(0, 101, (50, 20)).astype(np.int8)
    numbers = lexicographic(heights, levels)
    assert len(numbers) > 1
    order = np.lexsort(numbers[::-1])
    assert levels[order].tolist() == sorted(levels.tolist())


def test_numbers_that_do_not_fit_columns_or_machine_are_refused():
    assert tables((1, 2), [[0, 1], [0, 1, 2]], "costs") == [[0, 1], [0, 1, 2]]
    with pytest.raises(ValueError, match="costs must hold"):
        tables((1, 2), [[0, 1], [0, 1]], "costs")
    with pytest.raises(PolicyError, match="62 bits"):
        tables((1,), [[0, 1 << 62]], "costs")
