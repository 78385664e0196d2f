"""What groups cost under a mask, by the keys that occur.

The *key* of a group says per column the lowest level at which its rows agree, and what the levels from there on
cost at the node they share (the level alone where costs depend on nothing else). Its cost is that of the
cheapest pattern of the mask above; only keys that a kernel asked for are ever looked up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import metric as kernel
from incrowd.tables.solve.matching.limits import ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.values import Int64, Levels

__all__ = ["KeyTable"]

# Up to so many possible keys the costs lie in a plain table.
SMALL = 1 << 16
WORD = 1 << 62
# Keys looked up between two looks at the watch.
ASK = 256


@dataclass(eq=False)
class KeyTable:
    """Costs by key; the kernels note the keys they miss, `resolve` fills them in.

    Attributes
    ----------
    classes : per column and level the class of every value, (h + 1, d) each
    chains : per column and class the pair (level, costs of the levels 0..h)
    word, factor : per column its word in the key and its factor there
    """

    patterns: PatternSet
    divisor: int
    without_full: int | None
    classes: list[Int64]
    chains: list[list[tuple[int, tuple[int, ...]]]]
    word: list[int]
    factor: list[int]
    mode: int
    keys: Int64
    values: Int64
    wanted: Int64 = field(default_factory=lambda: np.zeros(2, np.int64))

    @staticmethod
    def of(levels: Sequence[Levels], patterns: PatternSet, divisor: int, without_full: int | None) -> KeyTable:
        """Return the table for a mask.

        The costs held are divided by `divisor`, the common divisor of all costs. Where `without_full` is given, groups
        of this cost per row (full suppression) are treated as not allowed: their rows leave one by one.
        """
        classes, chains, word, factor = [], [], [], []
        words, product = 0, 1
        for level in levels:
            found: dict[tuple[int, tuple[int, ...]], int] = {}
            table = np.empty(level.cost.shape, np.int64)
            _, first, back = np.unique(level.cost, axis=1, return_index=True, return_inverse=True)
            costs = [tuple(int(c) for c in level.cost[:, at]) for at in first]
            for here in range(level.height + 1):
                kinds = [found.setdefault((here, (0,) * here + c[here:]), len(found)) for c in costs]
                table[here] = np.array(kinds, np.int64)[back.reshape(-1)]
            if product * len(found) >= WORD:
                words, product = words + 1, 1
            classes.append(table)
            chains.append(list(found))
            word.append(words)
            factor.append(product)
            product *= len(found)
        small = words == 0 and product <= SMALL
        size = product if small else 1 << 12
        return KeyTable(
            patterns, divisor, without_full, classes, chains, word, factor,
            kernel.TABLE if small else kernel.HASH,
            np.zeros((0 if small else size, words + 1), np.int64),
            np.full(size, -1, np.int64),
        )  # fmt: skip

    @property
    def words(self) -> int:
        """Words of a key."""
        return int(self.keys.shape[1])

    def resolve(self, watch: Watch | None = None) -> bool:
        """Look up the keys that were asked for in vain; True if there were any.

        Raises Stopped when the watch says so; a kernel then asks again for what is missing.
        """
        if not self.wanted[0]:
            return False
        self.wanted[0] = 0
        for at, slot in enumerate(np.flatnonzero(self.values == -2)):
            if at % ASK == 0:
                ask(watch)
            words = [int(slot)] if self.mode == kernel.TABLE else [int(w) for w in self.keys[slot]]
            self.values[slot] = self._cost(words)
        if self.mode == kernel.HASH and 4 * self.wanted[1] >= self.values.size:
            self._grow()
        return True

    def _cost(self, words: list[int]) -> int:
        vector, costs = [], []
        for j, chain in enumerate(self.chains):
            level, cost = chain[words[self.word[j]] // self.factor[j] % len(chain)]
            vector.append(level)
            costs.append(cost)
        found = self.patterns.cheapest_above(vector, costs)
        if found is None:
            return kernel.FAR
        cost_ = sum(cost[level] for cost, level in zip(costs, found, strict=True)) // self.divisor
        return kernel.FAR if cost_ == self.without_full else cost_

    def _grow(self) -> None:
        held = np.flatnonzero(self.values != -1)
        keys, values = self.keys[held], self.values[held]
        size = 4 * self.values.size
        self.keys = np.zeros((size, self.words), np.int64)
        self.values = np.full(size, -1, np.int64)
        kernel.insert(self.keys, self.values, keys, values)
