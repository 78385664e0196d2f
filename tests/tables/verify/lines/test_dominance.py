from __future__ import annotations

import numpy as np
import pytest

from incrowd.check.exact import Unreadable
from incrowd.tables.values import Levels
from incrowd.tables.verify import lines
from incrowd.tables.verify.lines import Vectors


def stars(weights, values=3):
    up = np.stack([np.arange(values), np.zeros(values)]).astype(np.int32)
    return [Levels(up, np.stack([np.zeros(values), np.full(values, w)]).astype(np.int64)) for w in weights]


def matters(vectors, vector, lowest, ranks=None):
    ranks = np.zeros((1, len(vector)), np.int64) if ranks is None else np.array([ranks])
    return bool(vectors.matter(vector, np.array([lowest]), ranks)[0])


def test_an_instance_at_its_own_lowest_vector_matters():
    vectors = Vectors(stars([1, 1]), lambda vector: True)
    assert matters(vectors, (1, 0), (1, 0))
    assert not matters(vectors, (1, 1), (1, 0))


def test_of_vectors_above_one_that_is_not_allowed_the_first_matters():
    """By cost, then stars, then order."""
    vectors = Vectors(stars([1, 1, 3]), lambda vector: vector not in ((0, 0, 0), (1, 0, 0)))
    assert [tuple(v) for v in vectors.allowed.tolist()] == sorted(vectors.known)
    assert matters(vectors, (0, 1, 0), (0, 0, 0))
    assert not matters(vectors, (0, 0, 1), (0, 0, 0))  # dearer
    assert matters(vectors, (1, 1, 0), (1, 0, 0))
    assert not matters(vectors, (1, 0, 1), (1, 0, 0))
    even = Vectors(stars([1, 1]), lambda vector: sum(vector) == 1)
    assert matters(even, (0, 1), (0, 0))
    assert not matters(even, (1, 0), (0, 0))  # later
    free = Vectors(stars([0, 0]), lambda vector: any(vector))
    assert not matters(free, (1, 1), (0, 0))  # as cheap, with more stars


def test_where_values_of_a_column_cost_differently_the_rows_decide(monkeypatch):
    """The same two vectors come in another order for the rows of another value; some instances at a time."""
    monkeypatch.setattr(lines, "PAIRS", 1)
    up = np.array([[0, 1, 2], [0, 0, 1], [0, 0, 0]], np.int32)
    cost = np.array([[0, 0, 0], [2, 2, 0], [5, 5, 5]], np.int64)
    vectors = Vectors([Levels(up, cost), *stars([1])], lambda vector: vector in ((1, 0), (0, 1)))
    found = vectors.matter((1, 0), np.zeros((3, 2), np.int64), np.array([[0, 0], [2, 1], [1, 2]]))
    assert found.tolist() == [False, True, False]
    found = vectors.matter((0, 1), np.zeros((3, 2), np.int64), np.array([[0, 0], [2, 1], [1, 2]]))
    assert found.tolist() == [True, False, True]


def test_too_many_vectors_are_not_listed(monkeypatch):
    monkeypatch.setattr(lines, "MOST_VECTORS", 3)
    with pytest.raises(Unreadable, match="4 level vectors"):
        Vectors(stars([1, 1]), lambda vector: True)
