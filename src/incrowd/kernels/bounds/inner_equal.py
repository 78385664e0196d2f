"""The best multiplier of an instance under t-closeness with the equal distance."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_large import filled
from incrowd.loops import njit

__all__ = ["best_equal"]

TRIALS = 12


@njit(cache=True, nogil=True)
def best_equal(share, level, at, order, terms, rows, need, enough, spot, weight, raw, take):  # type: ignore[no-untyped-def]
    """Look for mu and F, 0 <= F_v <= mu, such that y_v = F_v - sum q F - t mu leaves the least gain.

    `share`, (s,) float64, is the share of each value in the table, `level` is t, and `weight` is mu the last time. F
    per value is written into `raw`, (s,) float64. The other arguments are as for `best_shares`. Returned are the value,
    the spot and the weight.

    Notes
    -----
    A class of N rows whose rows above q_v N cost mu each ends at some gain; mu is raised until the rows above are
    t N. Two nested bisections of O(m) steps, each begun where it ended the last time.
    """
    count = share.size
    adjusted = np.empty(terms.size)
    low_terms, low_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    rest, rest_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    best = np.inf
    held = np.zeros(count)
    before = np.empty(terms.size)
    for x in order:
        before[x] = held[at[x]]
        held[at[x]] += rows[x]
    high = held.sum()
    for _ in range(60):
        reached = 0.0
        for s in range(count):
            reached += min(held[s], share[s] * high)
        reached /= 1.0 - level
        if reached >= high - 1e-6:
            break
        high = reached
    low = float(need)
    if high < low:
        high = low
    span = terms[order[0]] - terms[order[-1]] + 1.0
    mine, after, tried = np.zeros(count), np.empty(count), np.zeros(terms.size)
    found, price = spot, weight
    warm = low <= spot <= high
    middle = spot if warm else min(high, 2.0 * low)
    factor, brackets = (1.3 if warm else 2.0), 0
    now = weight if warm else 0.0
    for _ in range(TRIALS):
        now, end = _balanced(order, at, terms, rows, share, before, middle, level, span, now)
        slope = _slopes(order, at, terms, rows, share, before, middle, end, now, mine, after) + end + level * now
        whole = level * now
        for s in range(count):
            whole += share[s] * mine[s]
        for x in range(terms.size):
            adjusted[x] = terms[x] - mine[at[x]] + whole
        value = filled(adjusted, rows, need, low_terms, low_rows, rest, rest_rows)
        if value < best:
            raw[:] = mine
            best, found, price = value, middle, now
            _walk(order, at, terms, rows, share, before, middle, now, tried, True)
            take[:] = tried
        if best <= enough:
            break
        if slope > 0:
            low = middle
            brackets |= 1
            middle = 0.5 * (low + high) if brackets & 2 else min(high, middle * factor)
        else:
            high = middle
            brackets |= 2
            middle = 0.5 * (low + high) if brackets & 1 else max(low, middle / factor)
        factor *= 1.5
        if high - low < 0.3 or abs(middle - found) < 0.05:
            break
    return best, found, price


@njit(cache=True, nogil=True)
def _balanced(order, at, terms, rows, share, before, size, level, span, guess):  # type: ignore[no-untyped-def]
    """Return the least mu at which the excess is at most t times the size, and the gain at which the class ends."""
    low, high = 0.0, span
    end, excess = _walk(order, at, terms, rows, share, before, size, 0.0, terms, False)
    if excess <= level * size:
        return 0.0, end
    if guess > 0:
        end, excess = _walk(order, at, terms, rows, share, before, size, 0.8 * guess, terms, False)
        if excess > level * size:
            low = 0.8 * guess
            end, excess = _walk(order, at, terms, rows, share, before, size, 1.25 * guess, terms, False)
            if excess > level * size:
                low = 1.25 * guess
            else:
                high = min(high, 1.25 * guess)
        else:
            high = min(high, 0.8 * guess)
    for _ in range(20):
        middle = 0.5 * (low + high)
        end, excess = _walk(order, at, terms, rows, share, before, size, middle, terms, False)
        if excess > level * size:
            low = middle
        else:
            high = middle
        if high - low <= 0.01 * high:
            break
    end, _ = _walk(order, at, terms, rows, share, before, size, high, terms, False)
    return high, end


@njit(cache=True, nogil=True)
def _walk(order, at, terms, rows, share, before, size, weight, take, write):  # type: ignore[no-untyped-def]
    """Take `size` rows, those above q_v N at mu less each: the gain at which it ends, and the rows above."""
    if write:
        take[:] = 0.0
    total, excess, end = 0.0, 0.0, -np.inf
    a = b = 0
    while total < size - 1e-9 and (a < order.size or b < order.size):
        plain = -np.inf
        if a < order.size:
            plain = terms[order[a]]
        dear = -np.inf
        if b < order.size:
            dear = terms[order[b]] - weight
        if plain >= dear:
            x = order[a]
            a += 1
            use = min(max(share[at[x]] * size - before[x], 0.0), rows[x] * 1.0)
            here = plain
        else:
            x = order[b]
            b += 1
            use = rows[x] - min(max(share[at[x]] * size - before[x], 0.0), rows[x] * 1.0)
            here = dear
        use = min(use, size - total)
        if use <= 1e-12:
            continue
        total += use
        end = here
        if here == dear and plain < dear:
            excess += use
        if write:
            take[x] += use
    return end, excess


@njit(cache=True, nogil=True)
def _slopes(order, at, terms, rows, share, before, size, end, weight, mine, after):  # type: ignore[no-untyped-def]
    """Fill in F, and return the sum of q_v times what the next row of v gains, within 0 and mu."""
    mine[:] = 0.0
    after[:] = -np.inf
    for x in order:
        s = at[x]
        cap = share[s] * size
        if before[x] < cap - 1e-9 and cap <= before[x] + rows[x] + 1e-9:
            mine[s] = min(max(terms[x] - end, 0.0), weight)
        if after[s] == -np.inf and before[x] + rows[x] > cap + 1e-9:
            after[s] = terms[x]
    slope = 0.0
    for s in range(share.size):
        if after[s] > -np.inf:
            slope += share[s] * min(max(after[s] - end, 0.0), weight)
    return slope
