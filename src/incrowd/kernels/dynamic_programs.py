"""Dynamic programs: over the forest of a chain of patterns, and along the sorted rows of one column."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

NEVER = np.iinfo(np.int64).max // 4


# The least cost in a forest of classes where rows that find none below go up.
@njit(cache=True, nogil=True)
def settle(first, child, rows, cost, need, cap, begin, best, arrived, share, node, used, most_work):  # type: ignore[no-untyped-def]
    """Fill in the tables of a forest from one node on, children before parents, until so much work is done.

    With `first`, (v + 1,) int64, and `child`, (c,) int64, node x has the children ``child[first[x]:first[x + 1]]``, all
    of smaller number. Per node, (v,) int64 each, `rows` are the rows of the table at a leaf, 0 at inner nodes, `cost`
    is that of a row in the class there, `need` the rows a used class needs, at least 1, and `cap` the rows that it may
    send up at most. `begin`, (v + 1,) int64, says where each node's table begins in `best`: ``cap + 1`` entries. Three
    arrays are written. `best`, (total,) int64, is the least cost of the rows below a node if exactly j of them go up.
    `arrived`, (total,) int32, has for each of these the rows that arrive at the node (all of them go up, or as many as
    it needs stay). `share`, (total of cap + need + 1 per child, 2) int32, has for each child and each number of rows
    that arrive from it and its elder sisters how many came before it and how many it sends. `node` and `used` are the
    first node whose table is not filled in, and the entries of `share` used: what the call before returned, 0 and 0 to
    begin with. They are returned anew; node v is behind the last. After `most_work` steps it ends with the node it is
    at; a node takes at least one. Rows that arrive at a node are counted up to cap + need only: what is above stays
    there whatever goes up, and is charged at once. O(nodes * (cap + need) * cap) time.
    """
    work = 0
    for x in range(node, first.size - 1):
        if work >= most_work:
            return x, used
        work += 1 + cap[x]
        limit = cap[x] + need[x]
        here = np.full(limit + 1, NEVER, np.int64)
        if first[x] == first[x + 1]:
            over = max(rows[x] - limit, 0)
            here[rows[x] - over] = over * cost[x]
        else:
            here[0] = 0
        most = min(rows[x], limit)
        for y in child[first[x] : first[x + 1]]:
            joined = np.full(limit + 1, NEVER, np.int64)
            top = 0
            work += (most + 1) * (cap[y] + 1)
            for s in range(most + 1):
                if here[s] >= NEVER:
                    continue
                for j in range(cap[y] + 1):
                    below = best[begin[y] + j]
                    if below >= NEVER:
                        continue
                    at = min(s + j, limit)
                    value = here[s] + below + (s + j - at) * cost[x]
                    top = max(top, at)
                    if value < joined[at]:
                        joined[at] = value
                        share[used + at, 0] = s
                        share[used + at, 1] = j
            here = joined
            most = top
            used += limit + 1
        for j in range(cap[x] + 1):
            least = here[j]
            from_ = j
            work += max(most + 1 - j - need[x], 0)
            for s in range(j + need[x], most + 1):
                if here[s] + (s - j) * cost[x] < least:
                    least = here[s] + (s - j) * cost[x]
                    from_ = s
            best[begin[x] + j] = least
            arrived[begin[x] + j] = from_
    return first.size - 1, used


@njit(cache=True, nogil=True)
def sent_up(first, child, need, cap, begin, arrived, share):  # type: ignore[no-untyped-def]
    """Return how many rows each node sends up in a least forest, parents before children, (v,) int64.

    The arrays are as for `settle`, filled in. It takes O(nodes) time.
    """
    nodes = first.size - 1
    sent = np.zeros(nodes, np.int64)
    at = share.shape[0]
    for x in range(nodes - 1, -1, -1):
        width = cap[x] + need[x] + 1
        at -= width * (first[x + 1] - first[x])
        have = np.int64(arrived[begin[x] + sent[x]])
        for y in range(first[x + 1] - first[x] - 1, -1, -1):
            line = at + y * width + have
            sent[child[first[x] + y]] = share[line, 1]
            have = np.int64(share[line, 0])
    return sent


# Classes along the sorted rows of one column: a dynamic program over how many rows are placed.
NONE = np.int64(1) << 62  # no way to place so many rows


@njit(cache=True, nogil=True)
def place(first, cell, low, up, k, star, stride, most_skipped, begin, end, best, came, kind, value):  # type: ignore[no-untyped-def]
    """Go on from some numbers of placed rows to greater ones.

    A class is a run of the sorted rows, or a run that steps over whole values of at least k rows each, which show
    themselves. Classes have fewer than 2k rows, for a longer run can be cut in two. `first`, (v + 1,) int64, counts the
    rows before each distinct value, in sorted order, and `cell`, (v,) int64, is the cell of each value. With `low` and
    `up`, (G,) int64, a row in a run from cell a to cell b costs ``up[b] - low[a]``. `k` is at most the rows. `star` is
    the cost of a row without a class; -1: every row needs one. `stride` is the step between the sizes of classes that
    are tried; 1: all. A class may step over `most_skipped` values. `begin` and `end` are the numbers of placed rows to
    go on from. `value`, (n,) int32, is the value of each row. Read and changed are three arrays of length n + 1.
    `best`, int64, is the least cost of so many rows, at first 0 for none and `NONE`; `came`, int64, the rows placed
    before the last class, at first -1; and `kind`, int8, that of the last class. A kind is 0 for a run, 1 for a run
    that steps over values, and 2 for a row without a class. It takes O((end - begin) k / stride) time.
    """
    n = value.size
    none = NONE
    for i in range(begin, end):
        if best[i] == none:
            continue
        if star >= 0 and best[i] + star < best[i + 1]:
            best[i + 1] = best[i] + star
            came[i + 1] = i
            kind[i + 1] = 2
        a = cell[value[i]]
        size = k
        near = n - i < 2 * k
        while size < 2 * k and i + size <= n:
            last = value[i + size - 1]
            wide = np.int64(0)
            if last != value[i]:
                wide = up[cell[last]] - low[a]
            cost = best[i] + size * wide
            if cost < best[i + size]:
                best[i + size] = cost
                came[i + size] = i
                kind[i + size] = 0
            size += 1 if near else stride
        if not most_skipped:
            continue
        # stepping over values
        taken = np.int64(0)
        x = i
        skipped = 0
        while x < n and taken < 2 * k - 1:
            v = value[x]
            rows = first[v + 1] - x
            if x == first[v] and rows >= k and x > i:
                if skipped and taken < k:
                    # it may end among the rows of this value, of which there are enough
                    more = k - taken
                    cost = best[i] + k * (up[cell[v]] - low[a])
                    if cost < best[x + more]:
                        best[x + more] = cost
                        came[x + more] = i
                        kind[x + more] = 1
                skipped += 1
                if skipped > most_skipped:
                    break
                x = first[v + 1]
                continue
            use = min(rows, 2 * k - 1 - taken)
            if skipped and taken + use >= k:
                for more in range(max(1, k - taken), use + 1):
                    cost = best[i] + (taken + more) * (up[cell[v]] - low[a])
                    if cost < best[x + more]:
                        best[x + more] = cost
                        came[x + more] = i
                        kind[x + more] = 1
            taken += use
            x += use


@njit(cache=True, nogil=True)
def labels(first, k, came, kind, value, label):  # type: ignore[no-untyped-def]
    """Give each row its class along the best way.

    The number of each row's class is written into `label`, (n,) int64; -1: none. The other arguments are as in `place`,
    when it has come to the end.
    """
    n = value.size
    i = n
    number = 0
    while i > 0:
        begin = came[i]
        if kind[i] == 2:
            label[begin] = -1
        elif kind[i] == 0:
            label[begin:i] = number
            number += 1
        else:
            own = number
            number += 1
            x = begin
            while x < i:
                v = value[x]
                if x == first[v] and x > begin and first[v + 1] - x >= k and first[v + 1] < i:
                    # stepped over: the class goes on behind this value
                    label[x : first[v + 1]] = number
                    number += 1
                    x = first[v + 1]
                    continue
                stop = min(first[v + 1], i)
                label[x:stop] = own
                x = stop
        i = begin


# How far prices along one line may still rise: the least that any run of cells leaves for each of its rows.
LINE_ROOMS_NONE = 1e300


@njit(cache=True, nogil=True)
def rooms(cell, low, up, counts, k, prices, begin, end, room):  # type: ignore[no-untyped-def]
    """Lower the rooms of types to what runs leave that begin with the cell of one of some types.

    A run leaves the least of ``sum (cost - price)`` over at least k of its rows, by k: if all prices in it rise by
    that, no k of its rows are priced above what they cost. Below 0 they are already. `cell`, (t,) int64, is the cell of
    each type, which never falls. `low` and `up`, (G,) int64, are as in `RangedColumn`; `counts` is (t,) int64, and
    `prices` (t,) float64. Runs begin with the cell of a type from `begin` up to, but not with, `end`, if it is the
    first of its cell. `room`, (t,) float64, is read and changed; it is `NONE` for types that no run holds yet. Runs end
    where one costs a fifth more than the dearest price in it: longer ones leave more.
    """
    t = cell.size
    ys = np.empty(t, np.float64)
    ns = np.empty(t, np.int64)
    least = np.empty(t, np.float64)
    for x in range(begin, end):
        if x and cell[x] == cell[x - 1]:
            continue
        size, rows, stop, y = 0, np.int64(0), x, x
        while y < t:
            cost = float(up[cell[y]] - low[cell[x]])
            z = y
            while z < t and cell[z] == cell[y]:
                q = size
                while q > 0 and ys[q - 1] < prices[z]:
                    ys[q] = ys[q - 1]
                    ns[q] = ns[q - 1]
                    q -= 1
                ys[q] = prices[z]
                ns[q] = counts[z]
                size += 1
                rows += counts[z]
                least[z] = LINE_ROOMS_NONE
                z += 1
            # costs only grow, so what k dearer rows stand before is never taken
            held, q = np.int64(0), 0
            while q < size and (held < k or ys[q] > cost):
                held += ns[q]
                q += 1
            size = q
            if rows >= k:
                dual, taken = 0.0, np.int64(0)
                for q in range(size):
                    use = ns[q] if ys[q] > cost else min(ns[q], k - taken)
                    dual += use * (cost - ys[q])
                    taken += use
                least[z - 1] = dual / k
            stop = z
            if rows >= k and cost > 1.2 * ys[0]:
                break
            y = z
        dual = LINE_ROOMS_NONE
        for w in range(stop - 1, x - 1, -1):
            dual = min(dual, least[w])
            room[w] = min(room[w], dual)
