"""What one class of each instance can gain at most, in whole numbers: the check's own loops.

Rows are priced, a row of an instance gains its price less its cost. No class that needs `need` rows and keeps the
rules gains more than what `gains` returns (papers/t-closeness.md, "What a class can gain", proves each part).
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit
from incrowd.tables.verify.bound.class_sizes import best_of_size, floor_share, moved_best, unequal_best

__all__ = ["NONE", "STEPS", "gains"]

NONE = -(2**62)  # of no class at all
STEPS = 1 << 36  # of one recount
SHARES, DISTINCT, EQUAL = 0, 1, 2


@njit(cache=True, nogil=True)
def gains(begins, members, counts, scaled, needs, state, prices, kinds, own, ys, small, rules, vectors):
    """Return what a class of each instance can gain at most, shape (g,), and the steps taken.

    begins, members: (g + 1,) int64 and (e,) int32, the row types of each instance.
    counts, prices: (t,) int64; kinds: (t,) int32.
    scaled, needs: (g,) int64, the cost of a row in parts, and the rows that a class needs.
    state: (g,) int8. 0: a class or none, at least 0. 1: a class is there; NONE where no class can be. -1: none, 0.
    own: (g,) int64, the row of `ys` of each instance, -1 for none.
    ys: (r, kinds) int64, multipliers: what is taken from the gain of a row of each kind in classes of many rows.

    Classes of fewer rows than `small` are estimated size by size, others by multipliers. `vectors` are the classes of
    fewer rows one by one, where they could be listed.

    Notes
    -----
    A few passes over the pairs, one sort an instance; beside that the sizes below `small` of instances that gain. It
    is broken off after `STEPS` steps: then the steps returned are more.
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
