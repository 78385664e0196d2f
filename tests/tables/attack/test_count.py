"""What exclusions come to."""

from __future__ import annotations

import numpy as np

from incrowd.tables.attack.answer import counted, known_before
from incrowd.tables.attack.values import Exclusions
from oracles.small_attacks import held


def test_cells_mass_and_what_is_determined():
    rows = [(0, 0), (0, 0), (0, 1), (0, 1), (1, 2), (1, 2), (0, None), (0, None), (0, None)]
    released = held(rows, (2, 3))
    unit = int(np.flatnonzero(released.starred[:, 1])[0])
    one = counted(released, Exclusions.of(np.array([unit]), np.array([1]), np.array([0])))
    assert (one.cells(released), one.known(released), one.mean_mass(released)) == (3, 0, 1 / 3)
    two = counted(released, Exclusions.of(np.array([unit, unit]), np.array([1, 1]), np.array([0, 2])))
    assert (two.cells(released), two.known(released)) == (3, 3)
    opened = held(rows, (2, 3), closed=False)
    assert counted(opened, Exclusions.of(np.array([unit] * 2), np.array([1, 1]), np.array([0, 2]))).known(opened) == 0
    assert one.to_dict(released) == {"excluded": 3, "excluded_mass": 0.3333, "determined": 0}


def test_a_star_over_one_value_is_known_before():
    released = held([(0, None), (0, None), (1, None), (1, None)], (2, 1))
    assert known_before(released).sum() == 2
    assert not known_before(held([(0, None), (0, None)], (1, 2))).any()
