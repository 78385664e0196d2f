"""The best class of every instance at given prices, row by row: what a linear program over classes is fed with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.kernels.bounds.prices import cheapest_rest
from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_CLASS = -(1 << 60)


@njit(cache=True, nogil=True)
def best_of_each(lists, costs, prices, state, values, takes):  # type: ignore[no-untyped-def]
    """Fill in what a class of each instance gains at most, in whole numbers, and the rows of one that gains as much.

    The lists have small classes listed, or none is looked at (`whole_below` 1). `costs`, (G,) int64, and `prices`, (t,)
    int64, are in the same parts of a cost unit. `state`, (G,) int8, is 0 for a class or none, at least 0; 1 for a
    class, `NO_CLASS` where there can be none; and -1 for none, 0. The gains are written into `values`, (G,) int64, and
    the rows into `takes`, (pairs,) float64. Where classes of many rows decide and several rules ask for values, the
    rows may gain less than is said. As `inner_values.recounted` without multipliers. O(pairs log pairs + instances that
    gain * listed classes * kinds).
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
                take = distinct_rows(family, least, width, places, order, terms, rows, max(need, below))
        if best >= plain:
            best = plain
            take = used
        values[g] = best
        for x in range(take.size):
            takes[a + x] = take[x]


@njit(cache=True, nogil=True)
def distinct_rows(family, least, width, places, order, terms, rows, need):  # type: ignore[no-untyped-def]
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


# An instance's members at given prices: what each gains, its values among the instance's, and a class of the best.
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


# The best small class of an instance, in whole numbers: its rows one by one, or every valid count of them.
#
# Gains, what a row's price is above its cost, are whole numbers; what is estimated is estimated from above.
@njit(cache=True, nogil=True)
def best_listed(vectors, sizes, below, need, order, terms, rows, kinds, take, least):  # type: ignore[no-untyped-def]
    """Return the most that a valid small class gains, by the list of all of them, and the class (-1: there is none).

    `vectors`, (c, kinds) int16, has the rows per kind of every valid class of fewer than `below` rows, and `sizes`,
    (c,) int64, their sums, not falling. `order`, (m,) integers, has the members, best gains first; `terms`, `rows` and
    `kinds` are (m,). The gain has to be above `least`. If it is, the rows of each member in the best class are written
    into `take`, (m,) float64. It takes O(m + classes * kinds).
    """
    count = vectors.shape[1]
    sums = np.zeros((count, below), np.int64)
    filled = np.zeros(count, np.int64)
    for o in order:
        s = kinds[o]
        for _ in range(min(rows[o], below - 1 - filled[s])):
            sums[s, filled[s] + 1] = sums[s, filled[s]] + terms[o]
            filled[s] += 1
    best, which = least, -1
    total = rows.sum()
    for z in range(np.searchsorted(sizes, need), sizes.size):
        if sizes[z] > total:
            break
        gain, fits = 0, True
        for s in range(count):
            v = vectors[z, s]
            if v > filled[s]:
                fits = False
                break
            gain += sums[s, v]
        if fits and gain > best:
            best, which = gain, z
    if which >= 0:
        left = vectors[which].astype(np.int64)
        for o in order:
            use = min(left[kinds[o]], rows[o])
            take[o] = use
            left[kinds[o]] -= use
    return best


@njit(cache=True, nogil=True)
def unfolded(width, places, order, terms, rows, limit):  # type: ignore[no-untyped-def]
    """Return the rows that a class of at most `limit` can have, best first: gain, member, slot and rank in its slot.

    `width`, (c,) int, counts the slots of each column, and `places`, (c, members) int, is the slot of each member in
    each column. `order`, (members,) int, has the members, best first. `terms`, (members,) int64, is what a row of each
    adds; below 0 it gains. `rows`, (members,) int64, are the rows of each. `limit`, at least 1, counts rows of the
    class.
    """
    count = width.size
    room = 0
    for o in order:
        room += min(rows[o], limit)
    room = min(room, limit * (1 + width.sum()))
    gain = np.empty(room, np.int64)
    owner = np.empty(room, np.int64)
    slot = np.empty((count, room), np.int64)
    rank = np.empty((count, room), np.int64)
    seen = np.zeros((count, width.max()), np.int64)
    u = 0
    for o in order:
        for _ in range(min(rows[o], limit)):
            useful = u < limit
            for r in range(count):
                useful |= seen[r, places[r, o]] < limit
            if not useful:
                break
            for r in range(count):
                s = places[r, o]
                seen[r, s] += 1
                slot[r, u], rank[r, u] = s, seen[r, s]
            gain[u], owner[u] = terms[o], o
            u += 1
    return gain[:u], owner[:u], slot[:, :u], rank[:, :u]


@njit(cache=True, nogil=True)
def best_small(family, asked, equal, share, held, n, below, need, gain, owner, slot, rank, weights, take, least):  # type: ignore[no-untyped-def]
    """Return at least the most that a valid class below `whole_below` rows gains, and its rows (-1: there is none).

    `family`, `asked` and `equal`, (R,), are the rules' families, values asked for, and thresholds of the equal
    distance. `share`, (R, s) float64, and `held`, (R, s) int64, are of each value of the instance the share it may
    have, and the table's rows with it. `n` counts the rows of the table. `gain`, `owner`, `slot` and `rank` are as
    `unfolded` gives them. `weights`, (c,) numbers, is what an excess of one row may weigh, the first 0. The gain has to
    be above `least`. The rows of each member in a class that may be invalid and gains about as much are written into
    `take`, (m,) float64. For every N the least over the rules. O(N0 (c + R) (rows looked at + slots)).
    """
    best, size, by, at = least, -1, -1, 0
    free = 0
    for size_now in range(1, min(below - 1, gain.size) + 1):
        free += gain[size_now - 1]
        if size_now < need or free <= best:
            continue
        value, rule, place = free, -1, 0
        for r in range(family.size):
            what = family[r]
            if what == SHARES:
                here, there = _shares(share[r], gain, slot[r], rank[r], size_now, owner, take, False)
                where = 0
            elif what == DISTINCT:
                here, there = _distinct(asked[r], gain, rank[r], size_now, owner, take, False)
                where = 0
            elif what in (TREE, LINE, TRANSPORT, EQUAL) and equal[r] < 1.0:
                here, there, where = free, True, 0
                for c in range(weights.size):
                    now = _equal(
                        equal[r], held[r], n, gain, slot[r], rank[r], size_now, weights[c], owner, take, False
                    )  # fmt: skip
                    if now < here:
                        here, where = now, c
                    if here <= best:
                        break
            else:
                continue
            if not there:
                value = best
                break
            if here < value:
                value, rule, place = here, r, where
            if value <= best:
                break
        if value > best:
            best, size, by, at = value, size_now, rule, place
    if size >= 0:
        take[:] = 0.0
        if by < 0:
            for u in range(size):
                take[owner[u]] += 1.0
        elif family[by] == SHARES:
            _shares(share[by], gain, slot[by], rank[by], size, owner, take, True)
        elif family[by] == DISTINCT:
            _distinct(asked[by], gain, rank[by], size, owner, take, True)
        else:
            _equal(equal[by], held[by], n, gain, slot[by], rank[by], size, weights[at], owner, take, True)
    return best


@njit(cache=True, nogil=True)
def _shares(share, gain, slot, rank, size, owner, take, write):  # type: ignore[no-untyped-def]
    """Return the `size` best rows with no more of a value than its share: gain, and whether there are so many."""
    total, taken = 0, 0
    for u in range(gain.size):
        if rank[u] <= np.floor(share[slot[u]] * size):
            total += gain[u]
            taken += 1
            if write:
                take[owner[u]] += 1.0
            if taken == size:
                break
    return total, taken == size


@njit(cache=True, nogil=True)
def _distinct(least, gain, rank, size, owner, take, write):  # type: ignore[no-untyped-def]
    """Return the best row of each of the `least` best values, then the best others: gain, and whether it can be."""
    total, chosen, others = 0, 0, 0
    if size < least:
        return total, False
    for u in range(gain.size):
        if rank[u] == 1 and chosen < least:
            chosen += 1
        elif others < size - least:
            others += 1
        else:
            continue
        total += gain[u]
        if write:
            take[owner[u]] += 1.0
    return total, chosen == least


@njit(cache=True, nogil=True)
def _equal(level, held, n, gain, slot, rank, size, weight, owner, take, write):  # type: ignore[no-untyped-def]
    """Return at least what `size` rows gain whose excess over the table's shares is at most t times `size`.

    The excess of the j-th row of a value is what of it lies above q N: nothing, a part, or all. Each part weighs
    `weight`; all is counted in n-ths, and rounded up at the end.
    """
    whole = held * size // n  # rows of a value without excess
    # The rows with a part of an excess, best first.
    part = np.empty(size, np.int64)
    whose = np.empty(size, np.int64)
    parts = 0
    for u in range(gain.size):
        if rank[u] != whole[slot[u]] + 1:
            continue
        value = gain[u] * n - weight * (rank[u] * n - held[slot[u]] * size)
        if parts == size and value <= part[size - 1]:
            continue
        y = min(parts, size - 1)
        while y > 0 and part[y - 1] < value:
            part[y], whose[y] = part[y - 1], whose[y - 1]
            y -= 1
        part[y], whose[y] = value, u
        parts = min(parts + 1, size)
    total = 0
    a = b = c = 0
    for _ in range(size):
        while a < gain.size and rank[a] > whole[slot[a]]:
            a += 1
        while b < gain.size and rank[b] <= whole[slot[b]] + 1:
            b += 1
        kind = -1
        best = total
        if a < gain.size:
            kind, best = 0, gain[a] * n
        if b < gain.size and (kind < 0 or (gain[b] - weight) * n > best):
            kind, best = 1, (gain[b] - weight) * n
        if c < parts and (kind < 0 or part[c] > best):
            kind, best = 2, part[c]
        if kind < 0:
            break
        u = a
        if kind == 0:
            a += 1
        elif kind == 1:
            u, b = b, b + 1
        else:
            u, c = whose[c], c + 1
        total += best
        if write:
            take[owner[u]] += 1.0
    return -((-total) // n) + np.int64(np.ceil(weight * (level * size) * (1.0 + ROUNDING)))


# What the inner problems of a bound under requirements read: instances, rules and small classes as flat arrays.

# Families of rules, as in `incrowd.tables.count_rules`; EQUAL is a tree in which every value is a node of its own.
SHARES, DISTINCT, TREE, LINE, TRANSPORT, ENTROPY, RECURSIVE, EQUAL = 0, 1, 2, 3, 4, 5, 6, 7
# What is lost in a few floating-point operations, with room to spare.
ROUNDING = 1e-12


class Lists(NamedTuple):
    """G instances with P pairs, R rules; the values that an instance has of a rule's column are its slots.

    `begins`, `members`, `counts`, `needs`: as in `Instances`; at least one row is needed everywhere. `kinds`: (t,)
    int64, combination of sensitive values of each type. `rows`: (G,) int64, N(g). `family`, `least`: (R,) int64.
    `level`: (R,) float64, as the rule has it, at least the true one. `equal`: (R,) float64, closeness: the threshold of
    the equal distance that the rule implies; 1 or more: nothing. `at`: (R, P) int32, slot of each pair. `first`: (R, G
    + 1) int64, where an instance's slots begin. `share`: (slots,) float64, SHARES: the share a value may have, at least
    the true one; closeness: the share it has in the table. `total`: (slots,) int64, rows of the table with the slot's
    value. `value`: (slots,) int32, the value. `n`: rows of the table. `whole_below`: smaller classes are looked at in
    whole numbers. `listed`: whether these are listed: the valid ones' rows per kind. `vectors`: (c, kinds) int16.
    `sizes`: (c,) int64, their rows, not falling. `large`: (G,) bool, whether an instance may hold a valid class of
    `whole_below` rows or more.
    """

    begins: NDArray[np.int64]
    members: NDArray[np.int32]
    counts: NDArray[np.int64]
    needs: NDArray[np.int64]
    kinds: NDArray[np.int64]
    rows: NDArray[np.int64]
    family: NDArray[np.int64]
    least: NDArray[np.int64]
    level: NDArray[np.float64]
    equal: NDArray[np.float64]
    at: NDArray[np.int32]
    first: NDArray[np.int64]
    share: NDArray[np.float64]
    total: NDArray[np.int64]
    value: NDArray[np.int32]
    n: int
    whole_below: int
    listed: bool
    vectors: NDArray[np.int16]
    sizes: NDArray[np.int64]
    large: NDArray[np.bool_]


class Metrics(NamedTuple):
    """The rules' distances between all values of their columns, laid one behind the other.

    `value_at`: (R + 1,) int64, where a rule's values begin in `share`. `share`: (values,) float64, closeness: the share
    of each value in the table. `length`: (values,) float64, LINE: the step from each place to the next (0 after the
    last), at most the true one. `node_at`: (R + 1,) int64. `node`: (sum of heights * values,) int64, TREE: node of each
    value at each height. `distance_at`: (R + 1,) int64. `distance`: (sum of values^2,) float64, TRANSPORT, at most the
    true one.
    """

    value_at: NDArray[np.int64]
    share: NDArray[np.float64]
    length: NDArray[np.float64]
    node_at: NDArray[np.int64]
    node: NDArray[np.int64]
    distance_at: NDArray[np.int64]
    distance: NDArray[np.float64]


@njit(cache=True, nogil=True)
def largest_classes(begins, members, counts, rows, family, least, equal, at, first, share):  # type: ignore[no-untyped-def]
    """Return an upper estimate of the rows of each instance's largest valid class, shape (G,); 0: it has none.

    The arrays are as in `Lists`. It takes O(members + slots * steps of an iteration that falls to the answer).
    """
    found = rows.copy()
    for g in range(rows.size):
        for r in range(family.size):
            mine = share[first[r, g] : first[r, g + 1]]
            held = np.zeros(mine.size, np.int64)
            for x in range(begins[g], begins[g + 1]):
                held[at[r, x] - first[r, g]] += counts[members[x]]
            found[g] = rows_allowed(family[r], least[r], equal[r], mine, held, found[g])
    return found


@njit(cache=True, nogil=True)
def rows_allowed(family, least, equal, share, held, most):  # type: ignore[no-untyped-def]
    """Return the most rows, up to `most`, that one rule allows of some rows per value, `held`, (values,) int64."""
    if family == DISTINCT:
        found = 0
        for rows in held:
            found += rows > 0
        return most if found >= least else 0
    close = family in (TREE, LINE, TRANSPORT, EQUAL)
    if not (family == SHARES or (close and equal < 1.0)):
        return most
    while most > 0:
        reached = 0.0
        for v in range(held.size):
            if family == SHARES:
                reached += min(held[v] * 1.0, np.floor(share[v] * most))
            else:
                reached += min(held[v] * 1.0, share[v] * most * (1.0 + ROUNDING))
        if close:
            reached = np.floor(reached / (1.0 - equal) * (1.0 + ROUNDING))
        if reached >= most:
            break
        most = np.int64(reached)
    return most


@njit(cache=True, nogil=True)
def by_kind(begins, members, kinds):  # type: ignore[no-untyped-def]
    """Return every instance's members sorted by kind, those of a kind in the order given; O(p log p).

    `begins`, (g + 1,) int64, says where the members of each instance begin in `members`, (p,) int32, which lists row
    types instance by instance. `kinds`, (t,) int32, is the kind of each type.
    """
    result = np.empty_like(members)
    for g in range(begins.size - 1):
        here = members[begins[g] : begins[g + 1]]
        order = np.argsort(kinds[here], kind="mergesort")
        for x in range(here.size):
            result[begins[g] + x] = here[order[x]]
    return result


@njit(cache=True, nogil=True)
def slots(begins, members, kinds, code, values, offset):  # type: ignore[no-untyped-def]
    """Return the slot of each pair, where every instance's slots begin, and their values, increasing in an instance.

    `begins` and `members` are those of the instances, and `kinds` is (t,) int64. `code`, (kinds,) int32, is the value
    of each kind, `values` the number of values, and `offset` the first slot. It takes O(pairs + slots log slots).
    """
    at = np.empty(members.size, np.int32)
    first = np.empty(begins.size, np.int64)
    found = np.empty(members.size, np.int32)
    place = np.full(values, -1, np.int64)
    size = 0
    for g in range(begins.size - 1):
        first[g] = offset + size
        count = 0
        for x in range(begins[g], begins[g + 1]):
            v = code[kinds[members[x]]]
            if place[v] < 0:
                place[v] = 0
                found[size + count] = v
                count += 1
        here = found[size : size + count].copy()
        order = np.argsort(here, kind="mergesort")
        for s in range(count):
            found[size + s] = here[order[s]]
            place[here[order[s]]] = size + s
        for x in range(begins[g], begins[g + 1]):
            at[x] = offset + place[code[kinds[members[x]]]]
        for s in range(count):
            place[found[size + s]] = -1
        size += count
    first[begins.size - 1] = offset + size
    return at, first, found[:size].copy()


# The best large class of an instance under multipliers: what is left of the gains, then filling.
@njit(cache=True, nogil=True)
def inner_large_filled(terms, rows, need, low, low_rows, rest, rest_rows):  # type: ignore[no-untyped-def]
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
    `rows`, (m,) int64, have at least `need` rows in all. The best row of each of the l best values comes first where l
    values are asked for; of several such rules the one that leaves most counts. O(m) for each.
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
        here = fixed + inner_large_filled(terms, left, need - held, low, low_rows, rest, rest_rows)
        if not asked or here > total:
            total = here
        asked = True
    if not asked:
        total = inner_large_filled(terms, rows, need, low, low_rows, rest, rest_rows)
    return total
