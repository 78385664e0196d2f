"""A release of one recoding for the whole table, in the terms of rules that speak of classes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.rules.labels import candidates
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from incrowd.tables.attack.values import Released

__all__ = ["at_one_vector"]


def at_one_vector(released: Released) -> tuple[Released, list[dict[str, int | str]]]:
    """Return a release with every shown class at the one vector, and the vectors left that a rule may turn to.

    `released` is as it is read, each class at the lowest levels that its cells allow. The mask of the release returned
    allows that vector and full suppression alone: whatever release of these rows uses no other is one of this recoding.
    Where no row is shown the vector is unknown, and full suppression alone is left. Where labels stand at several
    levels and the mask allows none of the lowest, its costs count as unknown, so that nothing is inferred from them.

    The list that is returned beside it holds ``recoding`` with the classes at other levels than the rest, if there are
    any.

    References
    ----------
    papers/attacks.md, "One recoding for the whole table".
    """
    shown = ~released.full
    if not shown.any():
        return _allowing(released, [released.top.tolist()]), []
    low, high = _readings(released)
    vector = low[shown].max(axis=0)
    outside = shown & (high < vector).any(axis=1)
    if outside.any():
        return released, [{"rule": "recoding", "classes": int(outside.sum())}]
    certain = released.patterns.allows(vector.tolist())
    if not certain:
        costs = [[int(cost) for cost in column.levels.cost.min(axis=1)] for column in released.columns]
        above = released.patterns.cheapest_above(vector.tolist(), costs)
        if above is None or (np.array(above) > high[shown].min(axis=0)).any():
            return released, [{"rule": "mask", "classes": int(shown.sum())}]
        vector = np.array(above, np.int8)
    levels = np.where(shown[:, None], vector[None, :], released.levels).astype(np.int8)
    allowed = [vector.tolist()]
    if released.patterns.allows_full_suppression:
        allowed.append(released.top.tolist())
    known = released.costs_known and certain
    return _allowing(dataclasses.replace(released, levels=levels, costs_known=known), allowed), []


def _allowing(released: Released, vectors: list[list[int]]) -> Released:
    """Return a release whose mask allows some vectors alone."""
    names = [column.name for column in released.columns]
    mask = Mask(patterns=[dict(zip(names, one, strict=True)) for one in vectors])
    patterns = mask.compile(names, [column.levels.height for column in released.columns])
    return dataclasses.replace(released, patterns=patterns)


def _readings(released: Released) -> tuple[np.ndarray, np.ndarray]:
    """Return lowest and highest levels at which each class stands for what it shows, shape (c, m) each."""
    high = released.levels.copy()
    for j, column in enumerate(released.columns):
        here = candidates(released, j)
        for level in range(1, column.levels.height):  # what is no star is not read at the top
            counts = np.bincount(column.levels.up[level], minlength=1)
            same = counts[column.levels.up[level, released.reps[:, j]]] == here
            high[same & (released.levels[:, j] < level), j] = level
    return released.levels, high
