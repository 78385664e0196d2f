"""What no release up to a given cost can have, by reduced costs, in integers."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["ruled_out"]


@njit(cache=True, nogil=True)
def ruled_out(begins, members, counts, costs, needs, prices, extra, fixed, base, most):  # type: ignore[no-untyped-def]
    """Return which instances must be closed, which open, and which pairs empty.

    See `incrowd.tables.solve.exact.reduced_cost_fixing`. The first two are (g,) bool, the last is (p,) bool; pairs of
    open or undecided instances alone are marked.

    `begins`, `members`, `counts` and `needs` are as in `Instances`. `costs`, (g,) int64, and `most` are in parts, and
    `prices` are (t,) int64. `extra`, (p,) int64, has the cut terms of a row per pair, and `fixed`, (g,) int64, those of
    opening an instance. `base` is what the value begins with: prices times counts, and the cuts' constant.
    """
    g = costs.size
    values = np.zeros(g, np.int64)  # least value of the instance when open
    filler = np.zeros(g, np.int64)  # dearest row taken to fill its crowd, 0 without any
    never = np.zeros(g, np.bool_)
    longest = 0
    for h in range(g):
        longest = max(longest, begins[h + 1] - begins[h])
    terms = np.empty(longest, np.int64)
    places = np.empty(longest, np.int64)
    total = base
    for h in range(g):
        size = 0
        value = fixed[h]
        missing = needs[h]
        for y in range(begins[h], begins[h + 1]):
            term = costs[h] - prices[members[y]] + extra[y]
            if term < 0:
                value += term * counts[members[y]]
                missing -= counts[members[y]]
            else:
                terms[size] = term
                places[size] = y
                size += 1
        if missing > 0:
            for place in np.argsort(terms[:size], kind="mergesort"):
                if missing <= 0:
                    break
                take = min(missing, counts[members[places[place]]])
                value += take * terms[place]
                filler[h] = terms[place]
                missing -= take
            never[h] = missing > 0
        values[h] = value
        if not never[h]:
            total += min(value, 0)
    closed = np.zeros(g, np.bool_)
    opened = np.zeros(g, np.bool_)
    empty = np.zeros(members.size, np.bool_)
    for h in range(g):
        rest = total if never[h] else total - min(values[h], 0)
        if never[h] or rest + values[h] > most:
            closed[h] = True
            continue
        opened[h] = needs[h] > 0 and rest > most
        for y in range(begins[h], begins[h + 1]):
            term = costs[h] - prices[members[y]] + extra[y]
            empty[y] = term > filler[h] and rest + values[h] + term - filler[h] > most
    return closed, opened, empty
