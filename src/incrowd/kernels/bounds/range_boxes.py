"""Prices over every range of some columns: all patterns of the other columns, in each class a sweep along the numbers.

A row type lies in a cell of every ranged column. An instance is a pattern of the other columns with its nodes and, of
each ranged column, either one value or a run of cells; a row in it costs what the nodes and the runs cost. Of runs that
hold the same rows only the shortest counts: it begins and ends with a cell that has rows.
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit


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
    p, table, vector, prices, tau, suppressed, base, mem, lo, hi, ends, held, room, out, share
):
    """Go through all choices of values and runs for some types: column by column, the last one in a sweep."""
    _, _, cell, value, _, _, last, _, _, _, _ = table
    r = cell.shape[0]
    if r == 1:
        sweep(p, table, vector, prices, tau, suppressed, base, mem, lo, hi, ends, room, out)
        return
    buffer, texts, used, top, at, sizes, costs, suppressed_classes = held
    sizes[0], costs[0], suppressed_classes[0] = hi - lo, base, suppressed
    for x in range(hi - lo):
        buffer[0, x] = mem[lo + x]
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
        whole = suppressed_classes[c] and a == 0 and b == last[c]
        c += 1
        sizes[c], costs[c], suppressed_classes[c] = n, cost, whole
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
    int64, says which of them are looked at. `cell` and `value`, (r, t) int64, are the place of each type along each
    ranged column, and its value there; `order`, (t,) int64, has the types by cell and value of the last ranged column.
    `low` and `up`, (r, G) int64, are as in `RangedColumn`, and `last`, (r,) int64, is the last cell. `above`, (p, 3^r)
    bool, says whether a vector counts where the ranged columns show values (0), runs (1) or all cells (2): the digits
    of the second place, that of the first column the lowest. `share`, (2,) int64, says for several ranged columns which
    share of the choices for the first one is looked at, of how many.

    `counts` and `prices` are (t,) int64, prices in `parts` of a scaled unit; `tau`, at least 0, is in the same unit.
    `free` says whether full suppression is no instance here. Written are, of the listed instances, the pattern into
    `which`, the first and last cell in each ranged column (-1, value: one value) into `shown`, the members in order
    into `begins` and `members`, and the reduced cost into `rc`. `numbers`, (3,) int64, is read and changed: the sum of
    negative reduced costs, listed instances, and listed pairs. O(t) a pattern for the classes; in a class a sweep from
    every cell that ends where a run costs more than the dearest price, for every choice of value or run in the columns
    before.
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
        floor[line] = paid[line, 0]
        for i in range(t):
            floor[line] = min(floor[line], paid[line, i])
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
        # classes of cheaper types alone hold nothing
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
            for i in range(t):
                sums[j + 1, i] = sums[j, i] + (nodes[line, i] * width[line] if width[line] else 0)
        found = classes(sums[m], dear, some, slots, p, stamps, homes, first, mem, order, gid)
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
    and `value` are as in `scan`. The lists are written into `members`, (e,) int32, and `begins`, (g + 1,) int64. Where
    `members` is empty, they are counted alone.
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


# Parts of `range_boxes`: classes of types, the least of an instance, and the sweep along one ranged column.
@njit(cache=True, nogil=True)
def classes(keys, dear, some, slots, stamp, stamps, homes, begins, members, order, gid):  # type: ignore[no-untyped-def]
    """Sort the types in `order` that have the key of one of the first `some` dear ones into classes of equal keys.

    Each class is in that order; return their number.
    """
    size = 16
    while size < 2 * some:
        size *= 2
    mask = np.uint64(size - 1)
    classes = 0
    for x in range(some):
        key = keys[dear[x]]
        h = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(32))) & mask
        while stamps[h] == stamp and slots[h] != key:
            h = (h + np.uint64(1)) & mask
        if stamps[h] != stamp:
            stamps[h] = stamp
            slots[h] = key
            homes[h] = classes
            begins[classes + 1] = 0
            classes += 1
    for x in range(keys.size):
        key = keys[order[x]]
        h = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(32))) & mask
        while stamps[h] == stamp and slots[h] != key:
            h = (h + np.uint64(1)) & mask
        gid[x] = -1
        if stamps[h] == stamp:
            gid[x] = homes[h]
            begins[homes[h] + 1] += 1
    begins[0] = 0
    for g in range(classes):
        begins[g + 1] += begins[g]
    for x in range(keys.size):
        g = gid[x]
        if g >= 0:
            members[begins[g]] = order[x]
            begins[g] += 1
    for g in range(classes, 0, -1):
        begins[g] = begins[g - 1]
    begins[0] = 0
    return classes


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
def _closed(cell, value, ends, members, lo, hi):  # type: ignore[no-untyped-def]
    """Return whether the runs of all ranged columns but the last are the shortest that hold these rows."""
    for c in range(cell.shape[0] - 1):
        a, b = ends[c, 0], ends[c, 1]
        if a < 0:
            continue
        begins, stops, several = False, False, False
        first = value[c, members[lo]]
        for x in range(lo, hi):
            i = members[x]
            begins |= cell[c, i] == a
            stops |= cell[c, i] == b
            several |= value[c, i] != first
            if begins and stops and several:
                break
        if not (begins and stops and several):
            return False
    return True


@njit(cache=True, nogil=True)
def sweep(  # type: ignore[no-untyped-def]
    p, table, vector, prices, tau, suppressed, base, mem, lo, hi, ends, room, out
):
    """Price all values and runs of the last ranged column for some types, which are in its order."""
    nodes, start, cell, value, low, up, last, counts, k, parts, above = table
    tail, ahead, ys, ns = room
    c = cell.shape[0] - 1
    # what the columns before show, as `above` counts it
    code, place = np.int64(0), np.int64(1)
    for b in range(c):
        if ends[b, 0] >= 0:
            code += place * (2 if ends[b, 0] == 0 and ends[b, 1] == last[b] else 1)
        place *= 3
    if not (above[p, code] or above[p, code + place] or above[p, code + 2 * place]):
        return
    tail[hi - lo] = -(np.int64(1) << 62)
    ahead[hi - lo] = 0
    for x in range(hi - 1, lo - 1, -1):
        tail[x - lo] = max(tail[x + 1 - lo], prices[mem[x]])
        ahead[x - lo] = ahead[x + 1 - lo] + counts[mem[x]]
    if ahead[0] < k or k * (base - tail[0]) > tau:
        return
    # one value
    x = lo
    while x < hi:
        y = x + 1
        while y < hi and value[c, mem[y]] == value[c, mem[x]]:
            y += 1
        if ahead[x - lo] - ahead[y - lo] >= k:
            held = 0
            for z in range(x, y):
                held = _insert(ys, ns, held, prices[mem[z]], counts[mem[z]], base, k)
            found = _least(ys, ns, held, base, k)
            if (
                (found < 0 or found <= tau)
                and above[p, code]
                and not _alike(nodes, start, vector, mem, x, y)
                and _closed(cell, value, ends, mem, x, y)
            ):
                ends[c, 0] = -1
                ends[c, 1] = value[c, mem[x]]
                _put(p, ends, mem, x, y, found, tau, out)
        x = y
    # runs of cells
    x = lo
    while x < hi:
        if ahead[x - lo] < k or k * (base - tail[x - lo]) > tau:
            break
        held = 0
        y = x
        while y < hi:
            cost = base + (up[c, cell[c, mem[y]]] - low[c, cell[c, mem[x]]]) * parts
            if k * (cost - tail[x - lo]) > tau:
                break
            z = y
            while z < hi and cell[c, mem[z]] == cell[c, mem[y]]:
                held = _insert(ys, ns, held, prices[mem[z]], counts[mem[z]], base, k)
                z += 1
            if (
                ahead[x - lo] - ahead[z - lo] >= k
                and value[c, mem[x]] != value[c, mem[z - 1]]
                and not (suppressed and cell[c, mem[x]] == 0 and cell[c, mem[y]] == last[c])
            ):
                found = _least(ys, ns, held, cost, k)
                if (
                    (found < 0 or found <= tau)
                    and above[p, code + (place if cell[c, mem[x]] > 0 or cell[c, mem[y]] < last[c] else 2 * place)]
                    and not _alike(nodes, start, vector, mem, x, z)
                    and _closed(cell, value, ends, mem, x, z)
                ):
                    ends[c, 0] = cell[c, mem[x]]
                    ends[c, 1] = cell[c, mem[y]]
                    _put(p, ends, mem, x, z, found, tau, out)
            y = z
        y = x
        while y < hi and cell[c, mem[y]] == cell[c, mem[x]]:
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
def _put(p, ends, mem, lo, hi, found, tau, out):  # type: ignore[no-untyped-def]
    which, shown, begins, members, rc, numbers = out
    if found < 0:
        numbers[0] += found
    at, pairs = numbers[1], numbers[2]
    if found <= tau and at < which.size and pairs + hi - lo <= members.size:
        which[at] = p
        for c in range(ends.shape[0]):
            shown[at, c, 0], shown[at, c, 1] = ends[c, 0], ends[c, 1]
        rc[at] = found
        part = np.sort(mem[lo:hi])
        for x in range(hi - lo):
            members[pairs + x] = part[x]
        begins[at + 1] = pairs + hi - lo
        numbers[1] += 1
        numbers[2] += hi - lo
