"""Rows as numbers."""

from __future__ import annotations

import numpy as np

from incrowd.tables.usefulness import figures as module
from incrowd.tables.usefulness.figures import Features, can_learn, drawn
from usefulness_tables import coded


def test_a_shown_row_has_the_features_of_its_original_and_a_star_the_mean_of_all():
    lines = [("x", "1"), ("y", "3"), ("z", "5")]
    tables = coded(lines, [("x", "1"), ("*", "*")])
    features = Features(tables, [0, 1])
    assert (features.released(tables.released)[0] == features.original(tables.original)[0]).all()
    assert np.allclose(features.released(tables.released)[1], features.original(tables.original).mean(axis=0))


def test_numbers_are_between_nothing_and_one_and_missing_ones_in_the_middle():
    tables = coded([("1",), ("3",), ("5",)], [("1",)])
    assert Features(tables, [0]).original(tables.original)[:, -1].tolist() == [0, 0.5, 1]


def test_rows_are_drawn_by_how_many_are_like_each_and_not_too_many(monkeypatch):
    rng = np.random.default_rng(1)
    assert set(drawn(np.array([0, 5, 0]), rng).tolist()) == {1}
    monkeypatch.setattr(module, "MOST_ROWS", 7)
    assert drawn(np.array([50, 50]), rng).size == 7


def test_scikit_learn_is_looked_for_and_not_imported(monkeypatch):
    assert can_learn()
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    assert not can_learn()
