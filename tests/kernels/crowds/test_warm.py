"""What is compiled beforehand is what composition calls."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.crowds.assignment import augment, begin
from incrowd.kernels.crowds.keys import meet
from incrowd.kernels.crowds.strong_parts import strong_parts
from incrowd.kernels.crowds.warm import warm
from incrowd.tables.attack import composition


def test_a_composition_compiles_nothing_more(monkeypatch):
    kernels = (meet, begin, augment, strong_parts)
    warm()
    compiled = [len(kernel.signatures) for kernel in kernels]
    phases = []

    def counted(*graph):
        phases.append(augment(*graph))
        return phases[-1]

    monkeypatch.setattr(composition, "augment", counted)
    up = np.array([[0, 1, 2, 3], [0, 0, 0, 0]], np.int32)
    # Whichever key comes first, it takes a row away that another one cannot do without.
    first = shown([(0, None), (None, 0), (1, None), (None, 2)])
    second = shown([(0, 0), (None, 1), (1, 2), (3, 2)])
    assert composition.joint_crowds(first, second, [up, up], same_people=True).possible
    assert phases
    assert [len(kernel.signatures) for kernel in kernels] == compiled
    assert all(compiled)


def shown(rows):
    """Classes of one row each; None is a star."""
    levels = np.array([[cell is None for cell in row] for row in rows], np.int8)
    nodes = np.array([[cell or 0 for cell in row] for row in rows], np.int32)
    return composition.ShownClasses(levels, nodes, np.ones(len(rows), np.int64))
