"""Pieces of a release along which others cut: groups whose rows the others put together otherwise."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["pieces"]


def pieces(
    instances: Instances, rows: Int64, others: Sequence[Int64], parts: float, random: np.random.Generator
) -> list[Int64]:
    """Return sets of groups of a release, each grown along the groups of others that cut across.

    Each set holds groups that need a crowd, at least two a piece and none in two pieces. A piece is large enough when
    it has `parts` pairs with rows. `rows` and each of `others` are (p,): the rows per pair of the release, and of other
    releases over the same list. `random` draws the groups that pieces begin with.

    Notes
    -----
    O(pairs with rows) for the overlaps and O(o log o) for o of them. The next group of a piece is the one whose rows
    share most of the others' groups with it, per row.
    """
    J = instances
    held = np.bincount(J.owners, weights=rows, minlength=J.size)
    crowd = (J.needs > 0).astype(np.float64)
    mine = _shares(J, rows)
    across = csr_matrix((J.size, J.size))
    for other in others:
        common = (mine @ _shares(J, other).T).multiply(crowd).tocsr()
        across = across + common @ common.T
    across = across.tocsr()
    used = np.bincount(J.owners, weights=rows > 0, minlength=J.size)
    left = (held > 0) & (J.needs > 0)
    found = []
    for first in random.permutation(np.flatnonzero(left)):
        piece: list[int] = []
        score: dict[int, float] = {}
        heap = [(0.0, int(first))]
        total = 0.0
        while heap and total < parts:
            _, h = heapq.heappop(heap)
            if not left[h]:
                continue
            left[h] = False
            piece.append(h)
            total += used[h]
            for place in range(across.indptr[h], across.indptr[h + 1]):
                g = int(across.indices[place])
                if left[g]:
                    score[g] = score.get(g, 0.0) + float(across.data[place]) / (held[g] * held[h])
                    heapq.heappush(heap, (-score[g], g))
        if len(piece) > 1:
            found.append(np.array(piece, np.int64))
    return found


def _shares(instances: Instances, rows: Int64) -> csr_matrix:
    """Return the rows per instance and type."""
    J, used = instances, np.flatnonzero(rows)
    return csr_matrix((rows[used].astype(np.float64), (J.owners[used], J.members[used])), shape=(J.size, J.t))
