"""The check's own loop over every range: in each group of equal nodes all runs of cells, priced one by one."""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["TOO_LOW", "below_zero"]

TOO_LOW = -(1 << 60)


@njit(cache=True, nogil=True)
def below_zero(lines, paid, place, value, before, unit, counts, k, parts, prices, hub, runs):
    """Return the sum of what every undominated instance of one pattern adds below 0; `TOO_LOW` or less: too much.

    Parameters
    ----------
    lines : (m, t) int64
        Node of each type in each of the other columns; then m lines of the same one level lower (-1: none).
    paid : (t,) int64
        What the pattern costs, in `parts`.
    place, value : (t,) int64
        Cell and value of each type in the ranged column.
    before : (G + 1,) int64
        Distinct values before each cell.
    unit : int
        Of each further distinct value, in `parts`.
    counts, prices : (t,) int64
    hub : bool
        Whether the run of all cells is full suppression, which is no instance here.
    runs : (t,) int64
        The types, those of equal nodes together, within them by cell and value.
    """
    m = lines.shape[0] // 2
    total = np.int64(0)
    t = runs.size
    price = np.empty(t, np.int64)
    rows = np.empty(t, np.int64)
    lo = 0
    while lo < t:
        hi = lo + 1
        while hi < t:
            same = True
            for j in range(m):
                if lines[j, runs[hi]] != lines[j, runs[lo]]:
                    same = False
                    break
            if not same:
                break
            hi += 1
        many = np.int64(0)
        highest = prices[runs[lo]]
        for x in range(lo, hi):
            many += counts[runs[x]]
            highest = max(highest, prices[runs[x]])
        base = paid[runs[lo]]
        if many >= k and highest > base:
            for first in range(lo, hi):
                if first > lo and value[runs[first]] == value[runs[first - 1]]:
                    continue
                # from here on: runs begin with a whole cell, single values with themselves
                whole = first == lo or place[runs[first]] != place[runs[first - 1]]
                size = 0
                held = np.int64(0)
                for last in range(first, hi):
                    i = runs[last]
                    if not whole and value[i] != value[runs[first]]:
                        break
                    y = size
                    while y > 0 and price[y - 1] < prices[i]:
                        price[y] = price[y - 1]
                        rows[y] = rows[y - 1]
                        y -= 1
                    price[y] = prices[i]
                    rows[y] = counts[i]
                    size += 1
                    held += counts[i]
                    one = value[i] == value[runs[first]]
                    ends_value = last + 1 == hi or value[runs[last + 1]] != value[i]
                    ends_cell = last + 1 == hi or place[runs[last + 1]] != place[i]
                    cost = base
                    if not one:
                        cost += (before[place[i] + 1] - before[place[runs[first]]] - 1) * unit
                    if cost >= highest:
                        break
                    if held < k or not (ends_value if one else ends_cell):
                        continue
                    if hub and not one and place[runs[first]] == 0 and place[i] == before.size - 2:
                        continue
                    found = _least(price, rows, size, cost, k)
                    if found < 0 and not _lower(lines, m, runs, first, last):
                        total += found
                        if total <= TOO_LOW:
                            return total
        lo = hi
    return total


@njit(cache=True, nogil=True)
def _least(price, rows, size, cost, k):
    """Return the least of sum (cost - price) over at least k rows."""
    total = np.int64(0)
    taken = np.int64(0)
    for x in range(size):
        if price[x] <= cost and taken >= k:
            break
        use = rows[x] if price[x] > cost else min(rows[x], k - taken)
        total += (cost - price[x]) * use
        taken += use
    return total


@njit(cache=True, nogil=True)
def _lower(lines, m, runs, first, last):
    """Return whether one of the other columns agrees one level lower for all types of a run."""
    for j in range(m):
        own = lines[m + j, runs[first]]
        if own < 0:
            continue
        alike = True
        for x in range(first + 1, last + 1):
            if lines[m + j, runs[x]] != own:
                alike = False
                break
        if alike:
            return True
    return False
