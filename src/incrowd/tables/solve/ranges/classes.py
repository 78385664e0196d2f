"""From parts of a plan to the instances that they show, and back: every class at its lowest nodes and shortest run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.ranged_plan import RangedPlan
from incrowd.tables.solve.ranges.lattice import Listed

if TYPE_CHECKING:
    from incrowd.tables.solve.ranges.lattice import RangeLattice
    from incrowd.tables.values import Int64

__all__ = ["Shown", "extents", "plan_of", "shown"]


class Shown:
    """What classes show.

    Parameters
    ----------
    vectors : (g, m - 1) int64
        Lowest levels of the other columns at which the rows of each class agree.
    ends : (g, 2) int64
        As in `Listed`.
    """

    def __init__(self, vectors: Int64, ends: Int64) -> None:
        self.vectors = vectors
        self.ends = ends


def shown(lattice: RangeLattice, types: Int64, group: Int64, groups: int) -> Shown:
    """Return what the classes of some parts show at the least cost.

    Parameters
    ----------
    lattice : RangeLattice
    types, group : (p,) int64
        Row type and class of each part; every class has a part.
    groups : int

    Notes
    -----
    O(p) for each level of each column.
    """
    order = np.argsort(group, kind="stable")
    types, group = types[order], group[order]
    first = types[np.searchsorted(group, np.arange(groups))]
    vectors = np.zeros((groups, len(lattice.others)), np.int64)
    for x, (start, height) in enumerate(zip(lattice.start.tolist(), lattice.heights, strict=True)):
        for level in range(height):
            line = lattice.nodes[start + level]
            apart = np.zeros(groups, np.bool_)
            apart[group[line[types] != line[first[group]]]] = True
            vectors[apart, x] = np.maximum(vectors[apart, x], level + 1)
    low, high = np.full(groups, np.iinfo(np.int64).max), np.full(groups, -1, np.int64)
    np.minimum.at(low, group, lattice.cell[types])
    np.maximum.at(high, group, lattice.cell[types])
    several = np.zeros(groups, np.bool_)
    several[group[lattice.value[types] != lattice.value[first[group]]]] = True
    ends = np.stack([np.where(several, low, -1), np.where(several, high, lattice.value[first])], axis=1)
    return Shown(vectors, ends.astype(np.int64))


def plan_of(lattice: RangeLattice, types: Int64, group: Int64, rows: Int64) -> RangedPlan:
    """Return the plan of some parts, classes that show the same made one.

    Parameters
    ----------
    lattice : RangeLattice
    types, group, rows : (p,) int64
        Row type, class and rows of each part; a class of -1 is suppressed whole.
    """
    problem, j = lattice.problem, lattice.column
    keep = rows > 0
    types, group, rows = types[keep], group[keep], rows[keep]
    label = np.unique(group, return_inverse=True)[1].reshape(-1)
    groups = int(label.max(initial=-1)) + 1
    what = shown(lattice, types, label, groups)
    first = np.zeros(groups, np.int64)
    first[label[::-1]] = types[::-1]
    whole = np.zeros(groups, np.bool_)
    whole[label[group < 0]] = True
    whole |= (
        (what.vectors == np.array(lattice.heights, np.int64)).all(axis=1)
        & (what.ends[:, 0] == 0)
        & (what.ends[:, 1] == len(lattice.ranged.below) - 2)
    )
    vectors = np.where(whole[:, None], np.array(lattice.heights, np.int64), what.vectors)
    last = len(lattice.ranged.below) - 2
    ends = np.where(whole[:, None], np.array([0, last]), what.ends)
    nodes = [lattice.nodes[lattice.start[x] + vectors[:, x], first] for x in range(len(lattice.others))]
    key = np.concatenate((vectors, ends, np.stack(nodes, axis=1) if nodes else np.zeros((groups, 0), np.int64)), axis=1)
    _, index, home = np.unique(key, axis=0, return_index=True, return_inverse=True)
    home = home.reshape(-1)
    vectors, ends = vectors[index], ends[index]
    star = (ends[:, 0] == 0) & (ends[:, 1] == last)
    levels = np.zeros((len(index), len(problem.levels)), np.int8)
    levels[:, lattice.others] = vectors
    run = (ends[:, 0] >= 0) & ~star
    height = problem.levels[j].height
    levels[:, j] = np.where(star, height, np.where(run, 1, 0))
    runs = np.where(run[:, None], ends, -1)
    pairs, place = np.unique(np.stack([types, home[label]], axis=1), axis=0, return_inverse=True)
    total = np.zeros(len(pairs), np.int64)
    np.add.at(total, place.reshape(-1), rows)
    return RangedPlan(
        levels, pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32), total, column=j, runs=runs.astype(np.int64)
    )


def extents(lattice: RangeLattice, types: Int64, group: Int64, groups: int) -> Listed:
    """Return the instances that classes show, with all row types that may lie there; one for each class.

    Parameters
    ----------
    lattice, types, group, groups
        As in `shown`.

    Notes
    -----
    O(t) a class and column that is not starred.
    """
    what = shown(lattice, types, group, groups)
    first = np.zeros(groups, np.int64)
    first[group[::-1]] = types[::-1]
    found = []
    sorted_cells = lattice.cell[lattice.order]
    for g in range(groups):
        a, b = what.ends[g]
        if a >= 0:
            low, high = np.searchsorted(sorted_cells, [a, b + 1])
            here = lattice.order[low:high]
        else:
            low, high = np.searchsorted(sorted_cells, [lattice.cell[first[g]], lattice.cell[first[g]] + 1])
            here = lattice.order[low:high]
            here = here[lattice.value[here] == b]
        for x, start in enumerate(lattice.start.tolist()):
            line = start + what.vectors[g, x]
            if lattice.width[line]:
                here = here[lattice.nodes[line, here] == lattice.nodes[line, first[g]]]
        found.append(here)
    begins = np.concatenate(([0], np.cumsum([len(one) for one in found]))).astype(np.int64)
    which = what.vectors @ lattice.radix if len(lattice.others) else np.zeros(groups, np.int64)
    members = np.concatenate(found) if found else np.zeros(0, np.int64)
    return Listed(which.astype(np.int64), what.ends, begins, members.astype(np.int64))
