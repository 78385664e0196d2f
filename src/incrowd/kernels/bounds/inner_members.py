"""An instance's members at given prices: what each gains, its values among the instance's, and a class of the best."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["filled", "gains", "places_of"]


@njit(cache=True, nogil=True)
def gains(here, counts, of_type, prices, cost):  # type: ignore[no-untyped-def]
    """Return gain, rows and kind of each member, shape (size,) int64 each.

    Parameters
    ----------
    here : (size,) int
        The members: row types.
    counts, of_type, prices : (t,) int64
        Rows, kind and price of each type.
    cost : int
        Of a row in the instance, in the prices' parts.
    """
    terms, rows, kinds = np.empty(here.size, np.int64), np.empty(here.size, np.int64), np.empty(here.size, np.int64)
    for x in range(here.size):
        i = here[x]
        terms[x], rows[x], kinds[x] = prices[i] - cost, counts[i], of_type[i]
    return terms, rows, kinds


@njit(cache=True, nogil=True)
def places_of(g, a, b, at, first):  # type: ignore[no-untyped-def]
    """Return per rule how many values instance g has, shape (R,), and which of them its members have, (R, b - a).

    Parameters
    ----------
    g, a, b : int
        The instance, and where its members begin and end.
    at : (R, pairs) int
        Slot of each member's value.
    first : (R, G + 1) int64
        Where each instance's slots begin.
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

    Parameters
    ----------
    order : (size,) int
        Members, the one that gains most first.
    terms, rows : (size,) int64
        Gain of a row, and rows to be had.
    need : int
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
