"""An instance's members at given prices: what each gains, its values among the instance's, and a class of the best."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["filled", "gains", "places_of"]


@njit(cache=True, nogil=True)
def gains(here, counts, of_type, prices, cost):  # type: ignore[no-untyped-def]
    """Return gain, rows and kind of each member, shape (size,) int64 each.

    `here`, (size,) int, has the members: row types. `counts`, `of_type` and `prices`, (t,) int64, are rows, kind and
    price of each type. `cost` is that of a row in the instance, in the prices' parts.
    """
    terms, rows, kinds = np.empty(here.size, np.int64), np.empty(here.size, np.int64), np.empty(here.size, np.int64)
    for x in range(here.size):
        i = here[x]
        terms[x], rows[x], kinds[x] = prices[i] - cost, counts[i], of_type[i]
    return terms, rows, kinds


@njit(cache=True, nogil=True)
def places_of(g, a, b, at, first):  # type: ignore[no-untyped-def]
    """Return per rule how many values instance g has, shape (R,), and which of them its members have, (R, b - a).

    The members of the instance begin at `a` and end at `b`. `at`, (R, pairs) int, is the slot of each member's value,
    and `first`, (R, G + 1) int64, says where each instance's slots begin.
    """
    width = first[:, g + 1] - first[:, g]
    places = np.empty((at.shape[0], b - a), np.int64)
    for r in range(at.shape[0]):
        for x in range(b - a):
            places[r, x] = at[r, a + x] - first[r, g]
    return width, places


@njit(cache=True, nogil=True)
def filled(order, terms, rows, need):  # type: ignore[no-untyped-def]
    """Return all rows that gain, filled up to `need` with the least losses: their gain, and the rows used of each.

    `order`, (size,) int, has the members, the one that gains most first. `terms` is the gain of a row, and `rows` the
    rows to be had, both (size,) int64.
    """
    total, held = np.int64(0), np.int64(0)
    used = np.zeros(terms.size)
    for x in order:
        if terms[x] <= 0 and held >= need:
            break
        use = rows[x] if terms[x] > 0 else min(rows[x], need - held)
        total += use * terms[x]
        held += use
        used[x] = use
    return total, used
