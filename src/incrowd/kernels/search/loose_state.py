"""The state of a search over classes that show what their rows share: every row's class, and what each class costs.

No list of instances stands behind it: a class that takes a row is shown as high as that needs, one that gives a row
away as low as the others allow. A class may fail what is asked of it; what it lacks is its violation, in rows.
Everything lies in two arrays, whole and real numbers: the first `HEAD` whole ones are counts, and places of the rest.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search.splitmix import STEP, fraction
from incrowd.loops import njit

__all__ = [
    "ABOVE",
    "AFTER",
    "BEFORE",
    "BEGINS",
    "BEST",
    "BEST_COST",
    "CLASSES",
    "CODES",
    "COST",
    "COSTS",
    "COUNTS",
    "COUNTS_AT",
    "FAILING",
    "FIRST",
    "GROUP",
    "HEAD",
    "HUB",
    "LACK",
    "LEVEL",
    "LINES",
    "LOG",
    "LOGGED",
    "LOG_LACK",
    "LOG_LEVEL",
    "NEAR",
    "NEVER",
    "NODES",
    "NOTED",
    "PRICE",
    "ROOM",
    "ROWS",
    "RULES",
    "RULES_AT",
    "SEED",
    "SIZE",
    "START",
    "STRIDE",
    "TYPE",
    "TYPES",
    "VALUES_AT",
    "VECTOR",
    "WIDE",
    "WIDTH",
    "K",
    "M",
    "draw",
    "join",
    "lowest",
    "shown",
]  # fmt: skip

# The scaled cost, how many classes fail, the entries of the log and room for them, the cost of the best state and
# whether there is one, the seed; the class that is fully suppressed and needs no crowd (-1: none), k; how many rows,
# types, columns, lines of `ProblemArrays`, classes, rules and numbers of a class per value of any rule there are.
COST, FAILING, LOGGED, ROOM, BEST_COST, NOTED, SEED, HUB, K, ROWS, TYPES, M, LINES, CLASSES, RULES, COUNTS = range(16)
# Places of what stays: node and scaled cost of every type on every line; line of each column at level 0, and what
# a level of it counts in the number of a level vector; the cheapest allowed vector above each one by number, -1 where
# there is none (ABOVE 0: all are allowed); the place of each type's value among a class's counts, for every
# rule; the rules; 0, 1, 2 ...; the rows of each type, which are numbered by their types, and the type of each row;
# WIDTH types near each type, the nearest first, -1 behind them.
NODES, COSTS, START, STRIDE, ABOVE, CODES, RULES_AT, VALUES_AT, BEGINS, TYPE, NEAR, WIDTH = range(16, 28)
# Places of what changes: the class of each row, and in the best state; the rows of a class as a ring, one of them (-1:
# it has none) and how many they are; what each class shows, what that costs a row, its rows per value of every rule.
# LOG holds, for every row that the move at hand moved, the row, the class that it left, and what that and the one
# entered cost before; LOG_LEVEL what the two showed. VECTOR is room for a level vector.
GROUP, BEST, AFTER, BEFORE, FIRST, SIZE, LEVEL, PRICE, COUNTS_AT, LOG, LOG_LEVEL, VECTOR = range(28, 40)
# Places of real numbers: the violation of each class (their sum is the first), and the two before each log entry.
LACK, LOG_LACK = 40, 41
HEAD = 42
# Rows up to which a class that gives one away looks at what the others share; larger ones stay as they are.
WIDE = 64
# What a row costs that may show nothing.
NEVER = 1 << 40


@njit(cache=True, nogil=True)
def draw(whole):  # type: ignore[no-untyped-def]
    """Return the next number of splitmix64, in [0, 1); the state's whole numbers (int64) are changed in place."""
    state = np.uint64(whole[SEED]) + STEP
    whole[SEED] = np.int64(state)
    return fraction(state)


@njit(cache=True, nogil=True)
def _priced(whole, v, i):  # type: ignore[no-untyped-def]
    """Raise the level vector at place v to the cheapest allowed one above it, and return what it costs type i."""
    m = whole[M]
    if whole[ABOVE] > 0:
        stride, number = whole[STRIDE], 0
        for j in range(m):
            number += whole[v + j] * whole[stride + j]
        up = whole[whole[ABOVE] + number]
        if up < 0:
            return NEVER
        if up != number:
            for j in range(m):
                whole[v + j] = up // whole[stride + j]
                up -= whole[v + j] * whole[stride + j]
    costs, start, total = whole[COSTS] + i * whole[LINES], whole[START], 0
    for j in range(m):
        total += whole[costs + whole[start + j] + whole[v + j]]
    return total


@njit(cache=True, nogil=True)
def join(whole, c, i, v):  # type: ignore[no-untyped-def]
    """Write to place v the levels at which class c and type i would be shown together; return the price of a row.

    `whole` holds the state's whole numbers (int64) and is changed in place; `v` is a place for a level vector.
    """
    m, own = whole[M], whole[LEVEL] + c * whole[M]
    size = whole[whole[SIZE] + c]
    if size == 0 and c != whole[HUB]:
        for j in range(m):
            whole[v + j] = 0
        return _priced(whole, v, i)
    higher = False
    if c == whole[HUB]:
        for j in range(m):
            whole[v + j] = whole[own + j]
    else:
        rep = whole[NODES] + whole[whole[TYPE] + whole[whole[FIRST] + c]] * whole[LINES]
        mine, start = whole[NODES] + i * whole[LINES], whole[START]
        for j in range(m):
            up = whole[own + j]
            line = whole[start + j] + up
            while whole[rep + line] != whole[mine + line]:
                line += 1
                up += 1
                higher = True
            whole[v + j] = up
    return _priced(whole, v, i) if higher else whole[whole[PRICE] + c]


@njit(cache=True, nogil=True)
def shown(whole, c, without, v):  # type: ignore[no-untyped-def]
    """Write to place v the levels at which class c would be shown without one row (-1: with all); return the price.

    `whole` holds the state's whole numbers (int64) and is changed in place. The row is one of the class, and `v` is a
    place for a level vector.
    """
    m, own = whole[M], whole[LEVEL] + c * whole[M]
    size = whole[whole[SIZE] + c] - (1 if without >= 0 else 0)
    below = size <= WIDE and c != whole[HUB]
    if size == 0 and c != whole[HUB]:
        return 0
    r = rep = 0
    if below:
        after, types, lines = whole[AFTER], whole[TYPE], whole[LINES]
        r = whole[whole[FIRST] + c]
        if r == without:
            r = whole[after + r]
        end, last = r, whole[types + r]
        rep, start = last, whole[START]
        mine = whole[NODES] + rep * lines
        for j in range(m):
            whole[v + j] = 0
        r = whole[after + r]
        # a class at its lowest levels is left as soon as the rest is seen to share no more
        below = False
        for j in range(m):
            below |= whole[own + j] > 0
        while r != end and below:
            i = whole[types + r]
            if r != without and i != last:
                last, below = i, False
                its = whole[NODES] + i * lines
                for j in range(m):
                    up = whole[v + j]
                    line = whole[start + j] + up
                    while whole[mine + line] != whole[its + line]:
                        line += 1
                        up += 1
                    whole[v + j] = up
                    below |= up < whole[own + j]
            r = whole[after + r]
    if not below:
        for j in range(m):
            whole[v + j] = whole[own + j]
        return whole[whole[PRICE] + c]
    return _priced(whole, v, rep)


@njit(cache=True, nogil=True)
def lowest(whole, c):  # type: ignore[no-untyped-def]
    """Show a class as low as its rows share, however many they are.

    `whole` holds the state's whole numbers (int64) and is changed in place.
    """
    if c == whole[HUB]:
        return
    m, v, after, types, lines = whole[M], whole[VECTOR], whole[AFTER], whole[TYPE], whole[LINES]
    end = whole[whole[FIRST] + c]
    rep = whole[types + end]
    mine, start = whole[NODES] + rep * lines, whole[START]
    for j in range(m):
        whole[v + j] = 0
    r = whole[after + end]
    while r != end:
        its = whole[NODES] + whole[types + r] * lines
        for j in range(m):
            line = whole[start + j] + whole[v + j]
            while whole[mine + line] != whole[its + line]:
                line += 1
            whole[v + j] = line - whole[start + j]
        r = whole[after + r]
    whole[whole[PRICE] + c] = _priced(whole, v, rep)
    for j in range(m):
        whole[whole[LEVEL] + c * m + j] = whole[v + j]
