"""Row types as packed words: a bit for every choice on the way from a column's star down to its value.

The code of a value is the path to it in its hierarchy: which child of the star, which child of that, and so on. What
it shows at a level is then a prefix of its bits, so that an instance of a pattern is the words under one bit mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Int32, Int64, Levels


WIDTH = 62  # bits of a word: what every engine adds and masks without a sign


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where each column lies in the words.

    `words`: how many words a row type has, at least 1. `place`: tuple of (int, int), length m, word and lowest bit of
    each column. `dropped`: low bits of the column that do not show at level 0, 1, ..., h. `paths`: tuple of (d,) int64,
    length m, path of every value code, not shifted.
    """

    words: int
    place: tuple[tuple[int, int], ...]
    dropped: tuple[tuple[int, ...], ...]
    bits: tuple[int, ...]
    paths: tuple[Int64, ...]

    def shown(self, j: int, level: int) -> int:
        """Return the bits of its word in which column j shows itself at a level."""
        low = self.dropped[j][level]
        return ((1 << self.bits[j]) - (1 << low)) << self.place[j][1]

    def masks(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Return the mask of every word under a level vector."""
        masks = [0] * self.words
        for j, level in enumerate(vector):
            masks[self.place[j][0]] |= self.shown(j, int(level))
        return tuple(masks)

    def shifted(self, j: int) -> Int64:
        """Return what each value code of column j adds to its word, shape (d,)."""
        return self.paths[j] << self.place[j][1]

    def codes(self, words: Sequence[NDArray[np.int64]]) -> Int32:
        """Return the value codes of packed row types, shape (t, m). Each of `words` is (t,)."""
        codes = np.empty((len(words[0]), len(self.place)), np.int32)
        for j, (word, shift) in enumerate(self.place):
            own = (words[word] >> shift) & ((1 << self.bits[j]) - 1)
            order = np.argsort(self.paths[j], kind="mergesort")
            codes[:, j] = order[np.searchsorted(self.paths[j][order], own)]
        return codes


def laid_out(levels: Sequence[Levels], columns: Sequence[str]) -> Layout:
    """Return the words for some columns, as few as they fit into in their order.

    `columns` are their names, for messages. Raises PolicyError if the paths of one column take more than a word. A
    column of d values without a hierarchy takes the bits of d - 1; one with a hierarchy, for every level below its top
    the bits of the most children that a node of the next one has.
    """
    place, dropped, bits, paths = [], [], [], []
    word = used = 0
    for level, name in zip(levels, columns, strict=True):
        path, low = _paths(level)
        size = low[-1] if level.height else int(path.max()).bit_length()
        if size > WIDTH:
            raise PolicyError(
                f"column {name!r}: its hierarchy takes {size} bits, and row types beyond memory have {WIDTH} a column; "
                "leave levels out"
            )
        if used + size > WIDTH:
            word, used = word + 1, 0
        place.append((word, used))
        used += size
        dropped.append(tuple(low))
        bits.append(size)
        paths.append(path)
    return Layout(word + 1, tuple(place), tuple(dropped), tuple(bits), tuple(paths))


def _paths(level: Levels) -> tuple[Int64, list[int]]:
    """Return the path of every value code, and how many of its low bits each level drops."""
    up = level.up.astype(np.int64)
    if not level.height:
        return up[0], [0]
    path = np.zeros(up.shape[1], np.int64)
    sizes = []
    for below in range(level.height - 1, -1, -1):
        nodes, first, node_of = np.unique(up[below], return_index=True, return_inverse=True)
        parents = up[below + 1][first]
        order = np.argsort(parents, kind="mergesort")
        starts = np.searchsorted(parents[order], parents[order])
        child = np.empty(nodes.size, np.int64)
        child[order] = np.arange(nodes.size) - starts
        size = int(child.max()).bit_length()
        sizes.append(size)
        if sum(sizes) <= WIDTH:
            path = (path << size) | child[node_of.reshape(-1)]
    dropped = [0]
    for size in reversed(sizes):
        dropped.append(dropped[-1] + size)
    return path, dropped
