"""In which columns a whole class could be shown finer at less cost, if all its rows agreed there."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Released
    from incrowd.tables.values import Int8

__all__ = ["Lowerings", "lowerings"]

MOST_TOGETHER = 3  # columns that are tried together where none of them can be lowered alone


@dataclass(frozen=True, slots=True, eq=False)
class Lowerings:
    """To which level each class could be lowered.

    Attributes
    ----------
    level : (c, m) int8
        The highest level below the one shown at which the rows of the class cannot all agree in this column alone; -1
        where nothing follows for the column alone.
    together : tuple of ((x,) int, (y,) int)
        Classes, and columns of which the rows do not agree in all (shown as they are) where they could only be lowered
        together.
    complete : bool
    """

    level: Int8
    together: tuple[tuple[NDArray[np.int64], tuple[int, ...]], ...]
    complete: bool


def lowerings(released: Released, watch: Watch, slack: int = 0) -> Lowerings:
    """Return to which levels classes could be lowered, were their rows to agree there.

    The watch ends it. `slack` is the scaled cost that the class, over all its rows, has to save more than.

    Notes
    -----
    Where the lower vector is not allowed itself, the cheapest allowed one above it is asked for; only where costs
    depend on levels alone. A class is lowered whole, so it stays as large and keeps its sensitive values; the class
    that it may join then must be able to take it, which every requirement closed under union grants. O(p m h) questions
    to the mask for p patterns, with costs that depend on nodes also per class.
    """
    c, m = released.levels.shape
    level = np.full((c, m), -1, np.int8)
    together: list[tuple[NDArray[np.int64], tuple[int, ...]]] = []
    if not all(requirement.closed_under_union for requirement in released.requirements):
        return Lowerings(level, (), complete=False)
    vectors, which = released.vectors
    costs = None  # where they depend on levels alone
    if all(column.levels.uniform for column in released.columns):
        costs = [[int(cost) for cost in column.levels.cost[:, 0]] for column in released.columns]
    # rows that need no crowd are a class that could be lowered only where they are k or more
    wide = released.sizes >= released.k
    for i, vector in enumerate(vectors):
        classes = np.flatnonzero((which == i) & wide)
        if watch.stopped:
            return Lowerings(level, tuple(together), complete=False)
        if not classes.size:
            continue
        hidden = [j for j in range(m) if vector[j] > 0]
        for j in hidden:
            for lower in range(int(vector[j]) - 1, -1, -1):
                asked = classes[level[classes, j] < 0]
                saved = _saved(released, asked, vector, {j: lower}, costs)
                level[asked[saved * released.sizes[asked] > slack], j] = lower
        for size in range(2, MOST_TOGETHER + 1):
            stuck = [j for j in hidden if (level[classes, j] < 0).any()]
            for columns in itertools.combinations(stuck, size):
                asked = classes[(level[classes][:, list(columns)] < 0).all(axis=1)]
                if any(set(known) < set(columns) for _, known in together):
                    continue
                saved = _saved(released, asked, vector, dict.fromkeys(columns, 0), costs)
                kept = asked[saved * released.sizes[asked] > slack]
                if kept.size:
                    together.append((kept, columns))
    return Lowerings(level, tuple(together), complete=True)


def _saved(
    released: Released,
    classes: NDArray[np.int64],
    vector: Int8,
    lowered: dict[int, int],
    costs: list[list[int]] | None,
) -> NDArray[np.int64]:
    """Return what a row of each class would surely save were some columns lowered, 0 where that is not allowed."""
    if not classes.size:
        return np.zeros(0, np.int64)
    wanted = [lowered.get(j, int(vector[j])) for j in range(released.m)]
    if released.patterns.allows(wanted):
        saved = np.zeros(classes.size, np.int64)
        for j, level in lowered.items():
            saved += _dear(released, classes, j, int(vector[j]), level)
        return np.maximum(saved, 0)
    if costs is None:
        return np.zeros(classes.size, np.int64)
    found = released.patterns.cheapest_above(wanted, costs)
    if found is None:
        return np.zeros(classes.size, np.int64)
    now = sum(costs[j][int(at)] for j, at in enumerate(vector))
    after = sum(costs[j][at] for j, at in enumerate(found))
    return np.full(classes.size, max(now - after, 0), np.int64)


def _dear(released: Released, classes: NDArray[np.int64], j: int, now: int, lower: int) -> NDArray[np.int64]:
    """Return what a column saves at least when lowered: its node's cost less that of the dearest node below."""
    held = released.columns[j]
    node = held.levels.up[now]
    dearest = np.zeros(int(node.max(initial=0)) + 1, np.int64)
    np.maximum.at(dearest, node, held.levels.cost[lower])
    shown = released.reps[classes, j]
    out: NDArray[np.int64] = held.levels.cost[now, shown] - dearest[node[shown]]
    return out
