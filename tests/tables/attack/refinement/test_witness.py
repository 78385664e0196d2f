"""From an original of a part to the exchanges that make its release cheaper."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.attack.refinement.exchange import Ground
from incrowd.tables.attack.refinement.part import instance_of, part_around
from incrowd.tables.attack.refinement.witness import cheaper_by
from oracles.small_attacks import held


def ground_of(released):
    classes = {instance_of(released, c): int(n) for c, n in enumerate(released.sizes)}
    part = part_around(released, 0)
    assert part is not None
    return Ground(part, classes, 0)


def rows_with(ground, codes):
    """Rows by type, from a list of rows by class."""
    out = [np.zeros(len(types), np.int64) for types in ground.part.types]
    for place, rows in codes.items():
        for row in rows:
            out[place][ground.part.types[place].tolist().index(list(row))] += 1
    return out


def test_two_pairs_that_share_their_values_would_have_been_shown_crosswise():
    ground = ground_of(held([(None, 0), (None, 0), (None, 1), (None, 1)], (2, 2)))
    zero = next(i for i in range(2) if ground.part.instance(i)[1][1] == 0)
    alike = rows_with(ground, {zero: [(0, 0), (0, 0)], 1 - zero: [(0, 1), (1, 1)]})
    found = cheaper_by(ground, alike, Watch())
    assert found and all(ground.pays(moves) for moves in found)
    apart = rows_with(ground, {zero: [(0, 0), (1, 0)], 1 - zero: [(0, 1), (1, 1)]})
    assert cheaper_by(ground, apart, Watch()) == []


def test_unknown_values_of_two_rows_are_not_alike():
    ground = ground_of(held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (1, 2), closed=False))
    place = next(i for i in range(2) if len(ground.part.types[i]) > 1)
    unknown = [ground.part.types[place].tolist()[int(np.argmax(ground.part.unknown(place)))]]
    assert cheaper_by(ground, rows_with(ground, {1 - place: [(0, 0)] * 2, place: unknown * 3}), Watch()) == []
    some = rows_with(ground, {1 - place: [(0, 0)] * 2, place: unknown * 2 + [(0, 0)]})
    assert cheaper_by(ground, some, Watch())
