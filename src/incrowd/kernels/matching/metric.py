"""What a pair or a triple of rows costs: the records every kernel of the matching reads.

A row is a code per *line* (a column at a level below its top). Two rows that differ on a line pay the step from
their node to its parent; a class pays, per row, the steps of all lines on which not all its rows agree. Under a
mask the steps add up to a key instead, and the cost is looked up by it: in a table where keys are few, else in a
hash table of the keys that occurred. A key not met before is noted as wanted and costs `FAR` until it is known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from incrowd.loops import njit

# The cost of a class that is not allowed; every real cost is below.
FAR = 1 << 30
SUM, TABLE, HASH = 0, 1, 2


class Flat(NamedTuple):
    """Rows one after another, for looking at single pairs and triples.

    `rows`, `steps`: (n, L) int32, node of each row on each line, and the cost of the step to its parent. `sens`: (n, s)
    int32, codes of sensitive columns in which the rows of a class have to differ pairwise; s = 0, 1 or 2. `mode`: SUM,
    TABLE or HASH. `base`: (n, w) int64, key of each row by itself, in w words. `ksteps`: (n, w, L) int64, what a step
    adds to the key. `keys`: (cap, w) int64, keys of the hash table. `values`: (cap,) int64, costs by key; -1 empty, -2
    wanted. `wanted`: (2,) int64, keys asked for in vain, and keys held.
    """

    rows: Any
    steps: Any
    sens: Any
    mode: Any
    base: Any
    ksteps: Any
    keys: Any
    values: Any
    wanted: Any


class Wide(NamedTuple):
    """Rows side by side, for looking at one row against a block of others.

    `codes`, `steps`: (L, n) uint8, uint16 or int32, node of each row on each line, and the cost of the step to its
    parent (in mode TABLE what it adds to the key). `sens`: (s, n) int32, as in `Flat`. `base`: (n,) int64, first word
    of the key of each row. `mode`: SUM, TABLE or HASH. `values`: (cap,) int64, as in `Flat`. `wanted`: (2,) int64, as
    in `Flat`.
    """

    codes: Any
    steps: Any
    sens: Any
    base: Any
    mode: Any
    values: Any
    wanted: Any


@njit(cache=True, nogil=True)
def _find(F, i, j, k):  # type: ignore[no-untyped-def]
    """Return the cost held for the key of the class {i, j, k}, or FAR after noting it as wanted."""
    lines = F.rows.shape[1]
    if F.mode == TABLE:
        key = F.base[i, 0]
        for line in range(lines):
            c = F.rows[i, line]
            if F.rows[j, line] != c or F.rows[k, line] != c:
                key += F.ksteps[i, 0, line]
        value = F.values[key]
        if value >= 0:
            return value
        F.values[key] = -2
        F.wanted[0] += 1
        return FAR
    words = F.base.shape[1]
    key_words = np.empty(words, np.int64)
    mix = np.uint64(0)
    for w in range(words):
        key = F.base[i, w]
        for line in range(lines):
            c = F.rows[i, line]
            if F.rows[j, line] != c or F.rows[k, line] != c:
                key += F.ksteps[i, w, line]
        key_words[w] = key
        mix = (mix ^ np.uint64(key)) * np.uint64(0xBF58476D1CE4E5B9)
        mix = mix ^ (mix >> np.uint64(29))
    size = F.values.size
    slot = np.int64(mix & np.uint64(size - 1))
    while True:
        value = F.values[slot]
        if value == -1:
            F.wanted[0] += 1
            if 2 * F.wanted[1] < size:
                F.wanted[1] += 1
                F.values[slot] = -2
                for w in range(words):
                    F.keys[slot, w] = key_words[w]
            return FAR
        same = True
        for w in range(words):
            if F.keys[slot, w] != key_words[w]:
                same = False
        if same:
            if value >= 0:
                return value
            F.wanted[0] += 1
            return FAR
        slot = (slot + 1) & (size - 1)


@njit(cache=True, nogil=True)
def cost3(F, i, j, k):  # type: ignore[no-untyped-def]
    """Return the cost per row of a pair or triple; FAR if it is not allowed, or not yet known.

    For the pair {i, j} k is j.
    """
    for s in range(F.sens.shape[1]):
        if F.sens[i, s] == F.sens[j, s]:
            return FAR
        if k != j and (F.sens[i, s] == F.sens[k, s] or F.sens[j, s] == F.sens[k, s]):
            return FAR
    if F.mode != SUM:
        return _find(F, i, j, k)
    total = np.int64(0)
    for line in range(F.rows.shape[1]):
        c = F.rows[i, line]
        if F.rows[j, line] != c or F.rows[k, line] != c:
            total += F.steps[i, line]
    return total


@njit(cache=True, nogil=True)
def costs3(F, classes):  # type: ignore[no-untyped-def]
    """Return the cost per row of many classes, (g,) int64; FAR if not allowed, or not yet known.

    `classes` is (g, 3) int64; a line (i, j, -1) is a pair.
    """
    out = np.empty(classes.shape[0], np.int64)
    for g in range(classes.shape[0]):
        third = classes[g, 2] if classes[g, 2] >= 0 else classes[g, 1]
        out[g] = cost3(F, classes[g, 0], classes[g, 1], third)
    return out


@njit(cache=True, nogil=True)
def row_block(W, codes, steps, sens, base, a, b, acc, out):  # type: ignore[no-untyped-def]
    """Write the costs of pairing one row with the rows a..b-1 of `W` to `out`; FAR if not allowed, or not yet known.

    In mode HASH these are lower bounds: what the pair costs without the mask. `codes` and `steps`, (L,), are as those
    of `W`, `sens` is (s,) int32, and `base` is the row by itself. `acc` is work space of the type of ``W.codes``, and
    `out` is int32; both have a length of at least b - a.
    """
    m = b - a
    for t in range(m):
        acc[t] = 0
    for line in range(codes.size):
        c = codes[line]
        w = steps[line]
        if w == 0:
            continue
        others = W.codes[line, a:b]
        for t in range(m):
            if others[t] != c:
                acc[t] += w
    if W.mode == TABLE:
        values = W.values
        unknown = 0
        for t in range(m):
            value = values[base + np.int64(acc[t])]
            unknown += value < 0
            out[t] = value
        if unknown > 0:
            for t in range(m):
                if out[t] < 0:
                    W.values[base + np.int64(acc[t])] = -2
                    W.wanted[0] += 1
                    out[t] = FAR
    else:
        for t in range(m):
            out[t] = np.int32(acc[t])
    for s in range(sens.size):
        mine = sens[s]
        theirs = W.sens[s, a:b]
        for t in range(m):
            if theirs[t] == mine:
                out[t] = FAR


@njit(cache=True, nogil=True)
def insert(keys, values, new_keys, new_values):  # type: ignore[no-untyped-def]
    """Put distinct keys with their values into an empty hash table of twice the room at least.

    `new_keys` is (c, w) int64 and `new_values` (c,) int64. Changed in place are `keys`, (cap, w) int64, and `values`,
    (cap,) int64, all -1 before; cap is a power of two, and c <= cap / 2.
    """
    size = values.size
    for r in range(new_values.size):
        mix = np.uint64(0)
        for w in range(new_keys.shape[1]):
            mix = (mix ^ np.uint64(new_keys[r, w])) * np.uint64(0xBF58476D1CE4E5B9)
            mix = mix ^ (mix >> np.uint64(29))
        slot = np.int64(mix & np.uint64(size - 1))
        while values[slot] != -1:
            slot = (slot + 1) & (size - 1)
        values[slot] = new_values[r]
        keys[slot] = new_keys[r]
