"""Blocks of row types for programs that a whole table is too large for: halves of halves, along few groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64, Plan

__all__ = ["type_blocks"]

LEAST, MOST = 0.15, 0.55  # shares of the types that a part may have: of the lesser part, and of the first one


def type_blocks(
    encoded: ProblemArrays, plan: Plan, most: int, random: np.random.Generator, jitter: float = 0.0
) -> list[Int64]:
    """Return blocks of row types, each halved by a column at a level until it is small enough.

    `plan` is a release; of all columns and levels the one is taken whose parts share the fewest of its groups, for
    every type of the lesser part. A block has at most `most` row types (at least 1); where no column parts a larger one
    any further, its types are parted in order. `jitter` is the factor by which a choice may look worse than it is, less
    1: other blocks at every call.

    O(t L log t) time for t types and L lines of levels, halvings being nearly even.
    """
    group = np.zeros(encoded.t, np.int64)
    group[plan.part_type[::-1]] = plan.part_group[::-1]
    blocks, todo = [], [np.arange(encoded.t)]
    while todo:
        block = todo.pop()
        if block.size <= most:
            blocks.append(block)
            continue
        side = _halved(encoded, group[block], block, random, jitter)
        if side is None:
            side = np.arange(block.size) < block.size // 2
        todo += [block[side], block[~side]]
    return blocks


def _halved(
    e: ProblemArrays, groups: Int64, block: Int64, random: np.random.Generator, jitter: float
) -> NDArray[np.bool_] | None:
    """Return the half of a block that fewest groups cross; None where no column has two nodes of some size."""
    _, group = np.unique(groups, return_inverse=True)
    size = np.bincount(group)
    best, found = np.inf, None
    for first, height in zip(e.start, e.heights, strict=True):
        for line in range(int(first), int(first + max(height, 1))):
            _, node = np.unique(e.nodes[block, line], return_inverse=True)
            held = np.bincount(node)
            if held.size < 2:
                continue
            chosen, total = np.zeros(held.size, np.bool_), 0
            for x in np.argsort(-held, kind="stable"):
                if total + held[x] <= MOST * block.size or not total:
                    chosen[x] = True
                    total += int(held[x])
            small = min(total, block.size - total)
            if small < LEAST * block.size:
                continue
            side = chosen[node]
            here = np.bincount(group, weights=side)
            score = float(np.minimum(here, size - here).sum()) / small * (1 + jitter * random.random())
            if score < best:
                best, found = score, side
    return found
