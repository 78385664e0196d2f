"""Instances as lists of the row types that agree with them."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping.frequent import alike
from incrowd.kernels.hash_table import following, probe, room
from incrowd.loops import njit

__all__ = ["common_levels", "members_of", "transpose"]


@njit(cache=True, nogil=True)
def common_levels(nodes, start, vectors, begins, members):  # type: ignore[no-untyped-def]
    """Return per group the lowest levels at which all its members agree, shape (g, m) int8.

    `nodes`, (t, L) int32, has a node per row type and line, and `start`, (m,) int64, is the first line of each column.
    `vectors`, (g, m) int8, are levels at which the members of each group are known to agree. With `begins`, (g + 1,)
    int64, and `members`, int32, group x holds the types ``members[begins[x]:begins[x + 1]]``.

    It takes O(members * m) steps: a column's level only rises while its members are gone through.
    """
    groups, m = vectors.shape
    common = np.zeros((groups, m), np.int8)
    for g in range(groups):
        first = members[begins[g]]
        for j in range(m):
            level = 0
            for x in range(begins[g] + 1, begins[g + 1]):
                while level < vectors[g, j] and (nodes[members[x], start[j] + level] != nodes[first, start[j] + level]):
                    level += 1
                if level == vectors[g, j]:
                    break
            common[g, j] = level
    return common


@njit(cache=True, nogil=True)
def members_of(nodes, lines, hashes, reps, rep_hashes):  # type: ignore[no-untyped-def]
    """Return the row types that show the same nodes on `lines` as each of some representatives.

    `nodes` is (t, L) int32, and `lines`, (s,) int64, are the lines shown. `hashes`, (t,) uint64, is the hash of the
    nodes shown by each type: equal nodes have equal hashes. `reps`, (r,) int32, are types that show different
    instances, and `rep_hashes` is (r,) uint64.

    Returned are `begins`, (r + 1,) int64, and `members`, int32, increasing inside a group. They are exact: nodes are
    compared, hashes only say where to look.
    """
    r = reps.size
    slots = np.full(room(2 * r), -1, np.int32)
    for g in range(r):
        s = probe(slots, rep_hashes, rep_hashes[g], rep_hashes[g] >> np.uint64(20))
        while slots[s] >= 0:
            s = probe(slots, rep_hashes, rep_hashes[g], following(s))
        slots[s] = g
    t = hashes.size
    group = np.full(t, -1, np.int32)
    begins = np.zeros(r + 1, np.int64)
    for i in range(t):
        s = probe(slots, rep_hashes, hashes[i], hashes[i] >> np.uint64(20))
        while slots[s] >= 0 and not alike(nodes, lines, i, reps[slots[s]]):
            s = probe(slots, rep_hashes, hashes[i], following(s))
        g = slots[s]
        if g >= 0:
            group[i] = g
            begins[g + 1] += 1
    for g in range(r):
        begins[g + 1] += begins[g]
    members = np.empty(begins[r], np.int32)
    place = begins[:-1].copy()
    for i in range(t):
        g = group[i]
        if g >= 0:
            members[place[g]] = i
            place[g] += 1
    return begins, members


@njit(cache=True, nogil=True)
def transpose(begins, members, t):  # type: ignore[no-untyped-def]
    """Turn the lists round: per row type its instances, increasing, and where each pair lies.

    With `begins`, (instances + 1,) int64, and `members`, (p,) int32, ``members[begins[g]:begins[g + 1]]`` are the row
    types of instance g. `t` counts the row types.

    Returned are `type_begins`, (t + 1,) int64, `instances`, (p,) int32, and `pairs`, (p,) int64: ``members[pairs[y]]``
    is the type whose list holds y.
    """
    type_begins = np.zeros(t + 1, np.int64)
    for x in range(members.size):
        type_begins[members[x] + 1] += 1
    for i in range(t):
        type_begins[i + 1] += type_begins[i]
    place = type_begins[:-1].copy()
    instances = np.empty(members.size, np.int32)
    pairs = np.empty(members.size, np.int64)
    for g in range(begins.size - 1):
        for x in range(begins[g], begins[g + 1]):
            i = members[x]
            instances[place[i]] = g
            pairs[place[i]] = x
            place[i] += 1
    return type_begins, instances, pairs
