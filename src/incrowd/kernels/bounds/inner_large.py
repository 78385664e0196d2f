"""The best large class of an instance under multipliers: what is left of the gains, then filling."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_lists import DISTINCT
from incrowd.kernels.bounds.prices import cheapest_rest
from incrowd.loops import njit

__all__ = ["best_large", "filled"]


@njit(cache=True, nogil=True)
def filled(terms, rows, need, low, low_rows, rest, rest_rows):  # type: ignore[no-untyped-def]
    """Return what all rows with positive terms come to, filled up to `need` rows with the least negative ones.

    `terms`, (m,) numbers, and `rows`, (m,) int64, have at least `need` rows in all. The other four arrays are scratch,
    (m + 1,).
    """
    total, held, left = terms[0] * 0, 0, 0
    for x in range(terms.size):
        if terms[x] > 0:
            total += terms[x] * rows[x]
            held += rows[x]
        elif rows[x] > 0:
            rest[left], rest_rows[left] = -terms[x], rows[x]
            left += 1
    if held < need and left:
        total -= cheapest_rest(rest, rest_rows, left, need - held, low, low_rows)
    return total


@njit(cache=True, nogil=True)
def best_large(family, least, width, places, terms, rows, need):  # type: ignore[no-untyped-def]
    """Return at least what a valid class of `need` rows or more gains, multipliers taken off the terms already.

    `family` and `least`, (R,) int64, are the rules'. `width`, (R,) int64, counts the values that the instance has of
    each rule's column, and `places`, (R, m) int64, says which of them each member has. `terms`, (m,) numbers, and
    `rows`, (m,) int64, have at least `need` rows in all.

    Notes
    -----
    The best row of each of the l best values comes first where l values are asked for; of several such rules the one
    that leaves most counts. O(m) for each.
    """
    size = terms.size
    low, low_rows = np.empty(size + 1, terms.dtype), np.empty(size + 1, np.int64)
    rest, rest_rows = np.empty(size + 1, terms.dtype), np.empty(size + 1, np.int64)
    total, asked = terms[0] * 0, False
    for r in range(family.size):
        if family[r] != DISTINCT:
            continue
        champion = np.full(width[r], -1, np.int64)
        for x in range(size):
            s = places[r, x]
            if champion[s] < 0 or terms[x] > terms[champion[s]]:
                champion[s] = x
        ranks = np.argsort(-terms[champion], kind="mergesort")
        left = rows.copy()
        fixed, held = terms[0] * 0, 0
        for place in range(min(least[r], ranks.size)):
            x = champion[ranks[place]]
            left[x] -= 1
            fixed += terms[x]
            held += 1
        here = fixed + filled(terms, left, need - held, low, low_rows, rest, rest_rows)
        if not asked or here > total:
            total = here
        asked = True
    if not asked:
        total = filled(terms, rows, need, low, low_rows, rest, rest_rows)
    return total
