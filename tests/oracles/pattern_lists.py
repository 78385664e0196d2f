"""A mask as a plain list of vectors."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.tables.values import PatternBlock


class PatternList:
    """A `PatternSet` over an explicit list; every answer by going through the list."""

    written = ()

    def __init__(self, heights, vectors=None, block=64):
        self.heights = tuple(heights)
        if vectors is None:
            vectors = itertools.product(*(range(h + 1) for h in self.heights))
        self.vectors = sorted({tuple(int(x) for x in v) for v in vectors})
        self.known = set(self.vectors)
        self.block = block
        self._cache = {}

    @property
    def allows_full_suppression(self):
        return self.heights in self.known

    def allows(self, vector):
        return tuple(int(x) for x in vector) in self.known

    def count(self):
        return len(self.vectors)

    def reach(self):
        return tuple(max((v[j] for v in self.vectors), default=0) for j in range(len(self.heights)))

    def _sorted(self, costs, ties):
        def key(v):
            cost = sum(costs[j][x] for j, x in enumerate(v))
            stars = sum(x == h for x, h in zip(v, self.heights, strict=True))
            tie = sum(ties[j][x] for j, x in enumerate(v)) if ties else 0
            return cost, stars, -tie, v

        name = repr((costs, ties))
        if name not in self._cache:
            self._cache[name] = sorted((*key(v), v) for v in self.vectors)
        return self._cache[name]

    def by_cost(self, costs, ties):
        order = self._sorted(costs, ties)
        for first in range(0, len(order), self.block):
            part = order[first : first + self.block]
            yield PatternBlock(
                np.array([entry[-1] for entry in part], np.int8).reshape(len(part), len(self.heights)),
                np.array([entry[0] for entry in part], np.int64),
            )

    def cheapest_above(self, vector, costs):
        for entry in self._sorted(costs, None):
            if all(a >= b for a, b in zip(entry[-1], vector, strict=True)):
                return entry[-1]
        return None
