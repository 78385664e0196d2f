"""What every instance can add to a bound under requirements: its best valid class at given prices, from above."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.kernels.bounds.inner_classes import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    LINE,
    RECURSIVE,
    SHARES,
    TRANSPORT,
    TREE,
    best_large,
    best_listed,
    best_small,
    distinct_rows,
    filled,
    gains,
    inner_large_filled,
    places_of,
    unfolded,
)
from incrowd.kernels.hash_table import copy
from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# y is rounded down by this much more than to the next whole number: what a few sums in floating point may lose.
MARGIN = 1e-9
# The most that a multiplier may come to over an instance's rows.
ROOM = 2.0**58


class Multipliers(NamedTuple):
    """One multiplier per rule and instance; see `multiplier`.

    `y`: (slots,) int64. `raw`, `extra`: (slots,) float64. `weight`, `base`: (R, G) float64. `spot`: (R, G) float64,
    rows of the class that it belongs to, for the next search (0: none was looked for).
    """

    y: NDArray[np.int64]
    raw: NDArray[np.float64]
    extra: NDArray[np.float64]
    weight: NDArray[np.float64]
    base: NDArray[np.float64]
    spot: NDArray[np.float64]


@njit(cache=True, nogil=True)
def recounted(lists, costs, prices, y, weights, floor, begin, end, values):  # type: ignore[no-untyped-def]
    """Fill in what each of some instances can add at most, in whole numbers; y as it is stored.

    `costs`, (G,) int64, and `prices`, (t,) int64, are in the same parts of a cost unit. `y` is (slots,) int64, and
    `weights`, (c,) int64, as in `best_small`. What is below `floor` counts as `floor`: 0, or less where it
    matters how far an instance is from adding anything. The instances are given by `begin` and `end`, and the answer is
    written into `values`, (G,) int64.
    """
    begins, members, counts, of_type, at = lists.begins, lists.members, lists.counts, lists.kinds, lists.at
    for g in range(begin, end):
        a, b, need = begins[g], begins[g + 1], lists.needs[g]
        values[g] = floor
        terms, rows, kinds = gains(members[a:b], counts, of_type, prices, costs[g])
        if floor == 0 and terms.max() <= 0:
            continue
        order = np.argsort(-terms, kind="mergesort")
        plain, _ = filled(order, terms, rows, need)
        if plain <= floor:
            continue
        width, places = places_of(g, a, b, at, lists.first)
        best = _few(lists, g, order, terms, rows, kinds, width, places, weights, np.zeros(b - a), np.int64(floor))
        if lists.large[g] and best < plain:
            left = terms.copy()
            for r in range(at.shape[0]):
                for x in range(b - a):
                    left[x] -= y[at[r, a + x]]
            best = max(
                best, best_large(lists.family, lists.least, width, places, left, rows, max(need, lists.whole_below))
            )
        values[g] = min(plain, best)


@njit(cache=True, nogil=True)
def best_classes(lists, metrics, costs, prices, own, weights, floor, begin, end, values, cover):  # type: ignore[no-untyped-def]
    """Fill in what each of some instances can add at most, improve its multipliers, and count the rows it uses.

    `own` has the multipliers, which are read and changed. The rows of each type in the best classes of instances that
    add something are added to `cover`, (t,) float64. The other arguments are as for `recounted`. An instance with
    nothing left under its multipliers is done in one pass. O(pairs), and for the others sorting and what the search for
    multipliers takes.
    """
    begins, members, counts, of_type, at = lists.begins, lists.members, lists.counts, lists.kinds, lists.at
    for g in range(begin, end):
        a, b = begins[g], begins[g + 1]
        values[g] = floor
        if floor == 0 and not _something(members, prices, costs[g], own.y, at, a, b):
            continue
        terms, rows, kinds = gains(members[a:b], counts, of_type, prices, costs[g])
        order = np.argsort(-terms, kind="mergesort")
        plain, used = filled(order, terms, rows, lists.needs[g])
        if plain <= floor:
            continue
        width, places = places_of(g, a, b, at, lists.first)
        take = np.zeros(b - a)
        best = _few(lists, g, order, terms, rows, kinds, width, places, weights, take, np.int64(floor))
        if lists.large[g] and best < plain:
            tried = np.zeros(b - a)
            most = _large(lists, metrics, own, g, order, terms, rows, width, places, best, tried)
            if most > best:
                best = most
                copy(tried, take, take.size)
        if best >= plain:
            best = plain
            copy(used, take, take.size)
        values[g] = best
        if best > 0:
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
def _few(lists, g, order, terms, rows, kinds, width, places, weights, take, best):  # type: ignore[no-untyped-def]
    """Return what a class of fewer than `whole_below` rows gains at most, if more than `best`; its rows in `take`."""
    need, below = lists.needs[g], lists.whole_below
    if below <= need:
        return best
    if lists.listed:
        return best_listed(lists.vectors, lists.sizes, below, need, order, terms, rows, kinds, take, best)
    share, total = _shares(g, width, lists.first, lists.share, lists.total)
    gain, owner, slot, rank = unfolded(width, places, order, terms, rows, below - 1)
    return best_small(
        lists.family, lists.least, lists.equal, share, total, lists.n, below, need, gain, owner, slot, rank, weights,
        take, best,
    )  # fmt: skip


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
def _large(lists, metrics, own, g, order, terms, rows, width, places, enough, take):  # type: ignore[no-untyped-def]
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
        copy(distinct_rows(family, least, width, places, order, terms, rows, need), take, take.size)
        return best
    tried = np.zeros(size)
    for r in range(family.size):
        if family[r] == DISTINCT or best <= enough:
            continue
        begin, end, at = first[r, g], first[r, g + 1], places[r]
        share = lists.share[begin:end]
        left = terms.astype(np.float64)
        for other in range(family.size):
            if other != r:
                for x in range(size):
                    left[x] -= own_y[first[other, g] + places[other, x]]
        raw, extra, y = own_raw[begin:end].copy(), own_extra[begin:end].copy(), np.empty(end - begin)
        state = np.array([own.weight[r, g], own.base[r, g]])
        rule, spot = (family[r], level[r], share), own.spot[r, g]
        close = family[r] in (TREE, LINE, TRANSPORT, EQUAL)
        if family[r] == EQUAL or (close and equal[r] < 1.0 and spot == 0.0):
            sequence = np.argsort(-left, kind="mergesort") if family.size > 1 else order
            _, spot, weight = best_equal(
                share, equal[r], at, sequence, left, rows, need, float(enough), spot,
                state[0] * level[r] / equal[r], raw, tried,
            )  # fmt: skip
            state[0], state[1] = weight * equal[r] / level[r], 0.0
            for s in range(end - begin):
                state[1] += share[s] * raw[s]
            spot = max(spot, 1.0)
        else:
            a, b = metrics.value_at[r], metrics.value_at[r + 1]
            c, d = metrics.node_at[r], metrics.node_at[r + 1]
            e, f = metrics.distance_at[r], metrics.distance_at[r + 1]
            metric = metrics.share[a:b], metrics.length[a:b], metrics.node[c:d], metrics.distance[e:f]
            best_ray(
                rule, least[r], metric, lists.value[begin:end], (at, left, rows, need), float(enough), state, raw,
                extra, tried,
            )  # fmt: skip
        multiplier(rule, raw, extra, state[0], state[1], y)
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
            copy(tried, take, take.size)
    return best


@njit(cache=True, nogil=True)
def _down(y):  # type: ignore[no-untyped-def]
    """Return y as a whole number that is surely not above it."""
    return np.int64(np.floor(y - MARGIN * (1.0 + abs(y))))


# The best multiplier of an instance under t-closeness with the equal distance.
TRIALS = 12


@njit(cache=True, nogil=True)
def best_equal(share, level, at, order, terms, rows, need, enough, spot, weight, raw, take):  # type: ignore[no-untyped-def]
    """Look for mu and F, 0 <= F_v <= mu, such that y_v = F_v - sum q F - t mu leaves the least gain.

    `share`, (s,) float64, is the share of each value in the table, `level` is t, and `weight` is mu the last time. F
    per value is written into `raw`, (s,) float64. `order`, (m,) integers, has the members, largest terms first; `at`,
    (m,) int64, the value of each. `enough` is the gain at which to stop, and `spot` the size of the class the last time
    (0: none). The rows of each member in the class are written into `take`, (m,) float64. Returned are the value, the
    spot and the weight. A class of N rows whose rows above q_v N cost mu each ends at some gain; mu is raised until
    the rows above are t N. Two nested bisections of O(m) steps, each begun where it ended the last time.
    """
    count = share.size
    adjusted = np.empty(terms.size)
    low_terms, low_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    rest, rest_rows = np.empty(terms.size + 1), np.empty(terms.size + 1, np.int64)
    best = np.inf
    held = np.zeros(count)
    before = np.empty(terms.size)
    for x in order:
        before[x] = held[at[x]]
        held[at[x]] += rows[x]
    high = held.sum()
    for _ in range(60):
        reached = 0.0
        for s in range(count):
            reached += min(held[s], share[s] * high)
        reached /= 1.0 - level
        if reached >= high - 1e-6:
            break
        high = reached
    low = float(need)
    if high < low:
        high = low
    span = terms[order[0]] - terms[order[-1]] + 1.0
    mine, after, tried = np.zeros(count), np.empty(count), np.zeros(terms.size)
    found, price = spot, weight
    warm = low <= spot <= high
    middle = spot if warm else min(high, 2.0 * low)
    factor, brackets = (1.3 if warm else 2.0), 0
    now = weight if warm else 0.0
    for _ in range(TRIALS):
        now, end = _balanced(order, at, terms, rows, share, before, middle, level, span, now)
        slope = _slopes(order, at, terms, rows, share, before, middle, end, now, mine, after) + end + level * now
        whole = level * now
        for s in range(count):
            whole += share[s] * mine[s]
        for x in range(terms.size):
            adjusted[x] = terms[x] - mine[at[x]] + whole
        value = inner_large_filled(adjusted, rows, need, low_terms, low_rows, rest, rest_rows)
        if value < best:
            copy(mine, raw, raw.size)
            best, found, price = value, middle, now
            _walk(order, at, terms, rows, share, before, middle, now, tried, True)
            copy(tried, take, take.size)
        if best <= enough:
            break
        if slope > 0:
            low = middle
            brackets |= 1
            middle = 0.5 * (low + high) if brackets & 2 else min(high, middle * factor)
        else:
            high = middle
            brackets |= 2
            middle = 0.5 * (low + high) if brackets & 1 else max(low, middle / factor)
        factor *= 1.5
        if high - low < 0.3 or abs(middle - found) < 0.05:
            break
    return best, found, price


@njit(cache=True, nogil=True)
def _balanced(order, at, terms, rows, share, before, size, level, span, guess):  # type: ignore[no-untyped-def]
    """Return the least mu at which the excess is at most t times the size, and the gain at which the class ends."""
    low, high = 0.0, span
    end, excess = _walk(order, at, terms, rows, share, before, size, 0.0, terms, False)
    if excess <= level * size:
        return 0.0, end
    if guess > 0:
        end, excess = _walk(order, at, terms, rows, share, before, size, 0.8 * guess, terms, False)
        if excess > level * size:
            low = 0.8 * guess
            end, excess = _walk(order, at, terms, rows, share, before, size, 1.25 * guess, terms, False)
            if excess > level * size:
                low = 1.25 * guess
            else:
                high = min(high, 1.25 * guess)
        else:
            high = min(high, 0.8 * guess)
    for _ in range(20):
        middle = 0.5 * (low + high)
        end, excess = _walk(order, at, terms, rows, share, before, size, middle, terms, False)
        if excess > level * size:
            low = middle
        else:
            high = middle
        if high - low <= 0.01 * high:
            break
    end, _ = _walk(order, at, terms, rows, share, before, size, high, terms, False)
    return high, end


@njit(cache=True, nogil=True)
def _walk(order, at, terms, rows, share, before, size, weight, take, write):  # type: ignore[no-untyped-def]
    """Take `size` rows, those above q_v N at mu less each: the gain at which it ends, and the rows above."""
    if write:
        take[:] = 0.0
    total, excess, end = 0.0, 0.0, -np.inf
    a = b = 0
    while total < size - 1e-9 and (a < order.size or b < order.size):
        plain = -np.inf
        if a < order.size:
            plain = terms[order[a]]
        dear = -np.inf
        if b < order.size:
            dear = terms[order[b]] - weight
        if plain >= dear:
            x = order[a]
            a += 1
            use = min(max(share[at[x]] * size - before[x], 0.0), rows[x] * 1.0)
            here = plain
        else:
            x = order[b]
            b += 1
            use = rows[x] - min(max(share[at[x]] * size - before[x], 0.0), rows[x] * 1.0)
            here = dear
        use = min(use, size - total)
        if use <= 1e-12:
            continue
        total += use
        end = here
        if here == dear and plain < dear:
            excess += use
        if write:
            take[x] += use
    return end, excess


@njit(cache=True, nogil=True)
def _slopes(order, at, terms, rows, share, before, size, end, weight, mine, after):  # type: ignore[no-untyped-def]
    """Fill in F, and return the sum of q_v times what the next row of v gains, within 0 and mu."""
    mine[:] = 0.0
    after[:] = -np.inf
    for x in order:
        s = at[x]
        cap = share[s] * size
        if before[x] < cap - 1e-9 and cap <= before[x] + rows[x] + 1e-9:
            mine[s] = min(max(terms[x] - end, 0.0), weight)
        if after[s] == -np.inf and before[x] + rows[x] > cap + 1e-9:
            after[s] = terms[x]
    slope = 0.0
    for s in range(share.size):
        if after[s] > -np.inf:
            slope += share[s] * min(max(after[s] - end, 0.0), weight)
    return slope


# Better multipliers of an instance for any rule that a broken class can be told by: along one direction after another.
#
# A class that breaks a rule is told apart by a y with sum y x > 0 (`direction`); multipliers move along it as far as
# what is left of the gains falls. All of it stays a multiplier of the rule's form: F and mu add up, and so do
# distributions (the logarithm is concave) and terms.
DIRECTIONS = 3
HALVINGS = 8


@njit(cache=True, nogil=True)
def multiplier(rule, raw, extra, weight, base, y):  # type: ignore[no-untyped-def]
    """Fill in y, (s,) float64, per slot of the instance.

    `rule` is its family, its level (a float) and, for SHARES, the share that each slot's value may have, float64. `raw`
    and `extra`, (s,) float64, are F, mu or P times mu per slot; for RECURSIVE they are the weight of the terms with u =
    v, and with v in T. `weight` is mu, and `base` the sum of q F over all values.
    """
    family, level, share = rule
    if family == SHARES:
        whole = 0.0
        for s in range(raw.size):
            whole += share[s] * raw[s]
        for s in range(raw.size):
            y[s] = raw[s] - whole
    elif family == ENTROPY:
        for s in range(raw.size):
            y[s] = 0.0
            if weight > 0:
                y[s] = weight * (level + math.log(max(raw[s], 1e-12 * weight) / weight))
    elif family == RECURSIVE:
        for s in range(raw.size):
            y[s] = raw[s] + level * (extra[s] - weight)
    elif family in (TREE, LINE, TRANSPORT, EQUAL):
        for s in range(raw.size):
            y[s] = raw[s] - base - level * weight
    else:
        y[:] = 0.0


@njit(cache=True, nogil=True)
def best_ray(rule, least, metric, value, members, enough, state, raw, extra, take):  # type: ignore[no-untyped-def]
    """Improve a multiplier along a few directions; return what is left of the gains.

    `rule` is as for `multiplier`, and `least` as the rule has it. `metric` holds shares, lengths of steps, nodes and
    distances of all values of the rule's column. `value`, (s,) int32, are the values that the instance has. `members`
    are which of them each member has, (m,) int64, its gain less the multipliers of other rules, (m,) float64, its rows,
    (m,) int64, and how many rows a class needs. `state`, (2,) float64, is mu, and the sum of q F; `raw` and `extra`,
    (s,) float64, are as for `multiplier`. These three are read and changed. The rows of each member in the class that
    the multipliers belong to are written into `take`, (m,) float64. It takes O(m + values) a step of some twenty for
    each of three directions.
    """
    count, size = value.size, members[1].size
    rooms = (
        np.empty(size),
        np.empty(size + 1),
        np.empty(size + 1, np.int64),
        np.empty(size + 1),
        np.empty(size + 1, np.int64),
    )
    y, more, also = np.zeros(count), np.zeros(count), np.zeros(count)
    here, here_too, here_state = raw.copy(), extra.copy(), state.copy()
    now, below, above, held = np.empty(size), np.empty(size), np.empty(size), np.zeros(count)
    span = np.abs(members[1]).max() + 1.0
    kept = 0.0
    best = _left(rule, members, rooms, here, here_too, here_state, y, held, below)
    copy(below, take, take.size)
    for turn in range(DIRECTIONS):
        if best <= enough:
            break
        if turn:
            _left(rule, members, rooms, raw, extra, state, y, held, below)
        broken, base = _direction(rule, least, metric, value, held, more, also)
        if broken > 1e-9 * (1.0 + held.sum()):
            low, high, begun, bracketed = 0.0, span, False, False
            rising, falling, at_low, at_high = broken, 0.0, best, best
            length = 0.05 * span if state[0] <= 0 else 0.25 * state[0]
            for _ in range(HALVINGS + 6):
                for s in range(raw.size):
                    here[s], here_too[s] = raw[s] + length * more[s], extra[s] + length * also[s]
                here_state[0], here_state[1] = state[0] + length, state[1] + length * base
                left = _left(rule, members, rooms, here, here_too, here_state, y, held, now)
                if left < best:
                    best, kept = left, length
                    copy(now, take, take.size)
                    begun = True
                slope = 0.0
                for s in range(count):
                    slope += _gradient(rule, more[s], also[s], base) * held[s]
                if slope > 0:
                    low, rising, at_low = length, slope, left
                    copy(now, below, size)
                else:
                    high, falling, at_high, bracketed = length, slope, left, True
                    copy(now, above, size)
                if high - low < 0.001 * high or length > span:
                    break
                length = 2.0 * length
                if bracketed:  # where the tangents meet, which lie below what is left
                    meet = (at_low - at_high + rising * low - falling * high) / (rising - falling)
                    if at_low - rising * (meet - low) >= best - 1e-9 * span:
                        break
                    length = min(max(meet, low + 0.05 * (high - low)), high - 0.05 * (high - low))
            if bracketed:  # between the two sides lies a class that breaks the rule no more
                share = rising / (rising - falling)
                for x in range(size):
                    take[x] = below[x] + share * (above[x] - below[x])
            if begun:
                raw += kept * more
                extra += kept * also
                state[0] += kept
                state[1] += kept * base
                continue
        if state[0] <= 0:
            break
        begun = False
        for factor in (0.97, 0.9, 0.75, 0.5, 0.0):
            for s in range(raw.size):
                here[s], here_too[s] = raw[s] * factor, extra[s] * factor
            here_state[0], here_state[1] = state[0] * factor, state[1] * factor
            left = _left(rule, members, rooms, here, here_too, here_state, y, held, now)
            if left >= best:
                break
            best, kept = left, factor
            copy(now, take, take.size)
            begun = True
        if not begun:
            break
        raw *= kept
        extra *= kept
        state *= kept
    return best


@njit(cache=True, nogil=True)
def _left(rule, members, rooms, raw, extra, state, y, held, take):  # type: ignore[no-untyped-def]
    """Return what is left of the gains under a multiplier; `held`: rows of each slot that gain."""
    at, terms, rows, need = members
    adjusted = rooms[0]
    multiplier(rule, raw, extra, state[0], state[1], y)
    held[:] = 0.0
    for x in range(terms.size):
        adjusted[x] = terms[x] - y[at[x]]
        take[x] = 0.0
        if adjusted[x] > 0:
            held[at[x]] += rows[x]
            take[x] = rows[x]
    return inner_large_filled(adjusted, rows, need, rooms[1], rooms[2], rooms[3], rooms[4])


@njit(cache=True, nogil=True)
def _gradient(rule, more, also, base):  # type: ignore[no-untyped-def]
    """Return how y of a slot grows along a direction (entropy: at its beginning)."""
    family, level, _ = rule
    if family == ENTROPY:
        return level + math.log(max(more, 1e-12))
    if family == RECURSIVE:
        return more + level * (also - 1.0)
    return more - base - (0.0 if family == SHARES else level)


@njit(cache=True, nogil=True)
def _direction(rule, least, metric, value, held, more, also):  # type: ignore[no-untyped-def]
    """Fill in the direction of a class with these rows per slot; return by how much it is broken, and sum q F."""
    family, _, share = rule
    count, size = held.size, held.sum()
    more[:] = 0.0
    also[:] = 0.0
    if size <= 0:
        return 0.0, 0.0
    base = 0.0
    if family == ENTROPY:
        for s in range(count):
            more[s] = 0.95 * held[s] / size + 0.05 / count
    elif family == RECURSIVE:
        order = np.argsort(-held, kind="mergesort")
        more[order[0]] = 1.0
        for place in range(min(least - 1, count)):
            also[order[place]] = 1.0
    elif family == SHARES:
        for s in range(count):
            if held[s] > share[s] * size:
                more[s] = 1.0
                base += share[s]
    else:
        base = _potential(family, metric, value, held, size, more)
    broken = 0.0
    for s in range(count):
        broken += _gradient(rule, more[s], also[s], base) * held[s]
    return broken, base


@njit(cache=True, nogil=True)
def _potential(family, metric, value, held, size, more):  # type: ignore[no-untyped-def]
    """Fill in a function of slope at most 1 in the metric that tells the class from the table; return sum q F."""
    share, length, node, distance = metric
    count = share.size
    moved = -share * size
    for s in range(held.size):
        moved[value[s]] += held[s]
    high = np.zeros(count)
    if family == LINE:
        over = 0.0
        for v in range(count - 1):
            over += moved[v]
            high[v + 1] = high[v] - length[v] * np.sign(over)
    elif family == TRANSPORT:
        for v in range(count):
            nearest = 1.0
            for u in range(count):
                if moved[u] < 0:
                    nearest = min(nearest, distance[u * count + v])
            high[v] = nearest
    else:
        heights = node.size // count
        for h in range(heights):
            nodes = node[h * count : (h + 1) * count]
            sums = np.zeros(nodes.max() + 1)
            for v in range(count):
                sums[nodes[v]] += moved[v]
            for v in range(count):
                high[v] += 0.5 * np.sign(sums[nodes[v]]) / heights
    base = 0.0
    for v in range(count):
        base += share[v] * high[v]
    for s in range(held.size):
        more[s] = high[value[s]]
    return base
