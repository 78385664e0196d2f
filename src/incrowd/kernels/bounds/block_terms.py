"""Reduced costs with the terms of cuts in them, and the pairs that the program of a block of row types needs."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.prices import cheapest_rest
from incrowd.loops import njit

__all__ = ["block_pairs", "cut_reduced_costs"]


@njit(cache=True, nogil=True)
def cut_reduced_costs(begins, members, counts, costs, needs, prices, extra, fixed, chosen, rc):  # type: ignore[no-untyped-def]
    """Price some instances with the terms of cuts; return the sum of what is negative.

    `begins`, `members`, `counts` and `needs` are as in `incrowd.tables.solve.shared.instances.Instances`. `costs` is
    (g,) float64 and `prices` (t,) float64. `extra`, (p,) float64, has the cut terms of a row per pair, and `fixed`,
    (g,) float64, those of opening an instance. `chosen`, (c,) int64, are the instances to price; their reduced costs
    are written into `rc`, (g,) float64, in their places.

    It takes O(pairs of the chosen ones), and as much again at worst.
    """
    longest = 1
    for g in chosen:
        longest = max(longest, begins[g + 1] - begins[g])
    terms = np.empty(longest)
    rows = np.empty(longest, np.int64)
    low = np.empty(longest + 1)
    low_rows = np.empty(longest + 1, np.int64)
    total = 0.0
    for g in chosen:
        value = fixed[g]
        count = 0
        filled = 0
        for y in range(begins[g], begins[g + 1]):
            i = members[y]
            term = costs[g] - prices[i] + extra[y]
            if term < 0:
                value += term * counts[i]
                count += counts[i]
            else:
                terms[filled] = term
                rows[filled] = counts[i]
                filled += 1
        if needs[g] > count:
            value += cheapest_rest(terms, rows, filled, needs[g] - count, low, low_rows)
        rc[g] = value
        if value < 0:
            total += value
    return total


@njit(cache=True, nogil=True)
def block_pairs(begins, members, counts, costs, needs, prices, extra, inside, chosen):  # type: ignore[no-untyped-def]
    """Return the pairs that the program of a block needs: all of its types, of others those that can be of use.

    Of the types outside the block, whose prices are held, an instance uses the negative ones and the cheapest others,
    `needs` rows at most. `inside`, (t,) bool, marks the types of the block; the other arguments are as in
    `cut_reduced_costs`.

    Returned are the number of pairs of each chosen instance, (c,) int64, and the places of the pairs, (q,) int64,
    increasing inside an instance.
    """
    lengths = np.zeros(chosen.size, np.int64)
    longest = 1
    total = 0
    for g in chosen:
        longest = max(longest, begins[g + 1] - begins[g])
        total += begins[g + 1] - begins[g]
    pairs = np.empty(total, np.int64)
    terms = np.empty(longest)
    places = np.empty(longest, np.int64)
    keep = np.zeros(longest, np.bool_)
    size = 0
    for c in range(chosen.size):
        g = chosen[c]
        first = begins[g]
        width = begins[g + 1] - first
        filled = 0
        for y in range(width):
            i = members[first + y]
            keep[y] = inside[i]
            if not inside[i]:
                terms[filled] = costs[g] - prices[i] + extra[first + y]
                places[filled] = y
                filled += 1
        if filled:
            order = np.argsort(terms[:filled], kind="mergesort")
            held = 0
            for z in order:
                if terms[z] >= 0 and held >= needs[g]:
                    break
                keep[places[z]] = True
                held += counts[members[first + places[z]]]
        for y in range(width):
            if keep[y]:
                pairs[size] = first + y
                size += 1
                lengths[c] += 1
    return lengths, pairs[:size].copy()
