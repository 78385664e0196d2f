"""The strong components of what an assignment of all rows leaves: who may change places with whom.

References
----------
R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["strong_parts"]


@njit(cache=True, nogil=True)
def strong_parts(key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys, sent, got):
    """Return the strong component of every node, (a + x + b,) int32.

    The nodes are the classes of the first release, the keys, and the classes of the second. Arcs lead from a class of
    the first release to its keys and from a key to its classes of the second, and back along the edges that rows were
    sent along.

    `key_a` and `key_b`, (x + 1,) int64, say where the edges of each key begin, on either side; `a_class`, `b_class`,
    `a_keys` and `b_keys`, (e,) int32, are class and key of each edge. `of_a` and `of_b`, (classes + 1,) int64, say
    where the edges of each class begin in `a_edges` and `b_edges`, (e,) int32. `sent` and `got`, (e,) int64, are the
    rows along each edge.
    """
    a, x_count, b = of_a.size - 1, key_a.size - 1, of_b.size - 1
    n = a + x_count + b
    part, low = np.full(n, -1, np.int32), np.empty(n, np.int32)
    seen = np.full(n, -1, np.int32)
    at = np.zeros(n, np.int64)
    calls, open_nodes = np.empty(n, np.int32), np.empty(n, np.int32)
    times, opened, parts = 0, 0, 0
    for root in range(n):
        if seen[root] >= 0:
            continue
        depth = 0
        calls[0] = root
        seen[root] = low[root] = times
        times += 1
        open_nodes[opened] = root
        opened += 1
        while depth >= 0:
            v = calls[depth]
            u = -1
            if v < a:
                if of_a[v] + at[v] < of_a[v + 1]:
                    u = a + a_keys[a_edges[of_a[v] + at[v]]]
            elif v < a + x_count:
                x = v - a
                ahead = key_b[x + 1] - key_b[x]
                if at[v] < ahead:
                    u = a + x_count + b_class[key_b[x] + at[v]]
                else:
                    back = key_a[x + 1] - key_a[x]
                    while at[v] - ahead < back and sent[key_a[x] + at[v] - ahead] == 0:
                        at[v] += 1
                    if at[v] - ahead < back:
                        u = a_class[key_a[x] + at[v] - ahead]
            else:
                j = v - a - x_count
                while of_b[j] + at[v] < of_b[j + 1] and got[b_edges[of_b[j] + at[v]]] == 0:
                    at[v] += 1
                if of_b[j] + at[v] < of_b[j + 1]:
                    u = a + b_keys[b_edges[of_b[j] + at[v]]]
            if u >= 0:
                at[v] += 1
                if seen[u] < 0:
                    seen[u] = low[u] = times
                    times += 1
                    open_nodes[opened] = u
                    opened += 1
                    depth += 1
                    calls[depth] = u
                elif part[u] < 0:
                    low[v] = min(low[v], seen[u])
                continue
            if low[v] == seen[v]:
                while True:
                    opened -= 1
                    w = open_nodes[opened]
                    part[w] = parts
                    if w == v:
                        break
                parts += 1
            depth -= 1
            if depth >= 0:
                low[calls[depth]] = min(low[calls[depth]], low[v])
    return part
