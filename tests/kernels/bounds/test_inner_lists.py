"""The flat arrays of inner problems against their definitions."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds import inner_classes
from incrowd.kernels.bounds.inner_classes import DISTINCT, EQUAL, SHARES
from oracles.inner_drawn import classes, drawn, per_value
from seeds import seeds


@seeds(200, 20)
def test_slots_are_the_values_that_an_instance_has(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, 4)
    begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    members = np.concatenate([np.sort(rng.choice(8, n, replace=False)) for n in sizes]).astype(np.int32)
    kinds, code = rng.integers(0, 5, 8).astype(np.int64), rng.integers(0, 4, 5).astype(np.int32)
    ordered = inner_classes.by_kind(begins, members, kinds)
    at, first, value = inner_classes.slots(begins, ordered, kinds, code, 4, 7)
    for g in range(4):
        here = ordered[begins[g] : begins[g + 1]]
        assert sorted(here.tolist()) == members[begins[g] : begins[g + 1]].tolist()
        assert (np.diff(kinds[here]) >= 0).all()
        mine = value[first[g] - 7 : first[g + 1] - 7]
        assert mine.tolist() == sorted(set(code[kinds[here]].tolist()))
        assert value[at[begins[g] : begins[g + 1]] - 7].tolist() == code[kinds[here]].tolist()


@seeds(300, 30)
def test_no_valid_class_has_more_rows_than_the_largest_class(seed):
    rng, _, rows, held, place = drawn(seed)
    family = (SHARES, DISTINCT, EQUAL)[seed % 3]
    share = rng.random(held.size) if family == SHARES else np.full(held.size, 1 / 3)
    t, least = float(rng.random() / 2), int(rng.integers(1, 4))
    begins = np.array([0, rows.size], np.int64)
    found = inner_classes.largest_classes(
        begins, np.arange(rows.size, dtype=np.int32), rows, np.array([rows.sum()]), np.array([family]),
        np.array([least]), np.array([t]), place.astype(np.int32)[None], np.array([[0, held.size]]), share,
    )[0]  # fmt: skip
    for taken in classes(rows):
        counts, size = per_value(taken, place, held.size), sum(taken)
        if family == SHARES:
            valid = all(c <= s * size for c, s in zip(counts, share, strict=True))
        elif family == DISTINCT:
            valid = sum(c > 0 for c in counts) >= least
        else:
            valid = sum(max(c - size / 3, 0) for c in counts) <= t * size
        assert not valid or size <= found
