"""The least cost of every multiset of row types that can be left, one group taken away at a time."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["NEVER", "list_groups", "take_groups", "take_listed"]

NEVER = np.iinfo(np.int64).max // 4


@njit(cache=True, nogil=True)
def take_groups(  # type: ignore[no-untyped-def]
    spent, came, radix, counts, alone, joined, price, top, k, most, free, kind_radix, fit, first, last
):
    """Take every group away from the multisets `first`, first - 1, ... that can be left, down to `last`.

    A multiset is the sum of `radix` times copies over the row types; `radix` and `counts` are (t,) int64. `alone`, (t,)
    int32, is the join of each type by itself, and `joined`, (j, t) int32, what a join becomes with a row of a type
    more. `price`, (j,) int64, is the cost of a row under the cheapest pattern for the join, `NEVER` where there is
    none, and `top`, (t,) int64, the cost of a fully suppressed row of each type.

    A group has at most `most` rows, and `free` says whether fully suppressed groups need no k rows. The place of a
    group in `fit` is the sum of `kind_radix`, (t,) int64, over its rows. `fit`, (h,) bool, says whether a group meets
    the requirements; it is empty where there are none. A group holds the first type that is left, so that no partition
    is met twice.

    `spent`, (s,) int64, is lowered: the least cost of the rows already in groups where multiset x is left, `NEVER`
    where it cannot be left. `came`, (s,) int32 or int64, is written: the multiset that was left before the last group
    was taken. Returned is the number of groups looked at.
    """
    t = counts.size
    left = np.zeros(t, np.int64)
    held = np.zeros(t, np.int64)
    room = min(most, int(counts.sum())) + 1
    path = np.zeros(room, np.int64)
    joins = np.zeros(room, np.int64)
    places = np.zeros(room, np.int64)
    looked = 0
    for state in range(first, last - 1, -1):
        base = spent[state]
        if base >= NEVER:
            continue
        rest = state
        start = -1
        for i in range(t - 1, -1, -1):
            left[i] = rest // radix[i]
            rest -= left[i] * radix[i]
            if left[i] > 0:
                start = i
        if start < 0:
            continue
        size = 1
        path[0] = start
        held[start] = 1
        joins[0] = alone[start]
        places[0] = kind_radix[start]
        after = state - radix[start]
        while True:
            looked += 1
            each = price[joins[size - 1]]
            hopeless = each >= NEVER
            cost = NEVER
            if size < k and free:
                cost = size * top[start]
            elif size >= k and not hopeless:
                cost = size * each
            if cost < NEVER and base + cost < spent[after] and (fit.size == 0 or fit[places[size - 1]]):
                spent[after] = base + cost
                came[after] = state
            # One more row: of the last type again, or of a later one. No pattern fits more rows if none fits these.
            step = path[size - 1]
            if size == most or hopeless:
                step = t
            while True:
                if step < t and held[step] < left[step]:
                    break
                step += 1
                if step < t:
                    continue
                # Nothing to add: take the last row back, and try the next type in its place.
                size -= 1
                if size == 0:
                    break
                step = path[size]
                held[step] -= 1
                after += radix[step]
                step += 1
            if size == 0:
                held[start] = 0
                break
            path[size] = step
            held[step] += 1
            after -= radix[step]
            joins[size] = joined[joins[size - 1], step]
            places[size] = places[size - 1] + kind_radix[step]
            size += 1
    return looked


@njit(cache=True, nogil=True)
def list_groups(  # type: ignore[no-untyped-def]
    radix, counts, alone, joined, price, top, k, most, free, kind_radix, fit, worth, parts, limit, packs,
    place, packed, cost, over, first, best, best_place, best_cost,
):  # fmt: skip
    """List the groups that cost at most `limit` more than their rows are worth, and the worst bargains of all.

    `worth`, (t,) int64, is what a row of each type is worth, in parts of a cost unit; `parts` is their number in a
    unit, and `limit` is in parts too. `packs` is (t,) uint64: a group is packed as the sum of these over its rows. The
    arguments from `radix` to `fit` are as in `take_groups`.

    The groups found are written as far as there is room: `place`, `cost`, `over` and `first`, (room,) int64, are the
    multiset, the cost, the cost above worth in parts, and the first type, and `packed`, (room,) uint64, the packed
    group. `best`, `best_place` and `best_cost`, (t, t) int64, are lowered: for each first and last type the group with
    the least cost above worth, and this. Returned is the number of groups found, more than there was room for perhaps.
    """
    t = counts.size
    held = np.zeros(t, np.int64)
    room = min(most, int(counts.sum())) + 1
    path = np.zeros(room, np.int64)
    joins = np.zeros(room, np.int64)
    places = np.zeros(room, np.int64)
    found = 0
    for start in range(t):
        size = 1
        path[0] = start
        held[start] = 1
        joins[0] = alone[start]
        places[0] = kind_radix[start]
        here, value, bits = radix[start], worth[start], packs[start]
        while True:
            each = price[joins[size - 1]]
            hopeless = each >= NEVER
            total = NEVER
            if size < k and free:
                total = size * top[start]
            elif size >= k and not hopeless:
                total = size * each
            if total < NEVER and (fit.size == 0 or fit[places[size - 1]]):
                above = total * parts - value
                if above <= limit:
                    if found < place.size:
                        place[found], packed[found], cost[found] = here, bits, total
                        over[found], first[found] = above, start
                    found += 1
                end = path[size - 1]
                if above < best[start, end]:
                    best[start, end], best_place[start, end], best_cost[start, end] = above, here, total
            step = path[size - 1]
            if size == most or hopeless:
                step = t
            while True:
                if step < t and held[step] < counts[step]:
                    break
                step += 1
                if step < t:
                    continue
                size -= 1
                if size == 0:
                    break
                step = path[size]
                held[step] -= 1
                here -= radix[step]
                value -= worth[step]
                bits -= packs[step]
                step += 1
            if size == 0:
                held[start] = 0
                break
            path[size] = step
            held[step] += 1
            here += radix[step]
            value += worth[step]
            bits += packs[step]
            joins[size] = joined[joins[size - 1], step]
            places[size] = places[size - 1] + kind_radix[step]
            size += 1
    return found


@njit(cache=True, nogil=True)
def take_listed(  # type: ignore[no-untyped-def]
    spent, came, radix, counts, begins, place, packed, cost, over, worth, parts, limit, packs, guards, first, last
):
    """As `take_groups`, with listed groups only, for releases of a limited cost; return the number of groups looked at.

    The groups with first type i are ``begins[i]:begins[i + 1]``, by increasing cost above worth; `begins` is (t + 1,)
    int64. `place`, `cost` and `over`, (g,) int64, and `packed`, (g,) uint64, are as `list_groups` lists them. `packs`
    is (t,) uint64, and `guards`, uint64, has the highest bit of each type's place in a packed group, which copies never
    reach. `spent`, `came`, `radix`, `counts`, `first` and `last` are as in `take_groups`.

    No group is worth more than it costs (`worth`, (t,) int64), so a release of at most `limit` (in parts) has no
    further use for a multiset with spent + worth of what is left above that.
    """
    t = counts.size
    looked = 0
    for state in range(first, last - 1, -1):
        base = spent[state]
        if base >= NEVER:
            continue
        rest = state
        start = -1
        value = 0
        bits = guards
        for i in range(t - 1, -1, -1):
            left = rest // radix[i]
            rest -= left * radix[i]
            value += left * worth[i]
            bits += packs[i] * np.uint64(left)
            if left > 0:
                start = i
        slack = limit - base * parts - value
        for g in range(begins[start], begins[start + 1]):
            if over[g] > slack:
                break
            looked += 1
            # No copy is missing if no subtraction borrows from a guard.
            if (bits - packed[g]) & guards == guards:
                after = state - place[g]
                if base + cost[g] < spent[after]:
                    spent[after] = base + cost[g]
                    came[after] = state
    return looked
