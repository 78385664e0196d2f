"""The cheapest way that a mask leaves to a group, by asking the mask's plain reading and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.bound.strict_numbers import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels

__all__ = ["PlainMask"]

MOST_STEPS = 1 << 24  # looks at a column of a vector

Vector = tuple[int, ...]


class PlainMask:
    """What groups cost under a mask.

    There are m `levels`, and `allows` says whether the mask allows a level vector. If it has a method ``raised`` (as a
    `MaskReading` has), that says which levels every allowed vector at or above one has at least, but that of stars
    alone.

    The lattice is climbed from the vectors that are asked for, each vector of it once, in `MOST_STEPS` at most. With
    ``raised`` the climb is short, however many columns there are.
    """

    def __init__(self, levels: Sequence[Levels], allows: Callable[[Vector], bool]) -> None:
        self.levels, self.allows = levels, allows
        self.raised: Callable[[Vector], Vector | None] = getattr(allows, "raised", lambda vector: vector)
        self.heights = tuple(level.height for level in levels)
        self.known: dict[Vector, tuple[Vector, ...]] = {}
        self.steps = 0

    @property
    def allows_full_suppression(self) -> bool:
        """Whether a row may be stars alone."""
        return self.allows(self.heights)

    def least_costs(
        self, vectors: NDArray[np.int64], rows: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return what a row of each group costs at least, and whether the mask allows the group at all.

        `vectors` (g, m) holds the lowest levels at which each group looks alike, `rows` (g, m) the value codes of one
        row of each. Raise `Unreadable` if that takes too many steps.
        """
        costs = np.zeros(len(vectors), np.int64)
        allowed = np.zeros(len(vectors), np.bool_)
        first, back = distinct(vectors)
        order = np.argsort(back, kind="stable")
        begins = np.searchsorted(back[order], np.arange(len(first) + 1))
        for g, at in enumerate(first):
            here = order[begins[g] : begins[g + 1]]
            ways = self.lowest(tuple(vectors[at].tolist()))
            # costs of a row are below 2**62 by the scale (`scaled_levels`), whatever its levels
            each = [
                sum((level.cost[way[j]][rows[here, j]] for j, level in enumerate(self.levels)), np.zeros(1, np.int64))
                for way in ways
            ]
            if each:
                allowed[here] = True
                costs[here] = np.minimum.reduce([np.broadcast_to(one, here.shape) for one in each])
        return costs, allowed

    def lowest(self, vector: Vector) -> tuple[Vector, ...]:
        """Return the lowest allowed vectors at or above one: costs do not fall, so one is cheapest [M4]."""
        stack = [vector]
        while stack:
            here = stack[-1]
            if here in self.known:
                stack.pop()
                continue
            self._step(len(here))
            if self.allows(here):
                self.known[stack.pop()] = (here,)
                continue
            low = self.raised(here)
            if low is None:
                self.known[stack.pop()] = (self.heights,) if self.allows_full_suppression else ()
                continue
            if low != here:
                if low in self.known:
                    self.known[stack.pop()] = self.known[low]
                else:
                    stack.append(low)
                continue
            self._step(len(here) ** 2)
            above = [(*here[:j], x + 1, *here[j + 1 :]) for j, x in enumerate(here) if x < self.heights[j]]
            missing = [one for one in above if one not in self.known]
            if missing:
                stack += missing
                continue
            self.known[stack.pop()] = self._pruned({way for one in above for way in self.known[one]})
        return self.known[vector]

    def _pruned(self, ways: set[Vector]) -> tuple[Vector, ...]:
        kept: list[Vector] = []
        for way in sorted(ways, key=sum):
            self._step(len(way) * (1 + len(kept)))
            if not any(all(a <= b for a, b in zip(low, way, strict=True)) for low in kept):
                kept.append(way)
        return tuple(kept)

    def _step(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Unreadable("the mask leaves too many level vectors to recount")


def distinct(lines: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first place of each distinct line of whole numbers of at least 0, and for every line which it is."""
    radix = [int(top) + 1 for top in lines.max(axis=0, initial=0)]
    weights, room = [], 1
    for size in reversed(radix):
        weights.append(room)
        room *= size
    if room < 2**62:
        _, first, back = np.unique(
            lines @ np.array(weights[::-1], np.int64), return_index=True, return_inverse=True
        )  # fmt: skip
    else:
        _, first, back = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    return first, back.reshape(-1)
