"""How many values a label stands for."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.rules import Labels, candidates
from oracles.attacked import random_question, released_of, worlds_by_release
from oracles.small_attacks import held


def test_candidates_are_the_values_below():
    released = held([(0, None), (0, None)], (2, 3))
    assert candidates(released, 0).tolist() == [1]
    assert candidates(released, 1).tolist() == [3]
    assert not Labels().find(released, 0, Watch()).unit.size


def test_candidates_with_hierarchies_are_counted_one_by_one():
    question = random_question(np.random.default_rng(5), most=100)
    for shown in worlds_by_release(question, load("solvers", "greedy")(), Watch):
        released = released_of(shown, question)
        for j, column in enumerate(released.columns):
            plain = [
                int(column.below(int(at), int(rep)).sum())
                for at, rep in zip(released.levels[:, j], released.reps[:, j], strict=True)
            ]
            assert candidates(released, j).tolist() == plain
