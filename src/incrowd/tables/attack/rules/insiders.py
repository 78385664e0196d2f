"""What a member of a class, who knows their own values, learns of the others in it (P2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.rules.labels import candidates

if TYPE_CHECKING:
    from incrowd.tables.attack.classes.finer import Lowerings
    from incrowd.tables.attack.values import Exclusions, Released

__all__ = ["insiders"]

MOST_SIZES = 20  # class sizes told apart in the answer


def insiders(released: Released, found: Lowerings, excluded: Exclusions) -> dict[str, Any]:
    """Return what members of classes learn of one another.

    `found` says where not all rows of a class can agree, and `excluded` what is known from outside, under the same
    premise or a weaker one.

    In the result, ``cells`` are the hidden cells of which one other member, who knows their own value, excludes it for
    certain (classes of two), and ``determined`` those of them whose value is then known. ``together`` are the classes
    of two in which only some columns together are known to differ. ``by_size`` has per class size the cells of which
    all other members together exclude a value, and those that they then know.

    Notes
    -----
    Not all rows of a class agree where the class could be shown finer. A member of a class of two who holds v knows
    that the other does not, at the level at which it could be shown; of larger classes all other members have to
    agree and to put together what they know.

    References
    ----------
    papers/attacks.md, rule S2.
    """
    cells: dict[int, int] = {}
    known: dict[int, int] = {}
    left = np.zeros(0, np.int64)
    for j, column in enumerate(released.columns):
        learned = found.level[:, j] >= 0
        if not learned.any():
            continue
        possible = candidates(released, j).astype(np.int64)
        if column.closed:  # under requirements rows of a class may differ in what is known of them from outside
            left = possible if released.requirements else possible - _fewest_excluded(released, excluded, j)
        for size in np.unique(released.sizes[learned]):
            here = learned & (released.sizes == size)
            cells[int(size)] = cells.get(int(size), 0) + int(size) * int(here.sum())
            if column.closed:
                known[int(size)] = known.get(int(size), 0) + int(size) * int((left[here] == 2).sum())
    sizes = sorted(cells)[:MOST_SIZES]
    return {
        "cells": cells.get(2, 0),
        "determined": known.get(2, 0),
        "together": int(sum((released.sizes[classes] == 2).sum() for classes, _ in found.together)),
        "by_size": [{"size": size, "cells": cells[size], "determined": known.get(size, 0)} for size in sizes],
    }


def _fewest_excluded(released: Released, excluded: Exclusions, column: int) -> np.ndarray:
    """Return how many values are excluded in every unit of a class at least, shape (c,)."""
    here = excluded.column == column
    per_unit = np.bincount(excluded.unit[here], minlength=released.unit_class.size)
    fewest = np.full(released.sizes.size, np.iinfo(np.int64).max)
    np.minimum.at(fewest, released.unit_class, per_unit)
    return fewest
