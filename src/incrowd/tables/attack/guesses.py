"""The best guess at every hidden cell: by what rows like it show, and by the column alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.classes.joins import row_keys

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.values import AttackColumn, Exclusions, Released
    from incrowd.tables.values import Int32, Int64

__all__ = ["best_guesses", "column_guesses"]


def column_guesses(released: Released) -> Int32:
    """Return the value that most rows of the release show, among those below each hidden cell, shape (u, m).

    -1 for a cell that is not hidden. This is the baseline: it knows neither the other columns nor any rule.
    """
    guess = np.full((released.unit_class.size, released.m), -1, np.int32)
    for j, column in enumerate(released.columns):
        best = np.stack([_most(column, column.shown, level) for level in range(column.levels.height + 1)])
        found = np.where(released.levels[:, j] > 0, best[released.levels[:, j], released.reps[:, j]], -1)
        guess[:, j] = found[released.unit_class]
    return guess


def _most(column: AttackColumn, shown: Int64, level: int) -> Int64:
    """Return for each value the most shown of those below its node at a level."""
    up = column.levels.up[level]
    order = np.lexsort((np.arange(column.size), -shown, up))
    first = np.searchsorted(up[order], np.arange(int(up.max(initial=0)) + 1))
    return np.asarray(order[np.minimum(first, column.size - 1)][up], np.int64)


def best_guesses(released: Released, excluded: Exclusions, watch: Watch) -> Int32:
    """Return the best guess at every hidden cell, -1 elsewhere, shape (u, m).

    Of the values that are not excluded it is the one that most rows show which show no less than the cell's class in
    any column and agree with it there; where there is none, the one that most rows of the release show.

    `excluded` is what rules exclude, whatever their premise. The watch ends the look at rows alike; what is left is
    guessed by the column. It takes O(p c m) for p patterns in use and c classes.
    """
    guess = np.full((released.unit_class.size, released.m), -1, np.int32)
    unit_of = np.searchsorted(released.unit_class, np.arange(released.sizes.size + 1))
    gone: dict[int, set[tuple[int, int]]] = {}
    for unit, j, value in zip(excluded.unit.tolist(), excluded.column.tolist(), excluded.value.tolist(), strict=True):
        gone.setdefault(j, set()).add((unit, value))
    whole = column_guesses(released)
    vectors, which = released.vectors
    for i, vector in enumerate(vectors):
        here = np.flatnonzero(which == i)
        hidden = np.flatnonzero(vector > 0)
        if not hidden.size:
            continue
        alike = np.flatnonzero((released.levels <= vector).all(axis=1)) if not watch.stopped else here[:0]
        keys = row_keys(released.nodes(np.concatenate((here, alike)), vector))
        for j in hidden:
            told = alike[released.levels[alike, j] == 0]
            by_class = _counts(keys, here, alike, told, released, int(j))
            for c, at in zip(here.tolist(), keys[: here.size].tolist(), strict=True):
                for unit in range(int(unit_of[c]), int(unit_of[c + 1])):
                    guess[unit, j] = _choice(released, unit, int(j), by_class.get(at), gone.get(int(j), set()), whole)
    return guess


def _counts(
    keys: Int64, here: Int64, alike: Int64, told: Int64, released: Released, j: int
) -> dict[int, list[tuple[int, int]]]:
    """Return by key of a class the values that rows like it show in a column, the most shown first."""
    place = np.searchsorted(alike, told)
    key = keys[here.size :][place]
    wanted = np.isin(key, keys[: here.size])
    key, value, rows = key[wanted], released.reps[told[wanted], j], released.sizes[told[wanted]]
    pairs, back = np.unique(np.stack((key, value.astype(np.int64)), axis=1), axis=0, return_inverse=True)
    counted = np.bincount(back.reshape(-1), weights=rows, minlength=len(pairs)).astype(np.int64)
    found: dict[int, list[tuple[int, int]]] = {}
    for (at, one), n in zip(pairs.tolist(), counted.tolist(), strict=True):
        found.setdefault(at, []).append((-n, one))
    return {at: sorted(values) for at, values in found.items()}


def _choice(
    released: Released, unit: int, j: int, by_class: list[tuple[int, int]] | None, gone: set[tuple[int, int]],
    whole: Int32,
) -> int:  # fmt: skip
    for _, value in by_class or ():
        if (unit, value) not in gone:
            return value
    if (unit, int(whole[unit, j])) not in gone:
        return int(whole[unit, j])
    column, c = released.columns[j], int(released.unit_class[unit])
    left = [
        value
        for value in np.flatnonzero(column.below(int(released.levels[c, j]), int(released.reps[c, j]))).tolist()
        if (unit, value) not in gone
    ]
    return max(left, key=lambda value: (int(column.shown[value]), -value), default=-1)
