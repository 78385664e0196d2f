"""Which rows may leave, and where they may go."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.tables.attack.classes import leavable, may_leave, meets_after, units_of
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.values import Domain, Sensitive
from oracles.small_attacks import held


def test_a_class_keeps_k_rows_or_vanishes():
    released = held([(0, 0), (0, 0), *[(1, 0)] * 3, (None, None)], (2, 1), outliers="suppress")
    by_size = dict(zip(released.sizes.tolist(), may_leave(released).tolist(), strict=True))
    assert by_size == {2: False, 3: True, 1: True}
    assert may_leave(held([(0,), (1,), (1,)], (2,), k=1)).all()


def test_classes_with_a_row_more_or_less_are_judged_as_by_counting():
    rng = np.random.default_rng(3)
    domain = Domain(Sensitive(np.array([[0], [1], [2]], np.int32), ("s",), (3,)), (("a", "b", "c"),), np.ones(3, int))
    requirement = LDiversity(l=2, column="s").bind(domain)
    counts = rng.integers(0, 4, (6, 3)) + np.eye(6, 3, dtype=int)
    unit_class, unit_kind = np.nonzero(counts)
    released = dataclasses.replace(
        held([(c,) for c in range(6) for _ in range(counts[c].sum())], (6,), k=1),
        unit_class=unit_class.astype(np.int32), unit_kind=unit_kind.astype(np.int32),
        unit_rows=counts[unit_class, unit_kind], requirements=(requirement,),
    )  # fmt: skip
    assert units_of(released)[-1] == unit_class.size
    for change in (1, -1):
        asked = [(c, s) for c in range(6) for s in range(3) if change > 0 or counts[c, s]]
        classes, kinds = np.array(asked).T
        after = [counts[c] + change * np.eye(3, dtype=int)[s] for c, s in asked]
        wanted = [row.sum() == 0 or 2 * row.max() <= row.sum() for row in after]
        assert meets_after(released, classes, kinds, change).tolist() == wanted
    less = {(c, s): ok for (c, s), ok in zip(asked, wanted, strict=True)}
    assert leavable(released).tolist() == [
        bool(less[int(c), int(s)] and may_leave(released)[c]) for c, s in zip(unit_class, unit_kind, strict=True)
    ]
