"""The best guess at every hidden cell, held against counting rows one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.score import best_guesses, column_guesses
from incrowd.tables.attack.values import Exclusions
from oracles.attacked import random_question, released_of, worlds_by_release
from oracles.small_attacks import held


def plain(released, excluded, c, j):
    """Rows of classes that show no less and agree; then those of the column; the least value among equals."""
    below = set(
        np.flatnonzero(released.columns[j].below(int(released.levels[c, j]), int(released.reps[c, j]))).tolist()
    )
    left = {v for v in below if (c, j, v) not in excluded}
    alike, whole = Counter(), Counter({v: int(released.columns[j].shown[v]) for v in left})
    for d in range(released.sizes.size):
        shows = released.levels[d, j] == 0 and (released.levels[d] <= released.levels[c]).all()
        if (
            shows
            and (
                released.nodes(np.array([c, d]), released.levels[c])
                == released.nodes(np.array([c]), released.levels[c])
            ).all()
        ):
            alike[int(released.reps[d, j])] += int(released.sizes[d])
    told = {v: n for v, n in alike.items() if v in left} or whole
    return min((-n, v) for v, n in told.items())[1] if told else -1


def test_guesses_are_those_of_counting():
    met = 0
    for seed in (9, 11, 14):
        question = random_question(np.random.default_rng(seed), most=120)
        for shown in worlds_by_release(question, load("solvers", "greedy")(), Watch):
            released = released_of(shown, question)
            rng = np.random.default_rng(seed)
            cells = [(c, j) for c, j in zip(*np.nonzero(released.levels), strict=True) if rng.random() < 0.5]
            picked = np.array([[c, j, rng.integers(released.columns[j].size)] for c, j in cells], int).reshape(-1, 3)
            found = Exclusions.of(*picked.T)
            excluded = set(map(tuple, picked.tolist()))
            guess = best_guesses(released, found, Watch())
            for c, j in zip(*np.nonzero(released.levels), strict=True):
                assert guess[c, j] == plain(released, excluded, c, j)
                met += 1
            assert (guess[released.levels == 0] == -1).all()
    assert met > 50


def test_the_baseline_is_the_most_shown_value_of_the_column():
    released = held([(0, 2), (0, 2), (0, 1), (0, 1), (1, 2), (1, 2), (1, None), (1, None)], (2, 3))
    assert column_guesses(released).tolist() == [[-1, 2] if star else [-1, -1] for star in released.starred[:, 1]]


def test_a_stopped_look_guesses_by_the_column():
    released = held([(0, 2), (0, 2), (0, 2), (1, 1), (1, 1), (1, None), (1, None)], (2, 3))
    starred = int(np.flatnonzero(released.starred[:, 1])[0])
    watch = Watch()
    assert best_guesses(released, Exclusions.none(), watch)[starred, 1] == 1
    watch.limit(0)
    assert best_guesses(released, Exclusions.none(), watch)[starred, 1] == 2
