"""What one class of each instance can gain at most, in whole numbers: the check's own loops.

Rows are priced, a row of an instance gains its price less its cost. No class that needs `need` rows and keeps the
rules gains more than what `gains` returns (papers/t-closeness.md, "What a class can gain", proves each part).
"""

# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

NONE = -(2**62)  # of no class at all
STEPS = 1 << 36  # of one recount
SHARES, DISTINCT, EQUAL = 0, 1, 2


@njit(cache=True, nogil=True)
def gains(begins, members, counts, scaled, needs, state, prices, kinds, own, ys, small, rules, vectors):
    """Return what a class of each instance can gain at most, shape (g,), and the steps taken.

    begins, members: (g + 1,) int64 and (e,) int32, the row types of each instance. counts, prices: (t,) int64; kinds:
    (t,) int32. scaled, needs: (g,) int64, the cost of a row in parts, and the rows that a class needs. state: (g,)
    int8. 0: a class or none, at least 0. 1: a class is there; NONE where no class can be. -1: none, 0. own: (g,) int64,
    the row of `ys` of each instance, -1 for none. ys: (r, kinds) int64, multipliers: what is taken from the gain of a
    row of each kind in classes of many rows. Classes of fewer rows than `small` are estimated size by size, others by
    multipliers. `vectors` are the classes of fewer rows one by one, where they could be listed. A few passes over the
    pairs, one sort an instance; beside that the sizes below `small` of instances that gain. It is broken off after
    `STEPS` steps: then the steps returned are more.
    """
    result = np.zeros(scaled.size, np.int64)
    steps = np.int64(0)
    tops = np.zeros((vectors.kinds, small), np.int64)
    for g in range(scaled.size):
        if state[g] < 0:
            continue
        opened = state[g] > 0
        length = begins[g + 1] - begins[g]
        gain = np.empty(length, np.int64)
        rows = np.int64(0)
        most = np.int64(NONE)
        for i in range(length):
            one = members[begins[g] + i]
            gain[i] = prices[one] - scaled[g]
            rows += counts[one]
            most = max(most, gain[i])
        steps += length
        if steps > STEPS:
            return result, steps
        if rows < needs[g]:
            result[g] = NONE if opened else 0
            continue
        if not opened and most <= 0:
            continue
        order = np.argsort(-gain, kind="mergesort")
        amount = np.empty(length, np.int64)
        kind = np.empty(length, np.int64)
        sorted_gain = np.empty(length, np.int64)
        for i in range(length):
            one = members[begins[g] + order[i]]
            sorted_gain[i] = gain[order[i]]
            amount[i] = counts[one]
            kind[i] = kinds[one]
        alone = _filled(sorted_gain, amount, needs[g])
        if not opened and alone <= 0:
            continue
        many = np.int64(NONE)
        if _some_class(amount, kind, rows, needs[g], small, rules):
            many = _many(sorted_gain, amount, kind, max(needs[g], small), own[g], ys, rules)
        best = many if opened else max(many, 0)
        if best < alone:
            if vectors.listed:
                taken = _listed(sorted_gain, amount, kind, needs[g], small, vectors, tops)
                steps += vectors.kind.size
                best = max(best, taken)
            else:
                best, more = _sizes(sorted_gain, amount, kind, rows, needs[g], small, rules, best, alone)
                steps += more
        result[g] = min(alone, best)  # [V3]
    return result, steps


@njit(cache=True, nogil=True)
def _filled(gain, amount, least):
    """Return all positive gains, filled up to `least` rows with the next ones; `gain` falls."""
    total = np.int64(0)
    rows = np.int64(0)
    for i in range(gain.size):
        n = amount[i]
        if gain[i] <= 0:
            if rows >= least:
                break
            n = min(n, least - rows)
        total += n * gain[i]
        rows += n
    return total


@njit(cache=True, nogil=True)
def _some_class(amount, kind, rows, need, small, rules):
    """Return whether a class of at least `need` and `small` rows may keep every rule, as far as it is counted [V7]."""
    least = max(need, small)
    if rows < least:
        return False
    for r in range(rules.family.size):
        held = np.zeros(rules.width[r], np.int64)
        values = np.int64(0)
        for i in range(kind.size):
            v = rules.code[r, kind[i]]
            values += held[v] == 0
            held[v] += amount[i]
        touched = np.flatnonzero(held)
        if rules.family[r] == DISTINCT:
            if values < rules.least[r]:
                return False
        elif rules.family[r] == SHARES:
            size = rows
            while size >= least:
                kept = np.int64(0)
                for v in touched:
                    kept += min(held[v], floor_share(rules.over[r, v], rules.under[r, v], size))
                if kept >= size:
                    break
                size = kept
            if size < least:
                return False
        else:
            near = np.int64(0)
            for v in touched:
                near += min(held[v] * rules.rows, rules.totals[r, v] * least)
            if near < rules.near[r, 0 if need == rules.need else 1]:
                return False
    return True


@njit(cache=True, nogil=True)
def _many(gain, amount, kind, least, row, ys, rules):
    """Return what a class of at least `least` rows can gain at most, by the multipliers of row `row` [V7]."""
    if row >= 0:
        left = np.empty(gain.size, np.int64)
        for i in range(gain.size):
            left[i] = gain[i] - ys[row, kind[i]]
        order = np.argsort(-left, kind="mergesort")
        gain, amount, kind = left[order], amount[order], kind[order]
    best = _filled(gain, amount, least)
    for r in range(rules.family.size):
        if rules.family[r] == DISTINCT:
            seen = np.zeros(rules.width[r], np.bool_)
            free = amount.copy()
            firsts = np.int64(0)
            found = np.int64(0)
            for i in range(gain.size):
                v = rules.code[r, kind[i]]
                if found < rules.least[r] and not seen[v]:
                    seen[v] = True
                    found += 1
                    free[i] -= 1
                    firsts += gain[i]
            best = min(best, firsts + _filled(gain, free, max(least - found, 0)))
    return best


@njit(cache=True, nogil=True)
def _listed(gain, amount, kind, need, small, vectors, tops):
    """Return the most that a class of one of the listed vectors gains; `tops` is scratch, (kinds, small) [V6]."""
    held = np.zeros(vectors.kinds, np.int64)
    for i in range(gain.size):
        s = kind[i]
        for _ in range(min(amount[i], small - 1 - held[s])):
            held[s] += 1
            tops[s, held[s]] = tops[s, held[s] - 1] + gain[i]
    best = np.int64(NONE)
    for a in range(vectors.size.size):
        if vectors.size[a] < need:
            continue
        total = np.int64(0)
        for e in range(vectors.begins[a], vectors.begins[a + 1]):
            if held[vectors.kind[e]] < vectors.times[e]:
                total = np.int64(NONE)
                break
            total += tops[vectors.kind[e], vectors.times[e]]
        best = max(best, total)
    return best


@njit(cache=True, nogil=True)
def _sizes(gain, amount, kind, rows, need, small, rules, best, enough):
    """Return the larger of `best` and what classes of `need` to `small` - 1 rows can gain at most, and the steps [V6].

    It stops where `enough` is reached: more is of no use.
    """
    top = min(small - 1, rows)
    steps = np.int64(0)
    if top < need:
        return best, steps
    first = np.zeros(top + 1, np.int64)  # the best so many rows
    at = 0
    for i in range(gain.size):
        for _ in range(min(amount[i], top - at)):
            first[at + 1] = first[at] + gain[i]
            at += 1
    every = rules.family.size
    values = np.empty((every, gain.size), np.int64)  # of each rule, numbered as they come
    names = np.empty((every, gain.size), np.int64)
    number = np.zeros(every, np.int64)
    apart = np.zeros((every, top + 1), np.int64)  # best rows beside the first ones of the `least` best values
    firsts = np.zeros(every, np.int64)
    for r in range(every):
        slot = np.full(rules.width[r], -1, np.int64)
        for i in range(gain.size):
            v = rules.code[r, kind[i]]
            if slot[v] < 0:
                slot[v] = number[r]
                names[r, number[r]] = v
                number[r] += 1
            values[r, i] = slot[v]
        if rules.family[r] == DISTINCT:
            firsts[r] = unequal_best(gain, amount, values[r], rules.least[r], apart[r])
    for size in range(need, top + 1):
        least = first[size]
        for r in range(every):
            if least <= best:
                break
            if rules.family[r] == DISTINCT:
                some = size >= rules.least[r] and number[r] >= rules.least[r]
                least = min(least, firsts[r] + apart[r, size - rules.least[r]] if some else NONE)
            elif rules.family[r] == SHARES:
                caps = np.empty(number[r], np.int64)
                for v in range(number[r]):
                    caps[v] = floor_share(rules.over[r, names[r, v]], rules.under[r, names[r, v]], size)
                total, more = best_of_size(gain, amount, values[r], caps, size)
                least = min(least, total)
                steps += more
            else:
                mine = names[r, : number[r]]
                total, more = moved_best(gain, amount, values[r], rules.totals[r][mine], size, rules, r, best)
                least = min(least, total)
                steps += more
        best = max(best, least)
        if best >= enough or steps > STEPS:
            break
    return best, steps


# What classes of one size can gain at most under one rule, in whole numbers: the check's own loops.
FITS = 1 << 62


@njit(cache=True, nogil=True)
def floor_share(over, under, size):
    """Return the whole part of ``size * over / under``, for 0 <= over <= under < 2^61 and a size of at least 0.

    All are int64, and `under` is above 0.
    """
    if over <= FITS // max(size, 1):
        return size * over // under
    whole = np.int64(0)
    left = np.int64(0)
    bit = np.int64(1) << 40
    while bit > size:
        bit >>= 1
    while bit > 0:
        whole, left = 2 * whole, 2 * left
        if size & bit:
            left += over  # below 3 * under, which is below 2^63
        whole += left // under
        left %= under
        bit >>= 1
    return whole


@njit(cache=True, nogil=True)
def unequal_best(gain, amount, value, least, others):
    """Return the gain of the best row of each of the `least` values whose best rows are best [V6].

    `gain` and `amount` are (e,) int64: falling gains, and the rows that have them. `value` is (e,) int64, numbered from
    0. `others` is (top + 1,) int64, and is filled with what the best so many of all other rows gain.
    """
    seen = np.zeros(gain.size, np.bool_)
    found = np.int64(0)
    total = np.int64(0)
    at = 0
    for i in range(gain.size):
        free = amount[i]
        if found < least and not seen[value[i]]:
            seen[value[i]] = True
            found += 1
            total += gain[i]
            free -= 1
        for _ in range(min(free, others.size - 1 - at)):
            others[at + 1] = others[at] + gain[i]
            at += 1
    return total


@njit(cache=True, nogil=True)
def best_of_size(gain, amount, value, caps, size):
    """Return what the best `size` rows gain, no value above its cap, and the steps; NONE: they are too few [V6].

    gain, amount: (e,) int64, falling gains of a row, and the rows that have them. value: (e,) int64, the value of those
    rows, from 0. caps: (v,) int64, the most rows of each value. `size` is the rows of the class, at least 1.
    """
    used = np.zeros(caps.size, np.int64)
    total = np.int64(0)
    left = np.int64(size)
    for i in range(gain.size):
        n = min(amount[i], left, caps[value[i]] - used[value[i]])
        if n > 0:
            used[value[i]] += n
            total += n * gain[i]
            left -= n
            if left == 0:
                return total, np.int64(i + caps.size)
    return np.int64(NONE), np.int64(gain.size + caps.size)


@njit(cache=True, nogil=True)
def moved_best(gain, amount, value, totals, size, rules, r, enough):
    """Return what `size` rows can gain at most at the equal distance of rule r from the table, and the steps [V6].

    A class has z_v = max(0, c_v - q_v N) rows of value v too many, and all z_v come to t N at most. The j-th row of
    value v adds clip(j - q_v N, 0, 1) to z_v. For any mu >= 0 a class gains no more than mu t N and its rows' gains
    less mu times what they add. It stops where no more than `enough` is left. gain, amount: (e,) int64, falling gains
    of a row, and the rows that have them. value: (e,) int64, the value of those rows, from 0. totals: (v,) int64, the
    rows of each value in the table. `size` is N, the rows of the class. `rules` come with rows of the table (n),
    multipliers (mus) and what may be moved, and `r` is the place of the rule.
    """
    n = rules.rows
    # the best rows of every value, `size` at most
    begins = np.zeros(totals.size + 1, np.int64)
    for i in range(gain.size):
        begins[value[i] + 1] += min(amount[i], size)
    for v in range(totals.size):
        begins[v + 1] = begins[v] + min(begins[v + 1], size)
    unit = np.empty(begins[-1], np.int64)
    held = np.zeros(totals.size, np.int64)
    for i in range(gain.size):
        v = value[i]
        for _ in range(min(amount[i], begins[v + 1] - begins[v] - held[v])):
            unit[begins[v] + held[v]] = gain[i]
            held[v] += 1
    steps = np.int64(gain.size + unit.size)
    least = np.int64(FITS)
    key = np.empty(totals.size, np.int64)
    node = np.empty(totals.size, np.int64)
    for m in range(rules.mus.size):
        mu = rules.mus[m]
        # a heap of the values by what their next row gains, times n
        held[:] = 0
        for v in range(totals.size):
            key[v] = unit[begins[v]] * n - mu * min(max(n - totals[v] * size, 0), n)
            node[v] = v
        heap = totals.size
        for a in range(heap // 2 - 1, -1, -1):
            _sink(key, node, a, heap)
        total = np.int64(0)
        for _ in range(size):
            total += key[0]
            v = node[0]
            held[v] += 1
            if held[v] < begins[v + 1] - begins[v]:
                beyond = (held[v] + 1) * n - totals[v] * size
                key[0] = unit[begins[v] + held[v]] * n - mu * min(max(beyond, 0), n)
            else:
                heap -= 1
                if heap == 0:
                    break
                key[0], node[0] = key[heap], node[heap]
            _sink(key, node, 0, heap)
        steps += size * 4
        least = min(least, -((-total - rules.moved[r, m, size]) // n))
        if least <= enough:
            break
    return least, steps


@njit(cache=True, nogil=True)
def _sink(key, node, a, heap):
    """Put entry a of a heap of falling keys where it belongs."""
    while True:
        b = 2 * a + 1
        if b >= heap:
            return
        if b + 1 < heap and key[b + 1] > key[b]:
            b += 1
        if key[a] >= key[b]:
            return
        key[a], key[b] = key[b], key[a]
        node[a], node[b] = node[b], node[a]
        a = b
