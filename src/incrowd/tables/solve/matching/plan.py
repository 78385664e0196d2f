"""From groups of row types to a plan: the cheapest pattern of each group, groups of one instance together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Int8, Int32, Int64, Levels, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.protocols import PatternSet

__all__ = ["plan_of"]


def plan_of(
    codes: Int32,
    levels: Sequence[Levels],
    patterns: PatternSet,
    groups: Int64,
    suppressed: Int64,
    rest: Int64,
) -> Plan:
    """Return the plan of a solution.

    `codes` is (t, m). `groups` is (g, 3): pairs and triples of types, -1 for no third. `suppressed` is (s,): types of
    single fully suppressed rows. `rest` is (t,): rows of each type left among themselves.

    O((g + t) L) time and memory. Groups that show the same are one: a group may grow, its cost per row stays.
    """
    left = np.flatnonzero(rest)
    single = np.column_stack((left, left, left))
    filled = np.where(groups >= 0, groups, groups[:, 1:2]) if len(groups) else np.zeros((0, 3), np.int64)
    lines = np.concatenate((filled, single)).astype(np.int64)
    vectors = _cheapest(codes, levels, patterns, lines)
    top = np.array([level.height for level in levels], np.int8)
    vectors = np.concatenate((vectors, np.tile(top, (suppressed.size, 1)))).astype(np.int8)
    first = np.concatenate((lines[:, 0], suppressed)).astype(np.int64)
    nodes = np.empty((first.size, len(levels)), np.int32)
    for j, level in enumerate(levels):
        nodes[:, j] = level.up[vectors[:, j], codes[first, j]]
    shown = np.concatenate((vectors.astype(np.int32), nodes), axis=1)
    _, keep, name = np.unique(shown, axis=0, return_index=True, return_inverse=True)
    name = name.reshape(-1)
    count = len(groups)
    two, three = np.arange(count), np.flatnonzero(groups[:, 2] >= 0) if count else np.zeros(0, np.int64)
    types = np.concatenate((groups[two, 0], groups[two, 1], groups[three, 2], left, suppressed)).astype(np.int64)
    of = np.concatenate((name[two], name[two], name[three], name[count : count + left.size], name[count + left.size :]))
    rows = np.ones(types.size, np.int64)
    rows[2 * count + three.size : 2 * count + three.size + left.size] = rest[left]
    part, back = np.unique(np.column_stack((types, of)), axis=0, return_inverse=True)
    total = np.zeros(len(part), np.int64)
    np.add.at(total, back.reshape(-1), rows)
    return Plan(
        np.ascontiguousarray(vectors[keep], np.int8),
        part[:, 0].astype(np.int32),
        part[:, 1].astype(np.int32),
        total,
    )


def _cheapest(codes: Int32, levels: Sequence[Levels], patterns: PatternSet, lines: Int64) -> Int8:
    """Return for each line of types a cheapest vector of the mask under which they look alike."""
    common = np.zeros((len(lines), len(levels)), np.int64)
    kinds = np.zeros((len(lines), len(levels)), np.int64)
    for j, level in enumerate(levels):
        value = codes[lines, j]
        for here in range(level.height):
            node = level.up[here][value]
            apart = (node[:, 0] != node[:, 1]) | (node[:, 0] != node[:, 2])
            common[apart, j] = here + 1
        # What the levels cost above: the same for all values of a kind.
        _, kind = np.unique(level.cost, axis=1, return_inverse=True)
        kinds[:, j] = kind.reshape(-1)[value[:, 0]]
        if level.uniform:
            kinds[:, j] = 0
    name, first, back = np.unique(
        np.concatenate((common, kinds), axis=1), axis=0, return_index=True, return_inverse=True
    )
    best = np.zeros((len(name), len(levels)), np.int8)
    for at, line in enumerate(first):
        costs = [[int(c) for c in level.cost[:, codes[lines[line, 0], j]]] for j, level in enumerate(levels)]
        # Below the common level nodes differ, and so may their costs: no vector of interest lies there.
        for j, cost in enumerate(costs):
            cost[: common[line, j]] = [0] * int(common[line, j])
        found = patterns.cheapest_above([int(v) for v in common[line]], costs)
        assert found is not None
        best[at] = found
    return best[back.reshape(-1)]
