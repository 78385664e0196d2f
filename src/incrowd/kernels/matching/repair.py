"""From the cycles of an assignment to classes, along pairs that cost exactly what their prices say."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, cost3
from incrowd.loops import njit

EXPOSED, PAIR, EXIT, TRIPLE = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def cycles(F, y, exits, real, ml):  # type: ignore[no-untyped-def]
    """Cut the cycles of a permutation into pairs, exits and triples that cost what their prices say.

    `y` and `exits` are (n,) int64, and `ml` is (n,) int32; `real`, (n,) bool, says whether the row has an exit at all.
    Returned are `kind`, (n,) int8, and `mate`, (n, 2) int32, the others of each row's class, -1 for none. An odd cycle
    without tight exit or triple leaves one row exposed.
    """
    n = ml.size
    kind = np.full(n, EXPOSED, np.int8)
    mate = np.full((n, 2), -1, np.int32)
    seen = np.zeros(n, np.bool_)
    ring = np.empty(n, np.int32)
    for start in range(n):
        if seen[start]:
            continue
        length = 0
        i = start
        while not seen[i]:
            seen[i] = True
            ring[length] = i
            length += 1
            i = ml[i]
        if length == 1:
            if real[start]:
                kind[start] = EXIT
            continue
        first, rest = 0, length
        if length % 2:
            found = False
            for s in range(length):
                v = ring[s]
                if real[v] and exits[v] == y[v]:
                    kind[v] = EXIT
                    first, rest, found = s + 1, length - 1, True
                    break
            if not found:
                for s in range(length):
                    u, v, w = ring[s], ring[(s + 1) % length], ring[(s + 2) % length]
                    cost = cost3(F, u, v, w)
                    if cost < FAR and 3 * cost == y[u] + y[v] + y[w]:
                        _triple(kind, mate, u, v, w)
                        first, rest, found = s + 3, length - 3, True
                        break
            if not found:
                first, rest = 1, length - 1
        for s in range(first, first + rest, 2):
            u, v = ring[s % length], ring[(s + 1) % length]
            _pair(kind, mate, u, v)
    return kind, mate


@njit(cache=True, nogil=True)
def _pair(kind, mate, u, v):  # type: ignore[no-untyped-def]
    kind[u] = PAIR
    kind[v] = PAIR
    mate[u, 0], mate[u, 1] = v, -1
    mate[v, 0], mate[v, 1] = u, -1


@njit(cache=True, nogil=True)
def _triple(kind, mate, u, v, w):  # type: ignore[no-untyped-def]
    kind[u] = TRIPLE
    kind[v] = TRIPLE
    kind[w] = TRIPLE
    mate[u, 0], mate[u, 1] = v, w
    mate[v, 0], mate[v, 1] = u, w
    mate[w, 0], mate[w, 1] = u, v


@njit(cache=True, nogil=True)
def _switch(kind, mate, link, v):  # type: ignore[no-untyped-def]
    """Pair v with the outer row it was reached from, that one's mate with its own, ... down to the root."""
    while v >= 0:
        u = link[v]
        following = mate[u, 0]
        _pair(kind, mate, u, v)
        v = following


@njit(cache=True, nogil=True)
def repair_some(F, y, exits, real, ptr, adj, kind, mate, limit, tree, state, budget):  # type: ignore[no-untyped-def]
    """Give exposed rows a class along tight pairs, in place, for about `budget` steps; True: nothing changes any more.

    From each exposed row an alternating breadth-first search with blossoms (Edmonds) over the pairs. It ends at another
    exposed row, at a row with a tight exit, at a row that sits in an exit, at a triple that can give a row away and
    keep a tight pair, or at a pair with which an outer row makes a tight triple. A heuristic: a triple in the way is
    either broken at once or not at all. `y` and `exits` are (n,) int64, and `real` is (n,) bool; `ptr` and `adj` are
    the tight pairs per row. `kind`, (n,) int8, and `mate`, (n, 2) int32, are changed in place. A search gives up after
    `limit` rows, and the call comes back after `budget` pairs. `tree`, (n,) int32, is 1 + number of the failed search
    that reached the row last, 0 for none. `state`, (3,) int64, says how to go on; it is zeros to start with. In
    between classes are whole, and the same is done as in one go.
    """
    n = kind.size
    stamp = np.zeros(n, np.int64)
    outer = np.zeros(n, np.bool_)
    link = np.full(n, -1, np.int32)
    base = np.arange(n).astype(np.int32)
    queue = np.empty(n, np.int32)
    members = np.empty(n, np.int32)
    flag = np.zeros(n, np.int64)
    inside = np.zeros(n, np.int64)
    turn = 0
    paint = 0
    spent = 0
    while True:
        at, changed, failed = state
        if at == 0:
            tree[:] = 0
        for root in range(at, n):
            if kind[root] != EXPOSED:
                continue
            if spent > budget:
                state[0], state[1], state[2] = root, changed, failed
                return False
            turn += 1
            head, tail = 0, 0
            stamp[root] = turn
            outer[root] = True
            link[root] = -1
            base[root] = root
            queue[tail] = root
            tail += 1
            members[0] = root
            size = 1
            done = False
            while head < tail and not done and size <= limit:
                u = queue[head]
                head += 1
                if real[u] and exits[u] == y[u]:
                    other = mate[u, 0]
                    kind[u] = EXIT
                    mate[u, 0] = -1
                    _switch(kind, mate, link, other)
                    done = True
                    break
                spent += ptr[u + 1] - ptr[u]
                for e in range(ptr[u], ptr[u + 1]):
                    w = adj[e]
                    if stamp[w] != turn:
                        if kind[w] == EXPOSED or kind[w] == EXIT:
                            other = mate[u, 0]
                            _pair(kind, mate, u, w)
                            _switch(kind, mate, link, other)
                            done = True
                            break
                        if kind[w] == TRIPLE:
                            a, b = mate[w, 0], mate[w, 1]
                            cost = cost3(F, a, b, b)
                            if cost < FAR and 2 * cost == y[a] + y[b]:
                                other = mate[u, 0]
                                _pair(kind, mate, a, b)
                                _pair(kind, mate, u, w)
                                _switch(kind, mate, link, other)
                                done = True
                                break
                            continue
                        m = mate[w, 0]
                        cost = cost3(F, u, w, m)
                        if cost < FAR and 3 * cost == y[u] + y[w] + y[m]:
                            other = mate[u, 0]
                            _triple(kind, mate, u, w, m)
                            _switch(kind, mate, link, other)
                            done = True
                            break
                        stamp[w] = turn
                        outer[w] = False
                        link[w] = u
                        base[w] = w
                        stamp[m] = turn
                        outer[m] = True
                        link[m] = -1
                        base[m] = m
                        queue[tail] = m
                        tail += 1
                        members[size] = w
                        members[size + 1] = m
                        size += 2
                    elif outer[w] and base[w] != base[u]:
                        # Two outer rows meet: an odd ring. All of it becomes outer.
                        paint += 1
                        spent += size
                        v = u
                        while True:
                            v = base[v]
                            flag[v] = paint
                            if v == root or mate[v, 0] < 0:
                                break
                            v = link[mate[v, 0]]
                        top = w
                        while True:
                            top = base[top]
                            if flag[top] == paint:
                                break
                            top = link[mate[top, 0]]
                        for side in range(2):
                            v = u if side == 0 else w
                            child = w if side == 0 else u
                            while base[v] != top:
                                inside[base[v]] = paint
                                inside[base[mate[v, 0]]] = paint
                                link[v] = child
                                child = mate[v, 0]
                                v = link[child]
                        for s in range(size):
                            v = members[s]
                            if inside[base[v]] == paint:
                                base[v] = top
                                if not outer[v]:
                                    outer[v] = True
                                    queue[tail] = v
                                    tail += 1
            if done:
                changed = 1
                for s in range(size):
                    base[members[s]] = members[s]
            else:
                failed += 1
                for s in range(size):
                    tree[members[s]] = failed
        state[:] = 0
        if changed == 0:
            return True


@njit(cache=True, nogil=True)
def cheapest_home(F, exits, real, kind, mate, rows):  # type: ignore[no-untyped-def]
    """Put those of the rows that are exposed where they cost least, in place; return how many found no place.

    Places: an exit, an exposed row, a row in an exit, a pair (then a triple), a triple (then two pairs). O(n L) a row.
    `rows` are (r,) integers; the other arguments are as for `repair_some`.
    """
    n = kind.size
    homeless = 0
    for v in rows:
        if kind[v] != EXPOSED:
            continue
        best = np.int64(FAR) * 8
        where, how = -1, -1
        if real[v]:
            best, how = exits[v], 0
        for u in range(n):
            if u == v:
                continue
            cost = cost3(F, v, u, u)
            if cost >= FAR:
                continue
            if kind[u] == EXPOSED:
                if 2 * cost < best:
                    best, where, how = 2 * cost, u, 1
            elif kind[u] == EXIT:
                if 2 * cost - exits[u] < best:
                    best, where, how = 2 * cost - exits[u], u, 1
            elif kind[u] == PAIR:
                m = mate[u, 0]
                old = 2 * cost3(F, u, m, m)
                if 3 * cost - old < best:
                    whole = cost3(F, v, u, m)
                    if whole < FAR and 3 * whole - old < best:
                        best, where, how = 3 * whole - old, u, 2
            else:
                a, b = mate[u, 0], mate[u, 1]
                rest = cost3(F, a, b, b)
                if rest < FAR:
                    gain = 2 * cost + 2 * rest - 3 * cost3(F, u, a, b)
                    if gain < best:
                        best, where, how = gain, u, 3
        if how < 0:
            homeless += 1
        elif how == 0:
            kind[v] = EXIT
        elif how == 1:
            _pair(kind, mate, v, where)
        elif how == 2:
            _triple(kind, mate, v, where, mate[where, 0])
        else:
            a, b = mate[where, 0], mate[where, 1]
            _pair(kind, mate, a, b)
            _pair(kind, mate, v, where)
    return homeless


@njit(cache=True, nogil=True)
def grow(ptr, adj, kind, mate, inside, seeds, quota):  # type: ignore[no-untyped-def]
    """Mark whole classes in alternating breadth-first order along the given pairs; return how many rows joined.

    `ptr`, (n + 1,) int64, and `adj`, (e,) int32, are the pairs per row. `kind`, (n,) int8, and `mate`, (n, 2) int32,
    are the classes, as `cycles` returns them. `seeds`, (s,) integers, are the rows to
    start from. It ends once `quota` rows joined, or a few more. `inside`, (n,) bool, is changed in place.
    """
    queue = np.empty(kind.size + seeds.size, np.int32)
    head, tail, joined = 0, 0, 0
    queued = np.zeros(kind.size, np.bool_)
    for seed in seeds:
        if not queued[seed]:
            queued[seed] = True
            queue[tail] = seed
            tail += 1
        for r in range(3):
            w = np.int64(seed) if r == 2 else np.int64(mate[seed, r])
            if w >= 0 and not inside[w]:
                inside[w] = True
                joined += 1
                if not queued[w]:
                    queued[w] = True
                    queue[tail] = w
                    tail += 1
    while head < tail and joined < quota:
        u = queue[head]
        head += 1
        for e in range(ptr[u], ptr[u + 1]):
            w = adj[e]
            if not inside[w]:
                inside[w] = True
                joined += 1
            for r in range(2):
                m = mate[w, r]
                if m < 0 or (kind[w] != PAIR and kind[w] != TRIPLE):
                    continue
                if not inside[m]:
                    inside[m] = True
                    joined += 1
                if not queued[m]:
                    queued[m] = True
                    queue[tail] = m
                    tail += 1
            if joined >= quota:
                break
    return joined
