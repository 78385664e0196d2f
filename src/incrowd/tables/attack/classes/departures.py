"""Which classes a row may leave and which may take it, so that both still meet what is required."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.attack.values import Released
    from incrowd.tables.values import Int64

__all__ = ["leavable", "may_leave", "meets_after", "units_of"]

MOST_PARTS = 30_000_000  # units listed at a time to judge classes with a row more or less


def may_leave(released: Released) -> NDArray[np.bool_]:
    """Return which classes are large enough for a row to leave, shape (c,)."""
    return np.asarray((released.sizes > released.k) | released.free | (released.sizes == 1))


def leavable(released: Released) -> NDArray[np.bool_]:
    """Return of which units a row may leave: its class stays large enough and meets what is required, shape (u,)."""
    allowed = may_leave(released)[released.unit_class]
    if released.requirements:
        asked = np.flatnonzero(allowed)
        allowed[asked] = meets_after(released, released.unit_class[asked], released.unit_kind[asked], -1)
    return allowed


def meets_after(
    released: Released, classes: NDArray[np.integer], kinds: NDArray[np.integer], change: int
) -> NDArray[np.bool_]:
    """Return which classes meet every requirement with one row of a kind more (1) or less (-1), shape (x,).

    `classes` and `kinds` are (x,) int: a class and a combination of sensitive values each. `change` is 1 or -1. It
    takes O(sum of the units of the classes asked); pairs beyond the stated number are answered False, which claims
    nothing.
    """
    result = np.ones(len(classes), np.bool_)
    if not released.requirements:
        return result
    pairs = np.stack((np.asarray(classes, np.int64), np.asarray(kinds, np.int64)), axis=1)
    pairs, back = np.unique(pairs, axis=0, return_inverse=True)
    begins = np.searchsorted(released.unit_class, np.arange(released.sizes.size + 1))
    units = np.diff(begins)[pairs[:, 0]]
    fits = np.cumsum(units) <= MOST_PARTS
    asked = np.flatnonzero(fits)
    group = np.repeat(np.arange(asked.size), units[asked])
    ends = np.cumsum(units[asked])
    place = np.arange(group.size) - np.repeat(ends - units[asked], units[asked]) + begins[pairs[asked, 0]][group]
    kind, rows = released.unit_kind[place].astype(np.int64), released.unit_rows[place].copy()
    if change < 0:
        rows[kind == pairs[asked, 1][group]] -= 1
    else:
        group = np.concatenate((group, np.arange(asked.size)))
        kind = np.concatenate((kind, pairs[asked, 1]))
        rows = np.concatenate((rows, np.ones(asked.size, np.int64)))
    kept = rows > 0
    met = np.ones(asked.size, np.bool_)
    for requirement in released.requirements:
        met &= requirement.meets(group[kept], kind[kept].astype(np.int32), rows[kept], asked.size)
    found: NDArray[np.bool_] = np.zeros(len(pairs), np.bool_)
    found[asked] = met
    return found[back.reshape(-1)]


def units_of(released: Released) -> Int64:
    """Return where the units of each class begin, and the end, shape (c + 1,)."""
    return np.searchsorted(released.unit_class, np.arange(released.sizes.size + 1)).astype(np.int64)
