"""Which level vectors a mask leaves, where ranged columns show a value (0), a run (1) or all their cells (2)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.values import Int64

    Bool = NDArray[np.bool_]

__all__ = ["MOST", "Kinds"]

MOST = 1 << 18  # vectors that a mask is asked about one by one


class Kinds:
    """A mask over the vectors of a `RangeLattice`.

    The `mask` is over all columns, ranged ones at 0, 1 or 2, and it allows stars alone; with None everything is
    allowed. `vectors` is (p, m): all level vectors of the other columns, in lexicographic order. `heights` has length
    m. `others` and `columns` are the places of the other columns, and of the r ranged ones.

    Attributes
    ----------
    masked : bool
    exact : (p, 3^r) bool
        What is allowed; the lowest digit of the second place is the first ranged column.
    above : (p, 3^r) bool
        Whether something that is allowed lies at or above, but stars alone.
    open : (q,) int64
        The vectors of which something is.
    """

    def __init__(
        self,
        mask: PatternSet | None,
        vectors: Int64,
        heights: Sequence[int],
        others: Sequence[int],
        columns: Sequence[int],
    ) -> None:
        self.masked = mask is not None
        self.vectors, r = vectors, len(columns)
        shape = len(vectors), 3**r
        self.radix = np.append(np.cumprod([top + 1 for top in reversed(heights)])[::-1][1:], 1).astype(np.int64)
        self.radix = self.radix[-len(heights) :] if heights else np.zeros(0, np.int64)
        self.exact: Bool = np.ones(shape, np.bool_)
        self.above: Bool = self.exact
        if mask is not None:
            whole = np.zeros(len(others) + r, np.int64)
            self.exact, ways = np.zeros(shape, np.bool_), list(itertools.product(range(3), repeat=r))
            for p, vector in enumerate(vectors.tolist()):
                whole[list(others)] = vector
                for kinds in ways:
                    whole[list(columns)] = kinds
                    self.exact[p, self._code(np.array([kinds]))[0]] = mask.allows(whole.tolist())
            above = self.exact.reshape(*(top + 1 for top in heights), *(3 for _ in columns)).copy()
            above[(-1,) * above.ndim] = False
            for axis in range(above.ndim):
                above = np.flip(np.logical_or.accumulate(np.flip(above, axis), axis=axis), axis)
            self.above = np.ascontiguousarray(above.reshape(shape))
        self.open: Int64 = np.flatnonzero(self.above.any(axis=1)).astype(np.int64)

    @staticmethod
    def _code(kinds: Int64) -> Int64:
        found: Int64 = kinds @ (3 ** np.arange(kinds.shape[1], dtype=np.int64))
        return found

    def kinds(self, vectors: Int64, last: Int64) -> Int64:
        """Return levels and kinds of vectors as a `RangeLattice` has them, shape (g, m + r).

        `vectors` is (g, m + 2 r), and `last` is (r,): the last cell of each ranged column.
        """
        own = self.vectors.shape[1]
        ends = vectors[:, own:].reshape(len(vectors), len(last), 2)
        star = (ends[:, :, 0] == 0) & (ends[:, :, 1] == last)
        found = np.where(ends[:, :, 0] < 0, 0, np.where(star, 2, 1))
        return np.concatenate((vectors[:, :own], found), axis=1).astype(np.int64)

    def allowed(self, kinds: Int64) -> Bool:
        """Return whether the mask allows levels and kinds, which come as (g, m + r)."""
        own = self.vectors.shape[1]
        found: Bool = self.exact[kinds[:, :own] @ self.radix, self._code(kinds[:, own:])]
        return found

    def over(self, kinds: Int64) -> Int64:
        """Return all allowed levels and kinds at or above some, shape (q, m + r).

        `kinds` is (m + r,).
        """
        p, code = np.nonzero(self.exact)
        r = len(kinds) - self.vectors.shape[1]
        every = np.concatenate((self.vectors[p], code[:, None] // 3 ** np.arange(r) % 3), axis=1).astype(np.int64)
        found: Int64 = every[(every >= kinds).all(axis=1)]
        return found
