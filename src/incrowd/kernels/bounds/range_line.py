"""Parts of `range_boxes`: groups of types, the least of an instance, and the sweep along one ranged column."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["groups", "sweep"]


@njit(cache=True, nogil=True)
def groups(keys, dear, some, slots, stamp, stamps, homes, begins, members, order, gid):  # type: ignore[no-untyped-def]
    """Sort the types in `order` that have the key of one of the first `some` dear ones into groups of equal keys.

    Each group is in that order; return their number.
    """
    size = 16
    while size < 2 * some:
        size *= 2
    mask = np.uint64(size - 1)
    groups = 0
    for x in range(some):
        key = keys[dear[x]]
        h = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ (h >> np.uint64(32))) & mask
        while stamps[h] == stamp and slots[h] != key:
            h = (h + np.uint64(1)) & mask
        if stamps[h] != stamp:
            stamps[h] = stamp
            slots[h] = key
            homes[h] = groups
            begins[groups + 1] = 0
            groups += 1
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
    for g in range(groups):
        begins[g + 1] += begins[g]
    for x in range(keys.size):
        g = gid[x]
        if g >= 0:
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
    p, table, vector, prices, tau, hub, base, mem, lo, hi, ends, room, out
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
                and not (hub and cell[c, mem[x]] == 0 and cell[c, mem[y]] == last[c])
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
        shown[at] = ends
        rc[at] = found
        members[pairs : pairs + hi - lo] = np.sort(mem[lo:hi])
        begins[at + 1] = pairs + hi - lo
        numbers[1] += 1
        numbers[2] += hi - lo
