"""Keys at which classes meet, against every pair of classes."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.kernels.crowds import meet
from incrowd.tables.classes_by_vector import ClassesByVector
from seeds import seeds

CHAIN = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
STAR = np.array([[0, 1, 2], [0, 0, 0]], np.int32)
UPS = [CHAIN, STAR]


def drawn(rng: np.random.Generator) -> ClassesByVector:
    """Some different classes, each a level vector with the nodes of a row."""
    found = set()
    for _ in range(int(rng.integers(1, 12))):
        levels = [int(rng.integers(up.shape[0])) for up in UPS]
        found.add(tuple((at, int(up[at, rng.integers(up.shape[1])])) for at, up in zip(levels, UPS, strict=True)))
    shown = np.array(sorted(found), np.int32)
    return ClassesByVector.of(shown[:, :, 0].astype(np.int8), np.ascontiguousarray(shown[:, :, 1]), UPS)


def vector_of(side: ClassesByVector, one: int) -> np.ndarray:
    return side.vectors[np.searchsorted(side.start, one, side="right") - 1]


@seeds(300)
def test_classes_meet_once_where_they_agree_at_the_higher_of_both_levels(seed):
    rng = np.random.default_rng(seed)
    a, b = drawn(rng), drawn(rng)
    pairs = np.array(list(itertools.product(range(len(a.vectors)), range(len(b.vectors)))), np.int64)
    keys, a_class, a_key, b_class, b_key = meet(
        pairs, a.vectors, b.vectors, a.offsets, a.nodes, b.nodes, a.start, b.start, 0
    )
    met = [(i, j) for i, x in zip(a_class, a_key, strict=True) for j, y in zip(b_class, b_key, strict=True) if x == y]
    expected = set()
    for i, j in itertools.product(range(len(a.nodes)), range(len(b.nodes))):
        at = a.offsets + np.maximum(vector_of(a, i), vector_of(b, j))
        if (a.nodes[i, at] == b.nodes[j, at]).all():
            expected.add((i, j))
    assert len(met) == len(set(met))
    assert set(met) == expected
    assert set(a_key.tolist()) == set(b_key.tolist()) == set(range(keys))


def test_more_classes_meet_than_the_first_arrays_hold():
    levels, nodes = np.zeros((5000, 1), np.int8), np.arange(5000, dtype=np.int32)[:, None]
    side = ClassesByVector.of(levels, nodes, [np.arange(5000, dtype=np.int32)[None, :]])
    pairs = np.zeros((1, 2), np.int64)
    keys, a_class, _, b_class, _ = meet(
        pairs, side.vectors, side.vectors, side.offsets, side.nodes, side.nodes, side.start, side.start, 7
    )
    assert keys == 5007
    assert sorted(a_class.tolist()) == sorted(b_class.tolist()) == list(range(5000))
