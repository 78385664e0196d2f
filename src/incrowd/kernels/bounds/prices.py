"""Lagrangian prices over a list of instances: reduced costs, and steps to better prices."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["cheapest_rest", "reduced_costs", "subgradient_steps"]


@njit(cache=True, nogil=True)
def cheapest_rest(terms, counts, filled, missing, low, rows):  # type: ignore[no-untyped-def]
    """Return the cost of the `missing` cheapest rows among types with terms >= 0.

    `terms`, (c,) numbers, is the cost of a row, and `counts`, (c,) int64, its rows; the first `filled` entries count.
    `missing` is at most the sum of the counts. `low` and `rows` are scratch, at least `filled` long.

    Notes
    -----
    Keeps a sorted buffer that holds no more types than are needed: O(filled + changes * buffer).
    """
    held = 0
    size = 0
    for x in range(filled):
        term = terms[x]
        if held >= missing and term >= low[size - 1]:
            continue
        y = size
        while y > 0 and low[y - 1] > term:
            low[y] = low[y - 1]
            rows[y] = rows[y - 1]
            y -= 1
        low[y] = term
        rows[y] = counts[x]
        held += counts[x]
        size += 1
        while held - rows[size - 1] >= missing:
            size -= 1
            held -= rows[size]
    total = low[0] * 0
    for x in range(size):
        use = min(rows[x], missing)
        total += use * low[x]
        missing -= use
    return total


@njit(cache=True, nogil=True)
def reduced_costs(begins, members, counts, costs, needs, prices, ceiling, rc, used):  # type: ignore[no-untyped-def]
    """Price every instance: the least of sum (w_g - pi_r) over multisets of at least k_g of its rows.

    `begins`, `members`, `counts`, `costs` and `needs` are as in `incrowd.tables.solve.shared.instances.Instances`.
    Costs and prices, (t,) int64 or float64, are of the same kind of number.

    The reduced costs are written into `rc`, (g,). Above `ceiling` an estimate from below is enough, and stands there.
    Rows of each type that the instances with rc < 0 use are added to `used`, (t,) int64, unless that array is empty.

    It takes O(pairs), and as much again for instances that look cheap.
    """
    longest = 0
    for g in range(costs.size):
        longest = max(longest, begins[g + 1] - begins[g])
    terms = np.empty(longest, prices.dtype)
    rows = np.empty(longest, np.int64)
    low = np.empty(longest + 1, prices.dtype)
    low_rows = np.empty(longest + 1, np.int64)
    total = prices[:1].sum() * 0
    for g in range(costs.size):
        w = costs[g]
        negative = w * 0
        count = 0
        filled = 0
        least = w * 0
        for x in range(begins[g], begins[g + 1]):
            i = members[x]
            term = w - prices[i]
            if term < 0:
                negative += term * counts[i]
                count += counts[i]
            else:
                if filled == 0 or term < least:
                    least = term
                terms[filled] = term
                rows[filled] = counts[i]
                filled += 1
        missing = needs[g] - count
        value = negative
        if missing > 0:
            value += missing * least
            if value <= ceiling:
                value = negative + cheapest_rest(terms, rows, filled, missing, low, low_rows)
        rc[g] = value
        if value < 0:
            total += value
            if used.size:
                border = w * 0
                spare = 0
                if missing > 0:
                    border, spare = _border(terms, rows, filled, missing, low, low_rows)
                for x in range(begins[g], begins[g + 1]):
                    i = members[x]
                    term = w - prices[i]
                    if term < 0 or (missing > 0 and term < border):
                        used[i] += counts[i]
                    elif missing > 0 and term == border and spare > 0:
                        take = min(spare, counts[i])
                        used[i] += take
                        spare -= take
    return total


@njit(cache=True, nogil=True)
def _border(terms, counts, filled, missing, low, rows):  # type: ignore[no-untyped-def]
    """Return the term of the last of the `missing` cheapest rows, and how many rows of that term are used."""
    cheapest_rest(terms, counts, filled, missing, low, rows)
    x = 0
    while missing > rows[x]:
        missing -= rows[x]
        x += 1
    border = low[x]
    while x > 0 and low[x - 1] == border:
        x -= 1
        missing += rows[x]
    return border, missing


@njit(cache=True, nogil=True)
def subgradient_steps(begins, members, counts, costs, needs, caps, target, steps, state, prices, best, move):  # type: ignore[no-untyped-def]
    """Take some steps of the deflected subgradient method; everything it needs to go on is in its arrays.

    `costs` is (g,) float64. Prices are cut down to `caps`, (t,) float64: the cost of a free instance that every type
    may use. `target` is the value to step towards.

    Read and changed are `state`, (3,) float64, with the best value, the step factor theta and the evaluations without
    gain, and `prices`, `best` and `move`, (t,) float64: the prices now, at the best value, and the direction.
    """
    t = counts.size
    rc = np.empty(costs.size, np.float64)
    used = np.empty(t, np.int64)
    for _ in range(steps):
        used[:] = 0
        value = 0.0
        for i in range(t):
            value += counts[i] * prices[i]
        value += reduced_costs(begins, members, counts, costs, needs, prices, 0.0, rc, used)
        if value > state[0]:
            if value > state[0] + 1e-6 * abs(target):
                state[2] = 0
            state[0] = value
            best[:] = prices
        else:
            state[2] += 1
        if state[2] >= 12:
            state[2] = 0
            state[1] *= 0.7
            prices[:] = best
            move[:] = 0.0
            continue
        norm = 0.0
        for i in range(t):
            move[i] = 0.5 * move[i] + 0.5 * (counts[i] - used[i]) / counts[i]
            norm += counts[i] * move[i] * move[i]
        if norm < 1e-12 or value >= target:
            return
        step = state[1] * (target - value) / norm
        for i in range(t):
            prices[i] = min(prices[i] + step * move[i], caps[i])
