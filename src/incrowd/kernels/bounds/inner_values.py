"""What every instance can add to a bound under requirements: its best valid class at given prices, from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.kernels.bounds.inner_equal import best_equal
from incrowd.kernels.bounds.inner_large import best_large
from incrowd.kernels.bounds.inner_lists import DISTINCT, EQUAL, LINE, SHARES, TRANSPORT, TREE
from incrowd.kernels.bounds.inner_members import filled, gains, places_of
from incrowd.kernels.bounds.inner_rays import best_ray, multiplier
from incrowd.kernels.bounds.inner_shares import best_shares
from incrowd.kernels.bounds.inner_small import best_listed, best_small, unfolded
from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Multipliers", "best_classes", "recounted"]

# y is rounded down by this much more than to the next whole number: what a few sums in floating point may lose.
MARGIN = 1e-9
NOTHING = -(1 << 60)
# The most that a multiplier may come to over an instance's rows.
ROOM = 2.0**58


class Multipliers(NamedTuple):
    """One multiplier per rule and instance; see `inner_rays.multiplier`.

    Attributes
    ----------
    y : (slots,) int64
    raw, extra : (slots,) float64
    weight, base : (R, G) float64
    spot : (R, G) float64
        Rows of the class that it belongs to, for the next search (0: none was looked for).
    """

    y: NDArray[np.int64]
    raw: NDArray[np.float64]
    extra: NDArray[np.float64]
    weight: NDArray[np.float64]
    base: NDArray[np.float64]
    spot: NDArray[np.float64]


@njit(cache=True, nogil=True)
def recounted(lists, costs, prices, y, weights, cut, begin, end, values):  # type: ignore[no-untyped-def]
    """Fill in what each of some instances can add at most, in whole numbers; y as it is stored.

    `costs`, (G,) int64, and `prices`, (t,) int64, are in the same parts of a cost unit. `y` is (slots,) int64, and
    `weights`, (c,) int64, as in `inner_small.best_small`. `cut` says whether what is below 0 counts as 0. The instances
    are given by `begin` and `end`, and the answer is written into `values`, (G,) int64.
    """
    family, least, equal = lists.family, lists.least, lists.equal
    at, first, all_share, all_total = lists.at, lists.first, lists.share, lists.total
    begins, members, counts, of_type = lists.begins, lists.members, lists.counts, lists.kinds
    needs, large, below, n = lists.needs, lists.large, lists.whole_below, lists.n
    listed, vectors, sizes = lists.listed, lists.vectors, lists.sizes
    for g in range(begin, end):
        a, b, need = begins[g], begins[g + 1], needs[g]
        values[g] = 0
        terms, rows, kinds = gains(members[a:b], counts, of_type, prices, costs[g])
        if cut and terms.max() <= 0:
            continue
        order = np.argsort(-terms, kind="mergesort")
        plain, _ = filled(order, terms, rows, need)
        if cut and plain <= 0:
            continue
        best = np.int64(0) if cut else np.int64(NOTHING)
        width, places = places_of(g, a, b, at, first)
        share, total = _shares(g, width, first, all_share, all_total)
        if below > need:
            take = np.zeros(b - a)
            if listed:
                best = best_listed(vectors, sizes, below, need, order, terms, rows, kinds, take, best)
            else:
                gain, owner, slot, rank = unfolded(width, places, order, terms, rows, below - 1)
                best = best_small(
                    family, least, equal, share, total, n, below, need, gain, owner, slot, rank, weights, take, best
                )  # fmt: skip
        if large[g] and best < plain:
            left = terms.copy()
            for r in range(family.size):
                for x in range(b - a):
                    left[x] -= y[at[r, a + x]]
            best = max(best, best_large(family, least, width, places, left, rows, max(need, below)))
        values[g] = min(plain, best)


@njit(cache=True, nogil=True)
def best_classes(lists, metrics, costs, prices, own, weights, begin, end, values, cover):  # type: ignore[no-untyped-def]
    """Fill in what each of some instances can add at most, improve its multipliers, and count the rows it uses.

    `own` has the multipliers, which are read and changed. The rows of each type in the instances' best classes are
    added to `cover`, (t,) float64. The other arguments are as for `recounted`.

    Notes
    -----
    An instance with nothing left under its multipliers is done in one pass. O(pairs), and for the others sorting and
    what the search for multipliers takes.
    """
    family, least, equal = lists.family, lists.least, lists.equal
    at, first, all_share, all_total = lists.at, lists.first, lists.share, lists.total
    begins, members, counts, of_type = lists.begins, lists.members, lists.counts, lists.kinds
    needs, large, below, n = lists.needs, lists.large, lists.whole_below, lists.n
    listed, vectors, sizes = lists.listed, lists.vectors, lists.sizes
    y = own.y
    for g in range(begin, end):
        a, b, need = begins[g], begins[g + 1], needs[g]
        values[g] = 0
        if not _something(members, prices, costs[g], y, at, a, b):
            continue
        terms, rows, kinds = gains(members[a:b], counts, of_type, prices, costs[g])
        order = np.argsort(-terms, kind="mergesort")
        plain, used = filled(order, terms, rows, need)
        if plain <= 0:
            continue
        width, places = places_of(g, a, b, at, first)
        share, total = _shares(g, width, first, all_share, all_total)
        take, best = np.zeros(b - a), np.int64(0)
        if below > need:
            if listed:
                best = best_listed(vectors, sizes, below, need, order, terms, rows, kinds, take, best)
            else:
                gain, owner, slot, rank = unfolded(width, places, order, terms, rows, below - 1)
                best = best_small(
                    family, least, equal, share, total, n, below, need, gain, owner, slot, rank, weights, take, best
                )  # fmt: skip
        if large[g] and best < plain:
            tried = np.zeros(b - a)
            most = _large(lists, metrics, own, g, order, terms, rows, width, places, share, best, tried)
            if most > best:
                best = most
                take[:] = tried
        if best >= plain:
            best = plain
            take[:] = used
        if best > 0:
            values[g] = best
            for x in range(b - a):
                cover[members[a + x]] += take[x]


@njit(cache=True, nogil=True)
def _something(members, prices, cost, y, at, a, b):  # type: ignore[no-untyped-def]
    """Return whether a row gains anything, multipliers taken off."""
    for x in range(a, b):
        gain = prices[members[x]] - cost
        for r in range(at.shape[0]):
            gain -= y[at[r, x]]
        if gain > 0:
            return True
    return False


@njit(cache=True, nogil=True)
def _shares(g, width, first, all_share, all_total):  # type: ignore[no-untyped-def]
    """Return per rule shares and rows in the table of the values of an instance, shape (R, most values)."""
    count = width.size
    share, total = np.zeros((count, width.max())), np.zeros((count, width.max()), np.int64)
    for r in range(count):
        for s in range(width[r]):
            share[r, s], total[r, s] = all_share[first[r, g] + s], all_total[first[r, g] + s]
    return share, total


@njit(cache=True, nogil=True)
def _large(lists, metrics, own, g, order, terms, rows, width, places, share, enough, take):  # type: ignore[no-untyped-def]
    """Return at least what a class of `whole_below` rows or more gains, under better multipliers if need be."""
    family, least, level, equal = lists.family, lists.least, lists.level, lists.equal
    own_y, own_raw, own_extra, first = own.y, own.raw, own.extra, lists.first
    size, need = terms.size, max(lists.needs[g], lists.whole_below)
    total = rows.sum()
    adjusted = terms.copy()
    for r in range(family.size):
        for x in range(size):
            adjusted[x] -= own_y[first[r, g] + places[r, x]]
    best = best_large(family, least, width, places, adjusted, rows, need)
    for x in range(size):
        take[x] = rows[x] if adjusted[x] > 0 else 0.0
    if best <= enough:
        return best
    if family.size == 1 and family[0] == DISTINCT:
        _distinct(least[0], width[0], places[0], order, terms, rows, need, take)
        return best
    tried = np.zeros(size)
    for r in range(family.size):
        close = family[r] in (TREE, LINE, TRANSPORT, EQUAL)
        if family[r] == DISTINCT or best <= enough:
            continue
        begin, end, at = first[r, g], first[r, g + 1], places[r]
        left, sequence = terms.astype(np.float64), order
        for other in range(family.size):
            if other != r:
                for x in range(size):
                    left[x] -= own_y[first[other, g] + places[other, x]]
        if family.size > 1:
            sequence = np.argsort(-left, kind="mergesort")
        raw, extra, y = own_raw[begin:end].copy(), own_extra[begin:end].copy(), np.empty(end - begin)
        state = np.array([own.weight[r, g], own.base[r, g]])
        spot, goal = own.spot[r, g], float(enough)
        if family[r] == SHARES:
            _, spot = best_shares(share[r, : width[r]], at, sequence, left, rows, need, goal, spot, raw, tried)
        elif family[r] == EQUAL or (close and equal[r] < 1.0 and spot == 0.0):
            _, spot, weight = best_equal(
                share[r, : width[r]], equal[r], at, sequence, left, rows, need, goal, spot,
                state[0] * level[r] / equal[r], raw, tried,
            )  # fmt: skip
            state[0], state[1] = weight * equal[r] / level[r], 0.0
            for s in range(end - begin):
                state[1] += share[r, s] * raw[s]
            spot = max(spot, 1.0)
        else:
            a, b = metrics.value_at[r], metrics.value_at[r + 1]
            c, d = metrics.node_at[r], metrics.node_at[r + 1]
            e, f = metrics.distance_at[r], metrics.distance_at[r + 1]
            metric = metrics.share[a:b], metrics.length[a:b], metrics.node[c:d], metrics.distance[e:f]
            best_ray(
                family[r], level[r], least[r], metric, lists.value[begin:end], at, left, rows, need, goal, state, raw,
                extra, tried,
            )  # fmt: skip
        multiplier(family[r], level[r], share[r], raw, extra, state[0], state[1], y)
        own.spot[r, g] = spot
        if np.abs(y).max() * total > ROOM:
            continue
        for x in range(size):
            adjusted[x] = terms[x] - _down(y[at[x]])
        for other in range(family.size):
            if other != r:
                for x in range(size):
                    adjusted[x] -= own_y[first[other, g] + places[other, x]]
        now = best_large(family, least, width, places, adjusted, rows, need)
        if now < best:
            best = now
            own.weight[r, g], own.base[r, g] = state[0], state[1]
            for s in range(end - begin):
                own_raw[begin + s], own_extra[begin + s], own_y[begin + s] = raw[s], extra[s], _down(y[s])
            take[:] = tried
    return best


@njit(cache=True, nogil=True)
def _down(y):  # type: ignore[no-untyped-def]
    """Return y as a whole number that is surely not above it."""
    return np.int64(np.floor(y - MARGIN * (1.0 + abs(y))))


@njit(cache=True, nogil=True)
def _distinct(least, width, at, order, terms, rows, need, take):  # type: ignore[no-untyped-def]
    """Fill in the best class of `need` rows or more with the values asked for by the only rule."""
    seen = np.zeros(width, np.bool_)
    take[:] = 0.0
    found, held = 0, 0
    for x in order:
        if not seen[at[x]] and found < least:
            seen[at[x]] = True
            found += 1
            take[x] = 1.0
            held += 1
    for x in order:
        spare = rows[x] - np.int64(take[x])
        use = spare if terms[x] > 0 else min(spare, max(need - held, 0))
        take[x] += use
        held += use
