from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.large.words import WIDTH, laid_out
from incrowd.tables.values import Levels
from oracles.problems import random_problem, types_of
from seeds import seeds


@seeds(200)
def test_two_row_types_have_the_same_words_under_a_mask_if_and_only_if_they_show_the_same_nodes(seed):
    rng = np.random.default_rng([91, seed])
    problem = random_problem(rng)
    codes, levels = problem.types.codes, problem.levels
    layout = laid_out(levels, [str(j) for j in range(len(levels))])
    words = np.zeros((problem.types.t, layout.words), np.int64)
    for j, (word, _) in enumerate(layout.place):
        words[:, word] += layout.shifted(j)[codes[:, j]]
    assert (layout.codes(list(words.T)) == codes).all()
    vector = [int(rng.integers(0, level.height + 1)) for level in levels]
    shown = words & np.array(layout.masks(vector), np.int64)
    nodes = np.stack([level.up[at, codes[:, j]] for j, (level, at) in enumerate(zip(levels, vector, strict=True))], 1)
    for i in range(problem.types.t):
        assert ((shown == shown[i]).all(axis=1) == (nodes == nodes[i]).all(axis=1)).all()


def test_columns_that_do_not_fit_into_a_word_begin_the_next_one():
    ups = np.stack([np.arange(1 << 15), np.zeros(1 << 15)]).astype(np.int32)
    wide = Levels(ups, np.zeros(ups.shape, np.int64))
    layout = laid_out([wide] * 5, list("abcde"))
    assert (layout.words, layout.place) == (2, ((0, 0), (0, 15), (0, 30), (0, 45), (1, 0)))
    assert max(layout.masks((0, 0, 0, 0, 0))) < 1 << WIDTH


def test_a_column_of_one_value_takes_no_bit_and_a_hierarchy_takes_those_of_its_widest_nodes():
    one = Levels(np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int64))
    up = np.array([[0, 1, 2, 3, 4], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]], np.int32)
    tree = Levels(up, np.zeros(up.shape, np.int64))
    layout = laid_out([one, tree], ["a", "b"])
    assert layout.bits == (0, 3)  # one of two, then one of three
    assert layout.dropped[1] == (0, 2, 3)


def test_a_hierarchy_beyond_a_word_is_refused_by_the_name_of_its_column():
    d = WIDTH + 2  # a chain in which every level splits one value off
    up = np.array([[max(v, level) for v in range(d)] for level in range(d)], np.int32)
    up = np.array([np.unique(line, return_inverse=True)[1] for line in up], np.int32)
    with pytest.raises(PolicyError, match=r"^column 'deep': its hierarchy takes 63 bits"):
        laid_out([Levels(up, np.zeros(up.shape, np.int64))], ["deep"])


def test_types_of_the_oracles_are_packed_in_the_order_of_their_columns():
    types = types_of([[0, 1], [1, 0], [1, 1]])
    levels = [Levels(np.array([[0, 1], [0, 0]], np.int32), np.array([[0, 0], [1, 1]]))] * 2
    layout = laid_out(levels, ["a", "b"])
    assert (layout.shifted(0)[types.codes[:, 0]] + layout.shifted(1)[types.codes[:, 1]]).tolist() == [2, 1, 3]
