"""A few classes of a release with the rows that they may have had: what the refinement program decides about."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Levels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.attack.values import Released
    from incrowd.tables.values import Int64

__all__ = ["MOST_TYPES", "Part", "agreement", "part_around"]

MOST_CLASSES = 8
MOST_ROWS = 40  # of a part, but for its first class
MOST_TYPES = 300  # combinations of values that a row of the first class may have
MOST_BESIDE = 60  # and of the others: where there are more, a row is known to be one of its class and no more
SMALL = 24  # rows of a release that is taken whole


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some classes of a release, and every combination of values that a row of each may have.

    Attributes
    ----------
    released : Released
    classes : (p,) int64
        The one that is asked about first.
    types : tuple of (r, m) int64, one per class
        Codes; ``size of the column + i`` stands for an unknown value of the i-th class of the part, of which nothing is
        known but that its class shows it.
    levels : tuple of Levels, one per column
        With the unknown values behind the known ones; below what its class shows each is a node of its own.
    """

    released: Released
    classes: Int64
    types: tuple[Int64, ...]
    levels: tuple[Levels, ...]

    @property
    def sizes(self) -> Int64:
        """Rows of each class, shape (p,)."""
        return self.released.sizes[self.classes]

    def unknown(self, place: int) -> NDArray[np.bool_]:
        """Return which types of a class have an unknown value, shape (r,).

        Parameters
        ----------
        place : int
        """
        known = np.array([column.size for column in self.released.columns])
        return np.asarray((self.types[place] >= known).any(axis=1))

    def instance(self, place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return level vector and nodes that a class of the part shows.

        Parameters
        ----------
        place : int
        """
        return instance_of(self.released, int(self.classes[place]))

    def fitting(self, place: int, vector: tuple[int, ...], nodes: tuple[int, ...]) -> NDArray[np.bool_]:
        """Return which types of a class an instance shows, shape (r,).

        Parameters
        ----------
        place : int
        vector, nodes : tuple of int
        """
        out = np.ones(len(self.types[place]), np.bool_)
        for j, (at, node) in enumerate(zip(vector, nodes, strict=True)):
            out &= self.levels[j].up[at, self.types[place][:, j]] == node
        return out


def instance_of(released: Released, at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return level vector and nodes that a class shows.

    Parameters
    ----------
    released : Released
    at : int
    """
    vector = tuple(int(level) for level in released.levels[at])
    return vector, tuple(
        int(column.levels.up[level, released.reps[at, j]])
        for j, (column, level) in enumerate(zip(released.columns, vector, strict=True))
    )


def agreement(released: Released, at: int) -> NDArray[np.bool_]:
    """Return for each class and column whether a row of it may have the value of a row of one class, shape (c, m).

    Parameters
    ----------
    released : Released
    at : int
    """
    out = np.empty(released.levels.shape, np.bool_)
    for j, column in enumerate(released.columns):
        level = np.maximum(released.levels[:, j], released.levels[at, j])
        out[:, j] = column.levels.up[level, released.reps[:, j]] == column.levels.up[level, released.reps[at, j]]
    return out


def part_around(released: Released, at: int) -> Part | None:
    """Return a class with those whose rows it could most easily be shown with; None where it may have too many rows.

    Parameters
    ----------
    released : Released
    at : int

    Notes
    -----
    Any choice of classes is sound: whatever rows of the part could be exchanged, the others stay as they are. A small
    release is taken whole, so that all of its classes are asked about in one part; in others O(c m).
    """
    if released.rows <= SMALL and released.sizes.size <= MOST_CLASSES:
        types = [_types(released, c, c, MOST_TYPES) for c in range(released.sizes.size)]
        if all(one is not None for one in types):
            return _part(released, list(range(released.sizes.size)))
    if _types(released, at, 0, MOST_TYPES) is None:
        return None
    apart = released.m - agreement(released, at).sum(axis=1)
    order = np.lexsort((released.sizes, apart))[: 4 * MOST_CLASSES]
    chosen, rows = [at], 0
    for one in order.tolist():
        if one != at and len(chosen) < MOST_CLASSES and rows + released.sizes[one] <= MOST_ROWS:
            chosen.append(one)
            rows += int(released.sizes[one])
    return _part(released, chosen)


def _part(released: Released, classes: list[int]) -> Part:
    types = []
    for place, one in enumerate(classes):
        found = _types(released, one, place, MOST_BESIDE if place else MOST_TYPES)
        types.append(_coarse(released, one, place) if found is None else found)
    levels = tuple(_with_unknown(released, j, classes) for j in range(released.m))
    return Part(released, np.array(classes, np.int64), tuple(types), levels)


def _types(released: Released, at: int, place: int, most: int) -> Int64 | None:
    """Return the combinations that a row of a class may have; None where there are more than so many."""
    lists = []
    product = 1
    for j, column in enumerate(released.columns):
        level, rep = int(released.levels[at, j]), int(released.reps[at, j])
        values = np.flatnonzero(column.below(level, rep)).tolist() if level else [rep]
        if level and not column.closed:
            values.append(column.size + place)
        product *= len(values)
        if product > most:
            return None
        lists.append(values)
    return np.array(list(itertools.product(*lists)), np.int64).reshape(-1, released.m)


def _coarse(released: Released, at: int, place: int) -> Int64:
    """Return the one type of a class of which nothing is known but what it shows."""
    sizes = np.array([column.size for column in released.columns], np.int64)
    return np.where(released.levels[at] > 0, sizes + place, released.reps[at]).astype(np.int64)[None, :]


def _with_unknown(released: Released, j: int, classes: list[int]) -> Levels:
    """Return a column's levels with one unknown value for each class behind."""
    levels = released.columns[j].levels
    reps = released.reps[classes, j]
    own = levels.up.max(axis=1)[:, None] + 1 + np.arange(len(classes))[None, :]
    known = np.arange(levels.height + 1)[:, None] >= released.levels[classes, j][None, :]
    up = np.where(known, levels.up[:, reps], own)
    up[0] = np.where(known[0], reps, levels.up.shape[1] + np.arange(len(classes)))
    return Levels(
        np.concatenate((levels.up, up), axis=1).astype(np.int32),
        np.concatenate((levels.cost, levels.cost[:, reps]), axis=1),
    )
