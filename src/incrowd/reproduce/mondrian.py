"""Mondrian as the toolbox has it that the paper compares with: cuts by the widths of regions.

The paper's Mondrian is "an existing implementation" [1]_, by its address that of the UT Dallas Anonymization Toolbox
[2]_. It differs from the paper on Mondrian in what "widest" means: a part keeps the region that it was cut to (the
whole domain at first, the halves of a range after a cut), and the region's width counts, not that of the rows in it.
Texts are numbered in an order that its user writes down.

References
----------
.. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Section 3.4.
.. [2] UT Dallas Data Security and Privacy Lab, "UTD Anonymization Toolbox", ``mondrian/Mondrian.java``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Problem


def cut_regions(problem: Problem, watch: Watch) -> list[NDArray[np.integer[Any]]]:
    """Return the toolbox's parts, each as row types with at least k rows together.

    Columns with `Problem.places` lie by these, all others by their codes. The watch is asked at every part: parts not
    cut yet then stay as they are. A part is cut in the column whose region is widest as a share of the domain (the
    first of them), among those whose median leaves k rows on both sides; the median, the least value that half of the
    rows do not exceed, goes left. O(m t log t) time for a round of cuts, about log2(n / k) rounds; O(m t) memory.
    """
    types = problem.types
    lines = [np.arange(d) if at is None else at for d, at in zip(types.sizes, problem.places, strict=True)]
    at = np.stack([line[types.codes[:, j]] for j, line in enumerate(lines)])
    low, high = at.min(axis=1), at.max(axis=1)
    domain = np.maximum(high - low, 1).astype(np.float64)
    open_ = [(np.arange(types.t), low, high)]
    done: list[NDArray[np.integer[Any]]] = []
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
    return done


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
