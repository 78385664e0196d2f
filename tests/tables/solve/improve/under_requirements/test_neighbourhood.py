"""Neighbourhoods: classes of a release, and rows that may move while all others stay."""

from __future__ import annotations

import numpy as np

from incrowd.tables.solve.improve.under_requirements.neighbourhood import around, freed
from incrowd.tables.solve.shared.row_assignment import holds
from oracles.classes_drawn import started
from seeds import seeds


def drawn(seed):
    """A release, a neighbourhood of it and what is near, or None."""
    made = started(seed, rows=25)
    if made is None:
        return None
    J, rows = made[1].instances, made[1].rows
    rng = np.random.default_rng(seed)
    near = rng.random(J.size) < 0.7
    held = np.bincount(J.owners, weights=rows, minlength=J.size) > 0
    classes = np.flatnonzero(held & (J.needs > 0))
    if not classes.size:
        return None
    first = int(rng.choice(classes))
    return J, rows, near, held, around(J, near, rows, first, int(rng.integers(2, 20)), rng), first


@seeds(60, 12)
def test_a_neighbourhood_is_of_open_classes_each_once(seed):
    made = drawn(seed)
    if made is None:
        return
    J, _, _, held, chosen, first = made
    assert chosen[0] == first
    assert np.unique(chosen).size == chosen.size
    assert (held & (J.needs > 0))[chosen].all()


@seeds(60, 12)
def test_all_rows_of_the_classes_are_free_and_other_classes_stay_as_they_are(seed):
    made = drawn(seed)
    if made is None:
        return
    J, rows, near, held, chosen, _ = made
    part = freed(J, near, rows, chosen)
    assert holds(part.instances, part.rows)
    assert (part.instances.counts > 0).all()
    assert (J.owners[part.places] == part.groups[part.instances.owners]).all()
    assert (J.members[part.places] == part.types[part.instances.members]).all()
    assert (part.rows <= rows[part.places]).all()
    inside = np.isin(J.owners, chosen)
    left = rows.copy()
    left[part.places] -= part.rows
    assert not left[inside].any()
    others = np.setdiff1d(part.groups, chosen)
    assert ((J.needs[others] == 0) | (near[others] & ~held[others])).all()
