"""Mondrian as the toolbox has it that the paper compares with: cuts by the widths of regions.

The paper's Mondrian is "an existing implementation" [1], by its address that of the UT Dallas Anonymization Toolbox
[2]. It differs from the paper on Mondrian in what "widest" means: a part keeps the region that it was cut to (the whole
domain at first, the halves of a range after a cut), and the region's width counts, not that of the rows in it. Texts
are numbered in an order that its user writes down.

References
----------
.. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Section 3.4.
.. [2] UT Dallas Data Security and Privacy Lab, "UTD Anonymization Toolbox", ``mondrian/Mondrian.java``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.mondrian.median_splits import Parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Problem

__all__ = ["cut_regions"]


def cut_regions(problem: Problem, watch: Watch) -> Parts:
    """Return the toolbox's parts; each has at least k rows.

    The problem is without requirements. Columns with `Problem.places` lie by these, all others by their codes. The
    watch is asked at every part: parts not cut yet then stay as they are.

    Notes
    -----
    A part is cut in the column whose region is widest as a share of the domain (the first of them), among those whose
    median leaves k rows on both sides; the median, the least value that half of the rows do not exceed, goes left.
    O(m t log t) time for a round of cuts over m columns and t row types, about log2(n / k) rounds; O(m t) memory.
    """
    types, m = problem.types, problem.types.m
    places = problem.places or (None,) * m
    at = np.stack([_line(places[j], types.sizes[j])[types.codes[:, j]] for j in range(m)])
    low, high = at.min(axis=1), at.max(axis=1)
    domain = np.maximum(high - low, 1).astype(np.float64)
    open_ = [(np.arange(types.t, dtype=np.int32), low, high)]
    done: list[NDArray[np.int32]] = []
    while open_:
        part, low, high = open_.pop()
        found = None if watch.stopped else _cut(at[:, part], types.counts[part], (high - low) / domain, problem.k)
        if found is None:
            done.append(part)
            continue
        column, median = found
        left = at[column, part] <= median
        until, since = high.copy(), low.copy()
        until[column] = since[column] = median
        open_ += [(part[left], low, until), (part[~left], since, high)]
    begins = np.concatenate(([0], np.cumsum([part.size for part in done]))).astype(np.int64)
    together = np.concatenate(done)
    return Parts(together, types.counts[together], begins)


def _line(places: Int64 | None, size: int) -> Int64:
    """Return where the values of a column lie, shape (size,)."""
    return np.arange(size, dtype=np.int64) if places is None else places


def _cut(at: NDArray[np.int64], rows: NDArray[np.int64], width: NDArray[np.float64], k: int) -> tuple[int, int] | None:
    """Return the column and the median of a part's cut, or None where none may be made."""
    total = int(rows.sum())
    if total < 2 * k:
        return None
    for column in np.argsort(-width, kind="stable"):
        if width[column] <= 0:
            return None
        order = np.argsort(at[column], kind="stable")
        median = at[column, order[np.searchsorted(2 * np.cumsum(rows[order]), total)]]
        below = int(rows[at[column] <= median].sum())
        if below >= k and total - below >= k:
            return int(column), int(median)
    return None
