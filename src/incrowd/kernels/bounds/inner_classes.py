"""The best class of every instance at given prices, row by row: what a linear program over classes is fed with."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_large import best_large
from incrowd.kernels.bounds.inner_lists import DISTINCT
from incrowd.kernels.bounds.inner_members import filled, gains, places_of
from incrowd.kernels.bounds.inner_small import best_listed
from incrowd.loops import njit

__all__ = ["NO_CLASS", "best_of_each"]

NO_CLASS = -(1 << 60)


@njit(cache=True, nogil=True)
def best_of_each(lists, costs, prices, state, values, takes):  # type: ignore[no-untyped-def]
    """Fill in what a class of each instance gains at most, in whole numbers, and the rows of one that gains as much.

    The lists have small classes listed, or none is looked at (`whole_below` 1). `costs`, (G,) int64, and `prices`, (t,)
    int64, are in the same parts of a cost unit. `state`, (G,) int8, is 0 for a class or none, at least 0; 1 for a
    class, `NO_CLASS` where there can be none; and -1 for none, 0.

    The gains are written into `values`, (G,) int64, and the rows into `takes`, (pairs,) float64. Where classes of many
    rows decide and several rules ask for values, the rows may gain less than is said.

    Notes
    -----
    As `inner_values.recounted` without multipliers. O(pairs log pairs + instances that gain * listed classes * kinds).
    """
    family, least, at, first = lists.family, lists.least, lists.at, lists.first
    begins, members, counts, of_type = lists.begins, lists.members, lists.counts, lists.kinds
    below = lists.whole_below
    takes[:] = 0.0
    for g in range(costs.size):
        a, b, need = begins[g], begins[g + 1], lists.needs[g]
        values[g] = 0
        if state[g] < 0:
            continue
        terms, rows, kinds = gains(members[a:b], counts, of_type, prices, costs[g])
        opened = state[g] > 0
        if not opened and terms.max() <= 0:
            continue
        order = np.argsort(-terms, kind="mergesort")
        plain, used = filled(order, terms, rows, need)
        if not opened and plain <= 0:
            continue
        best = np.int64(NO_CLASS) if opened else np.int64(0)
        take = np.zeros(b - a)
        if below > need and lists.listed:
            best = best_listed(lists.vectors, lists.sizes, below, need, order, terms, rows, kinds, take, best)
        if lists.large[g] and best < plain:
            width, places = places_of(g, a, b, at, first)
            most = best_large(family, least, width, places, terms, rows, max(need, below))
            if most > best:
                best = most
                take = _large(family, least, width, places, order, terms, rows, max(need, below))
        if best >= plain:
            best = plain
            take = used
        values[g] = best
        takes[a:b] = take


@njit(cache=True, nogil=True)
def _large(family, least, width, places, order, terms, rows, need):  # type: ignore[no-untyped-def]
    """Return the rows of a best class of `need` rows or more with the values that the first such rule asks for."""
    free = rows.copy()
    chosen = np.zeros(terms.size)
    held = np.int64(0)
    for r in range(family.size):
        if family[r] != DISTINCT:
            continue
        seen = np.zeros(width[r], np.bool_)
        for x in order:
            if not seen[places[r, x]] and held < least[r]:
                seen[places[r, x]] = True
                chosen[x] += 1.0
                free[x] -= 1
                held += 1
        break
    _, used = filled(order, terms, free, need - held)
    return chosen + used
