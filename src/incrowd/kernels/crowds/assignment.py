"""All rows of one release assigned to rows of another, class by class: a flow through the keys at which they meet.

A class of the first release sends rows to keys, a key sends what it gets to classes of the second; neither edges nor
keys have a limit. The start sends what it can key by key, those that say most first; the flow is then completed along
shortest paths, phase by phase.

References
----------
E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power estimation", Soviet
Mathematics Doklady 11, 1970.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["augment", "begin"]


@njit(cache=True, nogil=True)
def begin(key_a, a_class, key_b, b_class, left, wanted, sent, got):
    """Send what can be sent key by key, in the keys' order.

    `key_a` and `key_b`, (x + 1,) int64, say where the edges of each key begin, on either side; `a_class` and `b_class`,
    (e,) int32, are the class of each edge, by key.

    Changed are `left` and `wanted`, (classes,) int64, the rows of the first release not sent yet and those of the
    second not served yet, and `sent` and `got`, (e,) int64, the rows along each edge.
    """
    for x in range(key_a.size - 1):
        e, f = key_a[x], key_b[x]
        while e < key_a[x + 1] and f < key_b[x + 1]:
            i, j = a_class[e], b_class[f]
            if left[i] == 0:
                e += 1
            elif wanted[j] == 0:
                f += 1
            else:
                d = min(left[i], wanted[j])
                left[i] -= d
                wanted[j] -= d
                sent[e] += d
                got[f] += d


@njit(cache=True, nogil=True)
def _levels(key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys, left, wanted, sent, got):
    """Return how far every node is from a class with rows left, and whether one with rows wanted is reached."""
    a, x_count, b = left.size, key_a.size - 1, wanted.size
    far = np.full(a + x_count + b, -1, np.int32)
    queue = np.empty(far.size, np.int32)
    head, tail = 0, 0
    for i in range(a):
        if left[i] > 0:
            far[i] = 0
            queue[tail] = i
            tail += 1
    last = -1
    while head < tail:
        v = queue[head]
        head += 1
        d = far[v] + 1
        if last >= 0 and d > last:
            break
        if v < a:
            for c in range(of_a[v], of_a[v + 1]):
                u = a + a_keys[a_edges[c]]
                if far[u] < 0:
                    far[u] = d
                    queue[tail] = u
                    tail += 1
        elif v < a + x_count:
            x = v - a
            for f in range(key_b[x], key_b[x + 1]):
                u = a + x_count + b_class[f]
                if far[u] < 0:
                    far[u] = d
                    queue[tail] = u
                    tail += 1
                    if wanted[b_class[f]] > 0:
                        last = d
            for e in range(key_a[x], key_a[x + 1]):
                if sent[e] > 0 and far[a_class[e]] < 0:
                    far[a_class[e]] = d
                    queue[tail] = a_class[e]
                    tail += 1
        else:
            j = v - a - x_count
            for c in range(of_b[j], of_b[j + 1]):
                f = b_edges[c]
                u = a + b_keys[f]
                if got[f] > 0 and far[u] < 0:
                    far[u] = d
                    queue[tail] = u
                    tail += 1
    return far, last >= 0


@njit(cache=True, nogil=True)
def augment(
    key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys, left, wanted, sent, got
):  # fmt: skip
    """Send more along shortest paths, one phase; return the rows sent (0: no more can be).

    `key_a` and `key_b`, (x + 1,) int64, say where the edges of each key begin, on either side; `a_class`, `b_class`,
    `a_keys` and `b_keys`, (e,) int32, are class and key of each edge. `of_a` and `of_b`, (classes + 1,) int64, say
    where the edges of each class begin in `a_edges` and `b_edges`, (e,) int32.

    Changed are `left` and `wanted`, (classes,) int64, the rows of the first release not sent yet and those of the
    second not served yet, and `sent` and `got`, (e,) int64, the rows along each edge.
    """
    far, reached = _levels(
        key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys, left, wanted, sent, got
    )
    if not reached:
        return 0
    a, x_count = left.size, key_a.size - 1
    # where each node goes on: classes among their edges, keys among those to the second and then to the first
    at = np.empty(far.size, np.int64)
    for i in range(a):
        at[i] = of_a[i]
    for x in range(x_count):
        at[a + x] = key_b[x]
    for j in range(wanted.size):
        at[a + x_count + j] = of_b[j]
    path, edge = np.empty(far.size, np.int32), np.empty(far.size, np.int64)
    total = 0
    for source in range(a):
        while left[source] > 0:
            depth = 0
            path[0] = source
            found = False
            while True:
                v = path[depth]
                d = far[v] + 1
                u, via = -1, -1
                if v < a:
                    while at[v] < of_a[v + 1]:
                        e = a_edges[at[v]]
                        if far[a + a_keys[e]] == d:
                            u, via = a + a_keys[e], e
                            break
                        at[v] += 1
                elif v < a + x_count:
                    x = v - a
                    behind = key_b[x + 1]
                    while at[v] < behind + key_a[x + 1] - key_a[x]:
                        if at[v] < behind:
                            w = a + x_count + b_class[at[v]]
                            if far[w] == d:
                                u, via = w, at[v]
                                break
                        else:
                            e = key_a[x] + at[v] - behind
                            if sent[e] > 0 and far[a_class[e]] == d:
                                u, via = a_class[e], e
                                break
                        at[v] += 1
                else:
                    j = v - a - x_count
                    if wanted[j] > 0:
                        found = True
                        break
                    while at[v] < of_b[j + 1]:
                        f = b_edges[at[v]]
                        if got[f] > 0 and far[a + b_keys[f]] == d:
                            u, via = a + b_keys[f], f
                            break
                        at[v] += 1
                if u >= 0:
                    edge[depth] = via
                    depth += 1
                    path[depth] = u
                elif depth == 0:
                    break
                else:  # a dead end: behind it nobody goes on
                    far[v] = -2
                    depth -= 1
                    at[path[depth]] += 1
            if not found:
                break
            rows = min(left[source], wanted[path[depth] - a - x_count])
            for c in range(depth):  # what goes back cannot be more than what came
                v, u = path[c], path[c + 1]
                if v >= a + x_count:
                    rows = min(rows, got[edge[c]])
                elif v >= a and u < a:
                    rows = min(rows, sent[edge[c]])
            for c in range(depth):
                v, u = path[c], path[c + 1]
                if v < a:
                    sent[edge[c]] += rows
                elif v >= a + x_count:
                    got[edge[c]] -= rows
                elif u < a:
                    sent[edge[c]] -= rows
                else:
                    got[edge[c]] += rows
            left[source] -= rows
            wanted[path[depth] - a - x_count] -= rows
            total += rows
    return total
