"""The least cost in a forest of groups where rows that find none below go up."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["NEVER", "sent_up", "settle"]

NEVER = np.iinfo(np.int64).max // 4


@njit(cache=True, nogil=True)
def settle(first, child, rows, cost, need, cap, begin, best, arrived, share, node, used, most_work):  # type: ignore[no-untyped-def]
    """Fill in the tables of a forest from one node on, children before parents, until so much work is done.

    With `first`, (v + 1,) int64, and `child`, (c,) int64, node x has the children ``child[first[x]:first[x + 1]]``, all
    of smaller number. Per node, (v,) int64 each, `rows` are the rows of the table at a leaf, 0 at inner nodes, `cost`
    is that of a row in the group there, `need` the rows a used group needs, at least 1, and `cap` the rows that it may
    send up at most. `begin`, (v + 1,) int64, says where each node's table begins in `best`: ``cap + 1`` entries.

    Three arrays are written. `best`, (total,) int64, is the least cost of the rows below a node if exactly j of them go
    up. `arrived`, (total,) int32, has for each of these the rows that arrive at the node (all of them go up, or as many
    as it needs stay). `share`, (total of cap + need + 1 per child, 2) int32, has for each child and each number of rows
    that arrive from it and its elder sisters how many came before it and how many it sends.

    `node` and `used` are the first node whose table is not filled in, and the entries of `share` used: what the call
    before returned, 0 and 0 to begin with. They are returned anew; node v is behind the last. After `most_work` steps
    it ends with the node it is at; a node takes at least one.

    Notes
    -----
    Rows that arrive at a node are counted up to cap + need only: what is above stays there whatever goes up, and is
    charged at once. O(nodes * (cap + need) * cap) time.
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
