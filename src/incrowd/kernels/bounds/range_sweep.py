"""Prices over every range of a column: all patterns of the other columns, in each group a sweep along the numbers.

A row type lies in a cell of the ranged column. An instance is a pattern of the other columns with its nodes and either
one value of the ranged column or a run of cells; a row in it costs what the nodes cost and ``unit`` for every distinct
value of the run but one. Of runs that hold the same rows only the shortest counts: it begins and ends with a cell that
has rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["scan", "warm"]


@njit(cache=True, nogil=True)
def _groups(keys, slots, stamp, stamps, homes, begins, members, order, gid):  # type: ignore[no-untyped-def]
    """Sort the types in `order` into groups of equal keys, each in that order; return the number of groups."""
    t = keys.size
    mask = np.uint64(slots.size - 1)
    groups = 0
    for x in range(t):
        i = order[x]
        h = np.uint64(keys[i]) * np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(32))) & mask
        while stamps[h] == stamp and slots[h] != keys[i]:
            h = (h + np.uint64(1)) & mask
        if stamps[h] != stamp:
            stamps[h] = stamp
            slots[h] = keys[i]
            homes[h] = groups
            begins[groups + 1] = 0
            groups += 1
        gid[x] = homes[h]
        begins[homes[h] + 1] += 1
    begins[0] = 0
    for g in range(groups):
        begins[g + 1] += begins[g]
    for x in range(t):
        g = gid[x]
        members[begins[g]] = order[x]
        begins[g] += 1
    for g in range(groups, 0, -1):
        begins[g] = begins[g - 1]
    begins[0] = 0
    return groups


@njit(cache=True, nogil=True)
def _least(ys, ns, size, cost, k):  # type: ignore[no-untyped-def]
    """Return the least of sum (cost - y) over at least k rows of a list by falling y that holds as many."""
    total = np.int64(0)
    count = np.int64(0)
    for x in range(size):
        if ys[x] > cost:
            total += (cost - ys[x]) * ns[x]
            count += ns[x]
        else:
            missing = k - count
            if missing <= 0:
                break
            use = min(ns[x], missing)
            total += (cost - ys[x]) * use
            count += use
    return total


@njit(cache=True, nogil=True)
def _alike(nodes, start, vector, members, lo, hi):  # type: ignore[no-untyped-def]
    """Return whether some column's nodes agree one level lower too: then a cheaper pattern shows all these rows."""
    for j in range(vector.size):
        if vector[j] > 0:
            line = start[j] + vector[j] - 1
            first = nodes[line, members[lo]]
            same = True
            for x in range(lo + 1, hi):
                if nodes[line, members[x]] != first:
                    same = False
                    break
            if same:
                return True
    return False


@njit(cache=True, nogil=True)
def scan(  # type: ignore[no-untyped-def]
    nodes, paid, width, start, vectors, cell, value, order, below, unit, counts, k, parts, prices, tau, free,
    begin_at, which, ends, begins, members, rc, numbers,
):  # fmt: skip
    """Add up the negative reduced costs of all instances of some patterns, and list those of at most `tau`.

    Parameters
    ----------
    nodes, paid : (L, t) int64
        Node and scaled cost of each type at each line; line ``start[j] + l`` is column j at level l.
    width : (L,) int64
        Multiplier of each line's nodes in a key; 0 at the top levels.
    start : (m,) int64
    vectors : (p, m) int64
        Level vectors of the other columns.
    cell, value : (t,) int64
        Place of each type along the ranged column, and its value there.
    order : (t,) int64
        Types by cell and value.
    below : (G + 1,) int64
        Distinct values below each cell.
    unit : int
        Scaled cost of one more distinct value.
    counts : (t,) int64
    k, parts : int
    prices : (t,) int64
        In `parts` of a scaled unit.
    tau : int
        At least 0, in the same unit.
    free : bool
        Whether full suppression is no instance here.
    begin_at : int
        First pattern.
    which, ends, begins, members, rc : out
        Pattern, first and last cell (-1, value: one value), members and reduced cost of the listed instances.
    numbers : (3,) int64, in and out
        Sum of negative reduced costs; listed instances; listed pairs.

    Notes
    -----
    O(t) a pattern for the groups; in a group a sweep from every cell that ends where a run costs more than the
    dearest price.
    """
    t = counts.size
    size = 16
    while size < 2 * t:
        size *= 2
    slots = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    homes = np.empty(size, np.int64)
    first = np.empty(t + 2, np.int64)
    mem = np.empty(t, np.int64)
    gid = np.empty(t, np.int64)
    keys = np.empty(t, np.int64)
    tail = np.empty(t + 1, np.int64)
    ahead = np.empty(t + 1, np.int64)
    ys = np.empty(t + 1, np.int64)
    ns = np.empty(t + 1, np.int64)
    m = start.size
    last_cell = below.size - 2
    for p in range(begin_at, begin_at + vectors.shape[0]):
        vector = vectors[p - begin_at]
        top = True
        for i in range(t):
            keys[i] = 0
        for j in range(m):
            line = start[j] + vector[j]
            if width[line]:
                top = False
                for i in range(t):
                    keys[i] += nodes[line, i] * width[line]
        groups = _groups(keys, slots, p, stamps, homes, first, mem, order, gid)
        for g in range(groups):
            lo, hi = first[g], first[g + 1]
            base = np.int64(0)
            for j in range(m):
                base += paid[start[j] + vector[j], mem[lo]]
            base *= parts
            tail[hi - lo] = -(np.int64(1) << 62)
            ahead[hi - lo] = 0
            for x in range(hi - 1, lo - 1, -1):
                tail[x - lo] = max(tail[x + 1 - lo], prices[mem[x]])
                ahead[x - lo] = ahead[x + 1 - lo] + counts[mem[x]]
            if ahead[0] < k or k * (base - tail[0]) > tau:
                continue
            # one value
            x = lo
            while x < hi:
                y = x + 1
                while y < hi and value[mem[y]] == value[mem[x]]:
                    y += 1
                if ahead[x - lo] - ahead[y - lo] >= k:
                    held = 0
                    for z in range(x, y):
                        held = _insert(ys, ns, held, prices[mem[z]], counts[mem[z]], base, k)
                    found = _least(ys, ns, held, base, k)
                    if (found < 0 or found <= tau) and not _alike(nodes, start, vector, mem, x, y):
                        _put(p, -1, value[mem[x]], mem, x, y, found, tau, which, ends, begins, members, rc, numbers)
                x = y
            # runs of cells
            x = lo
            while x < hi:
                if ahead[x - lo] < k or k * (base - tail[x - lo]) > tau:
                    break
                held = 0
                y = x
                while y < hi:
                    z = y
                    while z < hi and cell[mem[z]] == cell[mem[y]]:
                        held = _insert(ys, ns, held, prices[mem[z]], counts[mem[z]], base, k)
                        z += 1
                    span = below[cell[mem[y]] + 1] - below[cell[mem[x]]] - 1
                    cost = base + span * unit * parts
                    if k * (cost - tail[x - lo]) > tau:
                        break
                    if (
                        ahead[x - lo] - ahead[z - lo] >= k
                        and value[mem[x]] != value[mem[z - 1]]
                        and not (free and top and cell[mem[x]] == 0 and cell[mem[y]] == last_cell)
                    ):
                        found = _least(ys, ns, held, cost, k)
                        if (found < 0 or found <= tau) and not _alike(nodes, start, vector, mem, x, z):
                            _put(
                                p, cell[mem[x]], cell[mem[y]], mem, x, z, found, tau,
                                which, ends, begins, members, rc, numbers,
                            )  # fmt: skip
                    y = z
                y = x
                while y < hi and cell[mem[y]] == cell[mem[x]]:
                    y += 1
                x = y


@njit(cache=True, nogil=True)
def _insert(ys, ns, size, price, rows, base, k):  # type: ignore[no-untyped-def]
    """Put rows into a list by falling price; what no run can use is left out."""
    y = size
    while y > 0 and ys[y - 1] < price:
        ys[y] = ys[y - 1]
        ns[y] = ns[y - 1]
        y -= 1
    ys[y] = price
    ns[y] = rows
    size += 1
    if ys[size - 1] <= base:
        held = np.int64(0)
        z = 0
        while z < size and (held < k or ys[z] > base):
            held += ns[z]
            z += 1
        size = z
    return size


@njit(cache=True, nogil=True)
def _put(p, a, b, mem, lo, hi, found, tau, which, ends, begins, members, rc, numbers):  # type: ignore[no-untyped-def]
    if found < 0:
        numbers[0] += found
    at, pairs = numbers[1], numbers[2]
    if found <= tau and at < which.size and pairs + hi - lo <= members.size:
        which[at] = p
        ends[at, 0] = a
        ends[at, 1] = b
        rc[at] = found
        members[pairs : pairs + hi - lo] = mem[lo:hi]
        begins[at + 1] = pairs + hi - lo
        numbers[1] += 1
        numbers[2] += hi - lo


def warm() -> None:
    """Compile the kernel for the types it is called with."""
    one = np.zeros((1, 1), np.int64)
    flat = np.zeros(1, np.int64)
    scan(one, one, flat, flat, one, flat, flat, flat, np.array([0, 1]), 1, flat + 1, 1, 1, flat, 0, False, 0,
         np.zeros(1, np.int32), np.zeros((1, 2), np.int64), np.zeros(2, np.int64), np.zeros(1, np.int32), flat.copy(),
         np.zeros(3, np.int64))  # fmt: skip
