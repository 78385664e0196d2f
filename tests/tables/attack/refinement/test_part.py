"""Classes with the rows that they may have had."""

from __future__ import annotations

import numpy as np

from incrowd.tables.attack.refinement import part as parts
from incrowd.tables.attack.refinement.part import agreement, instance_of, part_around
from oracles.small_attacks import held

ROWS = [(0, None), (0, None), (1, 0), (1, 0), (1, 0), (None, 2), (None, 2)]


def test_a_small_release_is_taken_whole_with_every_combination():
    released = held(ROWS, (2, 3))
    part = part_around(released, 0)
    assert part is not None and len(part.classes) == 3
    for place, at in enumerate(part.classes.tolist()):
        vector, nodes = instance_of(released, at)
        assert part.fitting(place, vector, nodes).all()
        assert len(part.types[place]) == int(np.prod([(1, d)[v] for v, d in zip(vector, (2, 3), strict=True)]))
        assert not part.unknown(place).any()


def test_an_open_column_has_one_unknown_value_that_only_its_class_shows():
    released = held(ROWS, (2, 3), closed=False)
    part = part_around(released, 0)
    assert part is not None
    at = released.levels.tolist().index([0, 1])
    place = part.classes.tolist().index(at)
    assert part.unknown(place).sum() == 1
    row = int(np.flatnonzero(part.unknown(place))[0])
    assert part.fitting(place, (0, 1), (0, 0))[row]
    assert not any(part.fitting(place, (0, 0), (0, value))[row] for value in range(3))


def test_classes_with_too_many_combinations_are_known_by_what_they_show_or_not_asked(monkeypatch):
    released = held(ROWS, (2, 3))
    monkeypatch.setattr(parts, "SMALL", 0)
    monkeypatch.setattr(parts, "MOST_BESIDE", 1)
    whole = part_around(released, released.levels.tolist().index([0, 1]))
    assert whole is not None
    assert len(whole.types[0]) == 3
    assert all(len(types) == 1 for types in whole.types[1:])
    monkeypatch.setattr(parts, "MOST_TYPES", 2)
    assert part_around(released, released.levels.tolist().index([0, 1])) is None


def test_rows_agree_where_they_may_have_the_same_value():
    released = held(ROWS, (2, 3))
    at = released.levels.tolist().index([0, 1])
    told = dict(zip(map(tuple, released.levels.tolist()), agreement(released, at).tolist(), strict=True))
    assert told == {(0, 1): [True, True], (0, 0): [False, True], (1, 0): [True, True]}
