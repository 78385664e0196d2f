"""Pairs of classes where a row of the first may fit the second at less cost."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.classes import CheaperPairs, row_keys
from oracles.attacked import random_question, released_of, worlds_by_release
from seeds import how_many


def test_keys_are_equal_where_rows_are():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, [3, 2**40, 2**40, 5], (300, 4))
    rows[150:] = rows[:150]
    keys = row_keys(rows)
    assert (keys[150:] == keys[:150]).all()
    assert np.unique(keys).size == np.unique(rows, axis=0).shape[0]


def test_the_pairs_are_those_found_by_looking_at_all():
    met = 0
    for seed in range(how_many(4, 2)):
        question = random_question(np.random.default_rng(seed), most=40)
        for shown in worlds_by_release(question, load("solvers", "greedy")(), Watch):
            released = released_of(shown, question)
            every = np.ones(released.sizes.size, np.bool_)
            found = {
                (int(s), int(t), pairs.finer, int(g))
                for pairs in CheaperPairs(released, every, released.m, Watch())
                for s, t, g in zip(pairs.source, pairs.target, pairs.gain, strict=True)
            }
            assert found == plain(released)
            met += len(found)
    assert met > 10


def plain(released):
    out = set()
    for s in range(released.sizes.size):
        for t in range(released.sizes.size):
            gain = int(released.costs[s] - released.costs[t])
            if s == t or gain <= 0 or (released.levels[s] == released.levels[t]).all():
                continue
            boxes = [
                [set(np.flatnonzero(column.below(int(released.levels[c, j]), int(released.reps[c, j]))))
                 for j, column in enumerate(released.columns)]
                for c in (s, t)
            ]  # fmt: skip
            if all(a & b for a, b in zip(*boxes, strict=True)):
                finer = tuple(np.flatnonzero(released.levels[t] < released.levels[s]).tolist())
                out.add((s, t, finer, gain))
    return out
