"""From parts of a plan to the instances that they show, and back: every class at its lowest nodes and shortest runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.ranged_plan import RangedPlan

if TYPE_CHECKING:
    from incrowd.tables.solve.ranges.lattice import RangeLattice
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["opened", "plan_of", "raise_to_mask", "shown"]


def shown(lattice: RangeLattice, types: Int64, group: Int64, groups: int) -> Int64:
    """Return the vector of what each class of some parts shows at the least cost, as `lattice` has it.

    `types` and `group` are (p,): the row type and class of each part; every class has a part. O(p) for each level of
    each column.
    """
    order = np.argsort(group, kind="stable")
    types, group = types[order], group[order]
    first = types[np.searchsorted(group, np.arange(groups))]
    found = []
    for start, height in zip(lattice.start.tolist(), lattice.heights, strict=True):
        lowest = np.zeros(groups, np.int64)
        for level in range(height):
            line = lattice.nodes[start + level]
            lowest[group[line[types] != line[first[group]]]] = level + 1
        found.append(lowest)
    for cell, value in zip(lattice.cell, lattice.value, strict=True):
        low, high = np.full(groups, np.iinfo(np.int64).max), np.full(groups, -1, np.int64)
        np.minimum.at(low, group, cell[types])
        np.maximum.at(high, group, cell[types])
        several = np.zeros(groups, np.bool_)
        several[group[value[types] != value[first[group]]]] = True
        found += [np.where(several, low, -1), np.where(several, high, value[first])]
    return np.stack(found, axis=1).astype(np.int64)


def plan_of(lattice: RangeLattice, types: Int64, group: Int64, rows: Int64) -> RangedPlan:
    """Return the plan of some parts, classes that show the same made one.

    `types`, `group` and `rows` are (p,): the row type, class and rows of each part; a class of -1 is suppressed whole.
    """
    problem, others = lattice.problem, lattice.others
    keep = rows > 0
    types, group, rows = types[keep], group[keep], rows[keep]
    label = np.unique(group, return_inverse=True)[1].reshape(-1)
    groups = int(label.max(initial=-1)) + 1
    vectors = shown(lattice, types, label, groups)
    first = np.zeros(groups, np.int64)
    first[label[::-1]] = types[::-1]
    whole = np.array(lattice.whole, np.int64)
    vectors[label[group < 0]] = whole
    raise_to_mask(lattice, vectors, first)
    nodes = [lattice.nodes[lattice.start[x] + vectors[:, x], first] for x in range(len(others))]
    key = np.concatenate((vectors, np.stack(nodes, axis=1) if nodes else np.zeros((groups, 0), np.int64)), axis=1)
    _, index, home = np.unique(key, axis=0, return_index=True, return_inverse=True)
    home = home.reshape(-1)
    vectors = vectors[index]
    ends = vectors[:, len(others) :].reshape(len(index), len(lattice.columns), 2)
    star = (ends[:, :, 0] == 0) & (ends[:, :, 1] == lattice.last)
    run = (ends[:, :, 0] >= 0) & ~star
    levels = np.zeros((len(index), len(problem.levels)), np.int8)
    levels[:, others] = vectors[:, : len(others)]
    heights = np.array([problem.levels[j].height for j in lattice.columns])
    levels[:, list(lattice.columns)] = np.where(star, heights, np.where(run, 1, 0))
    runs = np.where(run[:, :, None], ends, -1)
    pairs, place = np.unique(np.stack([types, home[label]], axis=1), axis=0, return_inverse=True)
    total = np.zeros(len(pairs), np.int64)
    np.add.at(total, place.reshape(-1), rows)
    return RangedPlan(
        levels, pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32), total, columns=lattice.columns,
        runs=runs.astype(np.int64),
    )  # fmt: skip


def raise_to_mask(lattice: RangeLattice, vectors: Int64, firsts: Int64) -> None:
    """Raise what classes show to the cheapest that the mask allows; a value is raised to the run of its cell.

    `vectors` is (g, m + 2 r) and is changed in place. `firsts` is (g,): a type of each class.
    """
    kinds = lattice.kinds.kinds(vectors, lattice.last)
    known: dict[bytes, Int64] = {}
    own = len(lattice.others)
    for g in np.flatnonzero(~lattice.kinds.allowed(kinds)).tolist():
        key = kinds[g].tobytes()
        if key not in known:
            known[key] = lattice.kinds.over(kinds[g])
        ways, first = known[key], int(firsts[g])
        cost = lattice.paid[lattice.start + ways[:, :own], first].sum(axis=1)
        ends = []
        for c, one in enumerate(lattice.ranged):
            a, b = vectors[g, own + 2 * c : own + 2 * c + 2].tolist()
            cell = int(lattice.cell[c, first])
            low, high = (a, b) if a >= 0 else (cell, cell)
            run = int(one.up[high] - one.low[low])
            cost = cost + np.array([0 if a < 0 else run, run, int(one.up[-1] - one.low[0])])[ways[:, own + c]]
            ends.append(((a, b), (low, high), (0, one.cells - 1)))
        best = ways[int(np.argmin(cost))]
        vectors[g, :own] = best[:own]
        vectors[g, own:] = [x for pair, kind in zip(ends, best[own:].tolist(), strict=True) for x in pair[kind]]


def opened(lattice: RangeLattice, plan: RangedPlan) -> tuple[Instances, Int64]:
    """Return the instances that a plan opens, with all their types and the free one, and each group's place there."""
    starred = np.zeros(plan.groups, np.bool_)
    if lattice.free:
        starred = (plan.levels == np.array(lattice.problem.top, np.int8)).all(axis=1) & (plan.runs < 0).all(axis=(1, 2))
    number = (np.cumsum(~starred) - 1).astype(np.int64)
    inside = ~starred[plan.part_group]
    types, group = plan.part_type[inside].astype(np.int64), number[plan.part_group[inside]]
    groups = int((~starred).sum())
    first = np.zeros(groups, np.int64)
    first[group[::-1]] = types[::-1]
    levels, runs = plan.levels[~starred].astype(np.int64), plan.runs[~starred]
    vectors = np.zeros((groups, len(lattice.whole)), np.int64)
    own = len(lattice.others)
    vectors[:, :own] = levels[:, lattice.others]
    for c, j in enumerate(lattice.columns):
        value = np.where(levels[:, j] > 0, lattice.last[c], lattice.value[c, first])
        low = np.where(levels[:, j] > 0, 0, -1)
        run = runs[:, c, 0] >= 0
        vectors[:, own + 2 * c] = np.where(run, runs[:, c, 0], low)
        vectors[:, own + 2 * c + 1] = np.where(run, runs[:, c, 1], value)
    found = lattice.extents(vectors, first)
    return found, np.where(starred, found.hub, number)
