"""The best multiplier of an instance where every value has a largest share of a class."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_large import filled
from incrowd.loops import njit

__all__ = ["best_shares"]


@njit(cache=True, nogil=True)
def best_shares(share, at, order, terms, rows, need, enough, spot, raw, take):  # type: ignore[no-untyped-def]
    """Look for mu >= 0 such that y_v = mu_v - sum share mu leaves the least gain; a bisection on the class's size.

    `share`, (s,) float64, is the share that each value may have, and `at`, (m,) int64, the value of each member.
    `order`, (m,) integers, has the members, largest terms first. `terms`, (m,) float64, are gains less the multipliers
    of other rules. The class has at least `need` rows, `enough` is the gain at which to stop, and `spot` the size of
    the class the last time (0: none).

    Written are mu per value into `raw`, (s,) float64, and the rows of each member in the class that the multiplier
    belongs to into `take`, (m,) float64. Returned are what is left under `raw`, and the spot, both floats.

    Notes
    -----
    With N rows a value v has at most share_v N of them. The class of N best rows within these caps ends at some gain;
    the slope in N is that gain plus, for every value at its cap, share_v times what its next row gains above it.
    O(m) a step, O(log N) steps.
    """
    count = share.size
    adjusted = np.empty(terms.size)
    low_terms, low_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    rest, rest_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    best = np.inf
    held = np.zeros(count)
    for x in range(terms.size):
        held[at[x]] += rows[x]
    high = held.sum()
    for _ in range(60):
        reached = 0.0
        for s in range(count):
            reached += min(held[s], share[s] * high)
        if reached >= high - 1e-6:
            break
        high = reached
    low = float(need)
    found = spot
    mine, taken, last, after = np.zeros(count), np.empty(count), np.empty(count), np.empty(count)
    tried = np.zeros(terms.size)
    middle = 0.5 * (low + high) if not low < spot < high else spot
    for trial in range(24):
        end, reached = _capped(order, at, terms, rows, share, middle, taken, last, after, tried)
        if reached < middle - 1e-6 * (1 + middle):
            high = middle
        else:
            slope = end
            for s in range(count):
                mine[s] = max(0.0, last[s] - end) if taken[s] >= share[s] * middle - 1e-9 else 0.0
                slope += share[s] * max(0.0, after[s] - end)
            whole = 0.0
            for s in range(count):
                whole += share[s] * mine[s]
            for x in range(terms.size):
                adjusted[x] = terms[x] - mine[at[x]] + whole
            value = filled(adjusted, rows, need, low_terms, low_rows, rest, rest_rows)
            if value < best:
                best, found = value, middle
                raw[:] = mine
                take[:] = tried
            if best <= enough:
                break
            if slope > 0:
                low = middle
            else:
                high = middle
        if high - low < 0.25:
            break
        if trial == 0 and middle == spot:
            middle = (
                min(middle * 1.1 + 1, 0.5 * (low + high)) if low == spot else max(middle / 1.1 - 1, 0.5 * (low + high))
            )
        else:
            middle = 0.5 * (low + high)
    return best, found


@njit(cache=True, nogil=True)
def _capped(order, at, terms, rows, share, size, taken, last, after, take):  # type: ignore[no-untyped-def]
    """Take the `size` best rows with at most share times size of each value: the last one's gain, and how many."""
    taken[:] = 0.0
    last[:] = -np.inf
    after[:] = -np.inf
    take[:] = 0.0
    total, end = 0.0, -np.inf
    for x in order:
        s = at[x]
        space = share[s] * size - taken[s]
        use = min(min(rows[x] * 1.0, space), size - total)
        if use > 1e-12:
            taken[s] += use
            total += use
            take[x] = use
            last[s] = terms[x]
            end = terms[x]
        if rows[x] > space + 1e-12 and after[s] == -np.inf:
            after[s] = terms[x]
        if total >= size - 1e-9:
            break
    return end, total
