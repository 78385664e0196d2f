"""Which of several patterns of equal cost the greedy tries first.

Algorithm 1 of Bredereck, Nichterlein and Niedermeier sorts the patterns by their stars and leaves open what comes
first among equal ones; the release depends on it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from incrowd.tables.values import Int64, PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from incrowd.tables.values import Problem

__all__ = ["TIES", "Ties", "blocks_by", "reason_against"]

Ties = Literal["domains", "pattern", "first", "colexicographic"]
TIES = get_args(Ties)
# Patterns whose written order is kept: all of them are listed for it.
MOST_WRITTEN = 1 << 20
# Orders are sums of integers, which have 62 bits.
LARGEST = 1 << 62


def reason_against(ties: Ties, problem: Problem) -> str | None:
    """Return why an order is not to be had for a problem, or None."""
    if ties == "domains":
        return None
    if problem.requirements:
        return f"ties {ties!r} is an order for k-anonymity alone; leave it out under further requirements"
    if ties == "pattern":
        if not problem.patterns.written:
            return "ties 'pattern' keeps the order of listed patterns (--pattern), and the mask lists none"
        if problem.patterns.count() > MOST_WRITTEN:
            return f"ties 'pattern' keeps the order of up to {MOST_WRITTEN:,} patterns, and the mask allows more"
    elif math.prod(top + 1 for top in problem.patterns.heights) >= LARGEST:
        return f"ties {ties!r} orders patterns of up to 61 columns of two levels; leave it out for wider tables"
    return None


def blocks_by(ties: Ties, problem: Problem) -> Iterable[PatternBlock]:
    """Return all patterns, cheapest first, in blocks.

    `ties` says what comes first among equal costs. ``pattern``: what the user wrote first (a stable sort by cost). The
    others first take fewer stars, then ``domains``: larger domains suppressed, then stars in earlier columns;
    ``first``: stars in the first columns, as texts of levels sorted downwards; ``colexicographic``: stars in the last
    columns, as such texts read backwards and sorted downwards.

    `reason_against` must say nothing against the problem. Time as `PatternSet.by_cost`, O(count log count) for a small
    set; ``pattern`` lists all patterns, O(count m) memory.
    """
    floors = problem.floor_costs()
    if ties == "domains":
        return problem.patterns.by_cost(floors, problem.ties())
    heights = problem.patterns.heights
    if ties == "pattern":
        none = [[0] * (top + 1) for top in heights]
        return [_as_written(problem.patterns.by_cost(floors, none), problem.patterns.written)]
    # a vector read as a number: the larger one comes first
    places = _places(heights if ties == "colexicographic" else heights[::-1])
    places = places if ties == "colexicographic" else places[::-1]
    return problem.patterns.by_cost(
        floors, [[place * level for level in range(top + 1)] for place, top in zip(places, heights, strict=True)]
    )


def _places(heights: Sequence[int]) -> list[int]:
    """Return what one level in each column is worth: the product of the levels before it."""
    places = [1]
    for top in heights[:-1]:
        places.append(places[-1] * (top + 1))
    return places[: len(heights)]


def _as_written(blocks: Iterable[PatternBlock], written: Sequence[tuple[int, ...]]) -> PatternBlock:
    """Return all patterns by cost, among equal ones in the order written; those not written come last."""
    every = list(blocks)
    levels, costs = np.concatenate([b.levels for b in every]), np.concatenate([b.costs for b in every])
    place = {vector: at for at, vector in reversed(list(enumerate(written)))}
    rank: Int64 = np.array([place.get(tuple(vector), len(written)) for vector in levels.tolist()], np.int64)
    order = np.lexsort((rank, costs))
    return PatternBlock(levels[order], costs[order])
