"""What classes of one size can gain at most under one rule, in whole numbers: the check's own loops."""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["best_of_size", "floor_share", "moved_best", "unequal_best"]

NONE = -(2**62)
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

    gain, amount: (e,) int64, falling gains of a row, and the rows that have them.
    value: (e,) int64, the value of those rows, from 0.
    caps: (v,) int64, the most rows of each value.

    `size` is the rows of the class, at least 1.
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
    less mu times what they add. It stops where no more than `enough` is left.

    gain, amount: (e,) int64, falling gains of a row, and the rows that have them.
    value: (e,) int64, the value of those rows, from 0.
    totals: (v,) int64, the rows of each value in the table.

    `size` is N, the rows of the class. `rules` come with rows of the table (n), multipliers (mus) and what may be
    moved, and `r` is the place of the rule.
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
