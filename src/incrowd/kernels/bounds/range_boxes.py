"""Prices over every range of some columns: all patterns of the other columns, in each group a sweep along the numbers.

A row type lies in a cell of every ranged column. An instance is a pattern of the other columns with its nodes and, of
each ranged column, either one value or a run of cells; a row in it costs what the nodes and the runs cost. Of runs that
hold the same rows only the shortest counts: it begins and ends with a cell that has rows.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.range_line import groups, sweep
from incrowd.loops import njit

__all__ = ["extents", "scan"]


@njit(cache=True, nogil=True)
def _distinct(row, members, n, out):  # type: ignore[no-untyped-def]
    """Write what some types have in a row of numbers, each once and increasing; return how many."""
    key = np.empty(n, np.int64)
    for x in range(n):
        key[x] = row[members[x]]
    key.sort()
    found = 0
    for x in range(n):
        if not found or out[found - 1] != key[x]:
            out[found] = key[x]
            found += 1
    return found


@njit(cache=True, nogil=True)
def _enter(c, n, base, table, prices, tau, mem, texts, used, top, at):  # type: ignore[no-untyped-def]
    """Lay out the choices in ranged column c for n types; none if no box of theirs is listed."""
    _, _, cell, value, _, _, _, counts, k, _, _ = table
    at[c, 0], at[c, 1], at[c, 2], at[c, 3], at[c, 4] = 0, 0, 0, -1, 0
    dearest, rows = prices[mem[0]], np.int64(0)
    for x in range(n):
        dearest = max(dearest, prices[mem[x]])
        rows += counts[mem[x]]
    if rows < k or k * (base - dearest) > tau:
        return
    at[c, 1] = _distinct(value[c], mem, n, texts)
    if at[c, 1] < 2:
        return
    size = _distinct(cell[c], mem, n, used)
    at[c, 4] = size
    # the dearest price from each cell on
    top[:size] = -(np.int64(1) << 62)
    for x in range(n):
        place = np.searchsorted(used[:size], cell[c, mem[x]])
        top[place] = max(top[place], prices[mem[x]])
    for place in range(size - 2, -1, -1):
        top[place] = max(top[place], top[place + 1])


@njit(cache=True, nogil=True)
def _next(c, base, table, tau, texts, used, top, at, ends):  # type: ignore[no-untyped-def]
    """Take the next choice in ranged column c: a value, later a run. Return what it costs, -1 at the end.

    `at` holds the next value and their number, then first and last cell of the run before, and the number of cells.
    """
    _, _, _, _, low, up, _, _, k, parts, _ = table
    if at[c, 0] < at[c, 1]:
        ends[c, 0] = -1
        ends[c, 1] = texts[at[c, 0]]
        at[c, 0] += 1
        return base
    while at[c, 2] < at[c, 4]:
        a = at[c, 2]
        b = a if at[c, 3] < 0 else at[c, 3] + 1
        if k * (base - top[a]) > tau:
            break
        cost = np.int64(0)
        if b < at[c, 4]:
            cost = base + (up[c, used[b]] - low[c, used[a]]) * parts
        if b >= at[c, 4] or k * (cost - top[a]) > tau:
            at[c, 2] += 1
            at[c, 3] = -1
            continue
        at[c, 3] = b
        ends[c, 0] = used[a]
        ends[c, 1] = used[b]
        return cost
    return np.int64(-1)


@njit(cache=True, nogil=True)
def _boxes(  # type: ignore[no-untyped-def]
    p, table, vector, prices, tau, hub, base, mem, lo, hi, ends, held, room, out, share
):
    """Go through all choices of values and runs for some types: column by column, the last one in a sweep."""
    _, _, cell, value, _, _, last, _, _, _, _ = table
    r = cell.shape[0]
    if r == 1:
        sweep(p, table, vector, prices, tau, hub, base, mem, lo, hi, ends, room, out)
        return
    buffer, texts, used, top, at, sizes, costs, hubs = held
    sizes[0], costs[0], hubs[0] = hi - lo, base, hub
    buffer[0, : hi - lo] = mem[lo:hi]
    c = 0
    chosen = np.int64(0)
    _enter(0, hi - lo, base, table, prices, tau, buffer[0], texts[0], used[0], top[0], at)
    while c >= 0:
        cost = _next(c, costs[c], table, tau, texts[c], used[c], top[c], at, ends)
        if cost < 0:
            c -= 1
            continue
        if c == 0:
            chosen += 1
            if chosen % share[1] != share[0]:
                continue
        a, b = ends[c, 0], ends[c, 1]
        n = 0
        for x in range(sizes[c]):
            i = buffer[c, x]
            if (value[c, i] == b) if a < 0 else (a <= cell[c, i] <= b):
                buffer[c + 1, n] = i
                n += 1
        whole = hubs[c] and a == 0 and b == last[c]
        c += 1
        sizes[c], costs[c], hubs[c] = n, cost, whole
        if c < r - 1:
            _enter(c, n, cost, table, prices, tau, buffer[c], texts[c], used[c], top[c], at)
            continue
        sweep(p, table, vector, prices, tau, whole, cost, buffer[c], 0, n, ends, room, out)
        c -= 1


@njit(cache=True, nogil=True)
def scan(  # type: ignore[no-untyped-def]
    nodes, paid, width, start, vectors, cell, value, order, low, up, last, counts, k, parts, prices, tau, free,
    patterns, above, share, which, shown, begins, members, rc, numbers,
):  # fmt: skip
    """Add up the negative reduced costs of all instances of some patterns, and list those of at most `tau`.

    `nodes` and `paid`, (L, t) int64, are the node and scaled cost of each type at each line; line ``start[j] + l`` is
    column j at level l, and `start` is (m,) int64. `width`, (L,) int64, is the multiplier of each line's nodes in a
    key; 0 at the top levels. `vectors`, (p, m) int64, are the level vectors of the other columns, and `patterns`, (q,)
    int64, says which of them are looked at.

    `cell` and `value`, (r, t) int64, are the place of each type along each ranged column, and its value there; `order`,
    (t,) int64, has the types by cell and value of the last ranged column. `low` and `up`, (r, G) int64, are as in
    `RangedColumn`, and `last`, (r,) int64, is the last cell. `above`, (p, 3^r) bool, says whether a vector counts where
    the ranged columns show values (0), runs (1) or all cells (2): the digits of the second place, that of the first
    column the lowest. `share`, (2,) int64, says for several ranged columns which share of the choices for the first one
    is looked at, of how many.

    `counts` and `prices` are (t,) int64, prices in `parts` of a scaled unit; `tau`, at least 0, is in the same unit.
    `free` says whether full suppression is no instance here.

    Written are, of the listed instances, the pattern into `which`, the first and last cell in each ranged column (-1,
    value: one value) into `shown`, the members in order into `begins` and `members`, and the reduced cost into `rc`.
    `numbers`, (3,) int64, is read and changed: the sum of negative reduced costs, listed instances, and listed pairs.

    Notes
    -----
    O(t) a pattern for the groups; in a group a sweep from every cell that ends where a run costs more than the
    dearest price, for every choice of value or run in the columns before.
    """
    t = counts.size
    r = cell.shape[0]
    size = 16
    while size < 2 * t:
        size *= 2
    slots = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    homes = np.empty(size, np.int64)
    first = np.empty(t + 2, np.int64)
    mem = np.empty(t, np.int64)
    gid = np.empty(t, np.int64)
    tail = np.empty(t + 1, np.int64)
    ahead = np.empty(t + 1, np.int64)
    ys = np.empty(t + 1, np.int64)
    ns = np.empty(t + 1, np.int64)
    deep, wide = (r, t) if r > 1 else (1, 1)
    held = (
        np.empty((deep, wide), np.int64), np.empty((deep, wide), np.int64), np.empty((deep, wide), np.int64),
        np.empty((deep, wide), np.int64), np.zeros((deep, 5), np.int64), np.zeros(deep, np.int64),
        np.zeros(deep, np.int64), np.zeros(deep, np.bool_),
    )  # fmt: skip
    ends = np.empty((r, 2), np.int64)
    table = nodes, start, cell, value, low, up, last, counts, k, parts, above
    room = tail, ahead, ys, ns
    out = which, shown, begins, members, rc, numbers
    m = start.size
    dear = np.argsort(-prices, kind="mergesort")
    floor = np.empty(paid.shape[0], np.int64)
    for line in range(paid.shape[0]):
        floor[line] = paid[line].min()
    # keys of the first columns, kept while their levels stay
    sums = np.zeros((m + 1, t), np.int64)
    before = np.full(m, -1, np.int64)
    for p in patterns:
        vector = vectors[p]
        top = True
        least = np.int64(0)
        for j in range(m):
            line = start[j] + vector[j]
            least += floor[line]
            if width[line]:
                top = False
        # groups of cheaper types alone hold nothing
        some = 0
        while some < t and k * (least * parts - prices[dear[some]]) <= tau:
            some += 1
        if not some:
            continue
        changed = 0
        while changed < m and before[changed] == vector[changed]:
            changed += 1
        for j in range(changed, m):
            line = start[j] + vector[j]
            before[j] = vector[j]
            if width[line]:
                sums[j + 1] = sums[j] + nodes[line] * width[line]
            else:
                sums[j + 1] = sums[j]
        found = groups(sums[m], dear, some, slots, p, stamps, homes, first, mem, order, gid)
        for g in range(found):
            lo, hi = first[g], first[g + 1]
            base = np.int64(0)
            for j in range(m):
                base += paid[start[j] + vector[j], mem[lo]]
            base *= parts
            _boxes(p, table, vector, prices, tau, free and top, base, mem, lo, hi, ends, held, room, out, share)


@njit(cache=True, nogil=True)
def extents(nodes, width, start, vectors, cell, value, ends, firsts, members, begins):  # type: ignore[no-untyped-def]
    """List the types of some instances.

    `vectors`, (g, m) int64, is the level vector of each instance, and `ends`, (g, r, 2) int64, what it shows of each
    ranged column, as `scan` says it. `firsts`, (g,) int64, is a type that lies in it. `nodes`, `width`, `start`, `cell`
    and `value` are as in `scan`.

    The lists are written into `members`, (e,) int32, and `begins`, (g + 1,) int64. Where `members` is empty, they are
    counted alone.
    """
    t = nodes.shape[1] if nodes.shape[0] else cell.shape[1]
    m, r = start.size, cell.shape[0]
    n = 0
    begins[0] = 0
    for g in range(firsts.size):
        own = firsts[g]
        for i in range(t):
            inside = True
            for c in range(r):
                a, b = ends[g, c, 0], ends[g, c, 1]
                if value[c, i] != b if a < 0 else not a <= cell[c, i] <= b:
                    inside = False
                    break
            if not inside:
                continue
            for j in range(m):
                line = start[j] + vectors[g, j]
                if width[line] and nodes[line, i] != nodes[line, own]:
                    inside = False
                    break
            if inside:
                if members.size:
                    members[n] = i
                n += 1
        begins[g + 1] = n
