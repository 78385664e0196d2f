"""By how many rows a class fails the rules on its rows per sensitive value.

Nothing here decides what is released: numbers are floating point, and whoever releases a class asks its requirements.
All numbers lie in two arrays, whole and real ones, whose layout `class_layout` says: kernels
that take many arrays are slow to call and to compile.
"""

from __future__ import annotations

from incrowd.loops import njit

# Families, in the order of `incrowd.tables.count_rules.Family`; EQUAL is a tree of one height whose nodes are values.
SHARES, DISTINCT, TREE, LINE, TRANSPORT, ENTROPY, RECURSIVE, EQUAL = 0, 1, 2, 3, 4, 5, 6, 7
# What a rule is made of: `RULE` whole numbers. LEVEL, SCALE, FIRST, SECOND and LOGS are places of real numbers: its
# level; the rows that a violation of one row times distance is about; for each value its largest share (SHARES) or its
# share of the table; for each value the least share that a class may have if it has any (SHARES), the length of the
# step to the next (LINE), for each height and value the node's share of the table (TREE), for each pair of values
# their distance (TRANSPORT); x log x. SCRATCH is a place of real numbers, one for each node; NODES (TREE) the place of
# the node of each value at each of HEIGHTS heights, FAR (TRANSPORT) that of all pairs of values, the nearest first;
# TOP has room for `LEAST` numbers.
FAMILY, COLUMN, LEAST, VALUES, HEIGHTS, NODES, FAR, TOP, LEVEL, SCALE, FIRST, SECOND, LOGS, SCRATCH = range(14)
RULE = 14
# What counts as met in floating point.
EDGE = 1e-9


@njit(cache=True, nogil=True)
def rule_violation(whole, real, rule, value, rows, count, size):  # type: ignore[no-untyped-def]
    """Return by about how many rows a class fails a rule, 0 where it meets it.

    `whole` is int64 and `real` float64; `rule` is the place of the rule. `value` is the place of the values that the
    class can have, which increase, and `rows` that of the rows of each (0: none); `count` is how many these are. The
    class has `size` rows, at least 1. O(count), times the heights (TREE) or l (RECURSIVE); O(values) for LINE;
    O(values^2) for TRANSPORT, which goes by the nearest pairs first and may say more than the least cost.
    """
    family, first, second = whole[rule + FAMILY], whole[rule + FIRST], whole[rule + SECOND]
    level = real[whole[rule + LEVEL]]
    if family == SHARES:
        return _shares(whole, real, first, second, value, rows, count, size)
    if family == DISTINCT:
        lacking = whole[rule + LEAST]
        for e in range(count):
            if whole[rows + e] > 0:
                lacking -= 1
        return float(max(lacking, 0))
    if family == RECURSIVE:
        return _recursive(whole, whole[rule + TOP], whole[rule + LEAST] - 1, level, rows, count, size)
    over, scale = -level * size, 1.0
    if family == EQUAL:
        for e in range(count):
            more = whole[rows + e] - real[first + whole[value + e]] * size
            if whole[rows + e] > 0 and more > 0:
                over += more
    elif family == ENTROPY:
        logs = whole[rule + LOGS]
        over = level * size - real[logs + size]
        for e in range(count):
            over += real[logs + whole[rows + e]]
    else:
        scale = real[whole[rule + SCALE]]
        if family == TREE:
            over += _tree(whole, real, rule, value, rows, count, size)
        elif family == LINE:
            ahead, e = 0.0, 0
            for v in range(whole[rule + VALUES] - 1):
                ahead -= real[first + v] * size
                if e < count and whole[value + e] == v:
                    ahead += whole[rows + e]
                    e += 1
                over += real[second + v] * abs(ahead)
        else:
            over += _transport(whole, real, rule, value, rows, count, size)
    return over * scale + 0.5 if over > EDGE * size else 0.0


@njit(cache=True, nogil=True)
def _shares(whole, real, most, least, value, rows, count, size):  # type: ignore[no-untyped-def]
    """Return the fewer of the rows to add and the rows to take away, and what values lack of their least share."""
    add, less, lacking = 0.0, 0.0, 0.0
    for e in range(count):
        held = whole[rows + e]
        if held == 0:
            continue
        share, low = real[most + whole[value + e]], real[least + whole[value + e]]
        over = held - share * size
        if over > EDGE * size:
            less += over / max(1.0 - share, 1e-3)
            add = max(add, held / max(share, 1e-9) - size)
        if low > 0.0 and held < low * size:
            lacking += min(float(held), low * size - held) + 0.5
    return min(add, less) + lacking


@njit(cache=True, nogil=True)
def _recursive(whole, top, wide, level, rows, count, size):  # type: ignore[no-untyped-def]
    """Return by how much r1 is not below c (r_l + r_(l+1) + ...), in rows of the tail or of the first."""
    last = max(wide, 1) - 1
    for x in range(last + 1):
        whole[top + x] = 0
    for e in range(count):
        held, x = whole[rows + e], last
        if held <= whole[top + x]:
            continue
        while x > 0 and whole[top + x - 1] < held:
            whole[top + x] = whole[top + x - 1]
            x -= 1
        whole[top + x] = held
    tail = size
    for x in range(wide):
        tail -= whole[top + x]
    over = whole[top] - level * tail
    return over / max(level, 1.0) + 0.5 if over > -EDGE * size else 0.0


@njit(cache=True, nogil=True)
def _tree(whole, real, rule, value, rows, count, size):  # type: ignore[no-untyped-def]
    """Return the mean over the heights of what nodes have above their share of the table, in rows."""
    values, nodes, shares = whole[rule + VALUES], whole[rule + NODES], whole[rule + SECOND]
    held, total = whole[rule + SCRATCH], 0.0
    for _ in range(whole[rule + HEIGHTS]):
        for e in range(count):
            real[held + whole[nodes + whole[value + e]]] += whole[rows + e]
        for e in range(count):
            x = held + whole[nodes + whole[value + e]]
            if real[x] > 0:
                total += max(real[x] - real[shares + whole[value + e]] * size, 0.0)
            real[x] = 0.0
        nodes += values
        shares += values
    return total / max(whole[rule + HEIGHTS], 1)


@njit(cache=True, nogil=True)
def _transport(whole, real, rule, value, rows, count, size):  # type: ignore[no-untyped-def]
    """Return what it costs to move a class's rows per value to the table's shares, the nearest pairs first."""
    first, values, far = whole[rule + FIRST], whole[rule + VALUES], whole[rule + FAR]
    left = whole[rule + SCRATCH]
    for v in range(values):
        real[left + v] = -real[first + v] * size
    for e in range(count):
        real[left + whole[value + e]] += whole[rows + e]
    total = 0.0
    for x in range(values * values):
        pair = whole[far + x]
        u, v = left + pair // values, left + pair % values
        if real[u] > 0 and real[v] < 0:
            moved = min(real[u], -real[v])
            real[u] -= moved
            real[v] += moved
            total += moved * real[whole[rule + SECOND] + pair]
    for v in range(values):
        real[left + v] = 0.0
    return total
