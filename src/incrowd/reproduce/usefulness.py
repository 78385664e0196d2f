"""Usefulness of the groups that an algorithm made, from the codes of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Int64, Problem

__all__ = ["LENGTH", "usefulness"]

# The span of a numeric column's places.
LENGTH = (1 << 30) - 1


def usefulness(problem: Problem, types: NDArray[np.integer], group: NDArray[np.integer], groups: int) -> float:
    """Return the mean over the groups of the diversity of their rows, as `incrowd.tables.measures.usefulness` does.

    Columns with `Problem.places` are numeric. `types` and `group` are (e,) int: row types with their groups.
    """
    total = 0.0
    for j, size in enumerate(problem.types.sizes):
        codes = problem.types.codes[types, j].astype(np.int64)
        line = problem.places[j] if problem.places else None
        if line is None:
            pairs = np.unique(group.astype(np.int64) * size + codes) // size
            total += float(np.bincount(pairs, minlength=groups).sum()) / size
        else:
            total += _spread(line, line[codes], group, groups)
    return total / groups


def _spread(line: Int64, at: Int64, group: NDArray[np.integer], groups: int) -> float:
    """Return the sum over the groups of a numeric column's diversity; 0 among the places is NULL."""
    numbers = line[line > 0]
    width = int(numbers.max() - numbers.min()) if numbers.size else 0
    low, high = np.full(groups, LENGTH + 2), np.zeros(groups, np.int64)
    known = at > 0
    np.minimum.at(low, group[known], at[known])
    np.maximum.at(high, group[known], at[known])
    null = np.zeros(groups, np.bool_)
    null[group[~known]] = True
    some = high > 0
    each = np.where(some & ~null, (high - low) / max(width, 1), 0.0)
    return float(np.where(some & null, 1.0, each).sum())
