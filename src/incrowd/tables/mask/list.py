"""All patterns at once: a small set is listed and sorted in arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.mask.order import Table, lexicographic
from incrowd.tables.values import Int8, Int64, PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.mask.automaton import Automaton

__all__ = ["list_vectors", "listed"]

FIRST, LARGEST = 256, 65_536


def list_vectors(automaton: Automaton) -> Int8:
    """Return all vectors that a mask allows, in no special order, shape (count, m).

    The columns are in the user's order. Every state leads to an allowed vector, so no step holds more rows than the
    result: O(count m) time and memory.
    """
    states = np.zeros(0 if automaton.empty else 1, np.int32)
    # One row per column: a row of the growing table is copied whole, and a column is never strided over.
    found = np.zeros((0, len(states)), np.int8)
    for arrows in automaton.arrows:
        after = arrows[states]
        parent, level = np.nonzero(after >= 0)
        found = np.vstack([found[:, parent], level.astype(np.int8)[None]])
        states = after[parent, level]
    vectors = np.empty((found.shape[1], len(automaton.order)), np.int8)
    vectors[:, list(automaton.order)] = found.T
    return vectors


def listed(automaton: Automaton, heights: tuple[int, ...], costs: Table, ties: Table) -> Iterator[PatternBlock]:
    """Yield all patterns in the order of `PatternSet.by_cost`, in blocks of 256, 512, ... 65,536.

    `heights` has the top level per column. `costs` and `ties` are per column and level; see `PatternSet.by_cost`. It
    takes O(count (m + log count)) time and O(count m) memory before the first block.
    """
    vectors = list_vectors(automaton)

    def sums(table: Table) -> Int64:
        total = np.zeros(len(vectors), np.int64)
        for j, levels in enumerate(table):
            total += np.array(levels, np.int64)[vectors[:, j]]
        return total

    cost = sums(costs)
    stars = sums([[0] * top + [int(top > 0)] for top in heights])
    keys = [cost, stars, -sums(ties), *lexicographic(heights, vectors)]
    order = np.lexsort(keys[::-1])
    vectors, cost = vectors[order], cost[order]
    begin, size = 0, FIRST
    while begin < len(vectors):
        yield PatternBlock(vectors[begin : begin + size], cost[begin : begin + size])
        begin, size = begin + size, min(2 * size, LARGEST)
