"""Rows that move between classes that show what their rows share: what that changes, and what undoes it."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search.loose_state import (
    AFTER,
    BEFORE,
    BEST,
    BEST_COST,
    CLASSES,
    CODES,
    COST,
    COUNTS,
    COUNTS_AT,
    FAILING,
    FIRST,
    GROUP,
    HUB,
    LACK,
    LEVEL,
    LOG,
    LOG_LACK,
    LOG_LEVEL,
    LOGGED,
    NOTED,
    PRICE,
    ROOM,
    ROWS,
    RULES,
    RULES_AT,
    SIZE,
    TYPE,
    TYPES,
    VALUES_AT,
    VECTOR,
    WIDE,
    K,
    M,
    draw,
    join,
    lowest,
    shown,
)
from incrowd.kernels.search.violations import COLUMN, RULE, VALUES, rule_violation
from incrowd.loops import njit

__all__ = ["enter_by", "fill", "first_free", "lack_of", "leave_by", "lower", "move", "note", "take_back"]


@njit(cache=True, nogil=True)
def lack_of(whole, real, c):  # type: ignore[no-untyped-def]
    """Return the violation of class c in rows: the largest of its rules', half of the others', or what k lacks.

    A rule that fails lacks a row at least: a share just above its limit would else be cheaper than a row's cost.
    `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    size = whole[whole[SIZE] + c]
    if size == 0:
        return 0.0
    worst, others = 0.0, 0.0
    counts = whole[COUNTS_AT] + c * whole[COUNTS]
    for r in range(whole[RULES]):
        rule = whole[RULES_AT] + r * RULE
        one = rule_violation(
            whole, real, rule, whole[VALUES_AT], counts + whole[rule + COLUMN], whole[rule + VALUES], size
        )  # fmt: skip
        if one > 0.0:
            one = max(one, 1.0)
        if one > worst:
            worst, one = one, worst
        others += one
    needs = 0 if c == whole[HUB] else whole[K]
    return max(worst + 0.5 * others, float(needs - size))


@njit(cache=True, nogil=True)
def _count(whole, c, i, rows):  # type: ignore[no-untyped-def]
    whole[whole[SIZE] + c] += rows
    counts = whole[COUNTS_AT] + c * whole[COUNTS]
    code = whole[CODES] + i
    for _ in range(whole[RULES]):
        whole[counts + whole[code]] += rows
        code += whole[TYPES]


@njit(cache=True, nogil=True)
def enter_by(whole, real, c, i, penalty, limit):  # type: ignore[no-untyped-def]
    """Return the change of the energy of class c if a row of type i came, or something that is not below a limit.

    From the change `limit` (float64) on the result need not be exact. `penalty` (float64) is the cost of a row's
    violation; `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    price = join(whole, c, i, whole[VECTOR])
    size = whole[whole[SIZE] + c]
    change = price * (size + 1) - whole[whole[PRICE] + c] * size - penalty * real[whole[LACK] + c]
    if change >= limit:
        return change
    _count(whole, c, i, 1)
    lack = lack_of(whole, real, c)
    _count(whole, c, i, -1)
    return change + penalty * lack


@njit(cache=True, nogil=True)
def leave_by(whole, real, r, penalty):  # type: ignore[no-untyped-def]
    """Return the change of the energy of row r's class if the row left.

    `penalty` (float64) is the cost of a row's violation; `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    c, i = whole[whole[GROUP] + r], whole[whole[TYPE] + r]
    price = shown(whole, c, r, whole[VECTOR])
    _count(whole, c, i, -1)
    lack = lack_of(whole, real, c)
    _count(whole, c, i, 1)
    size = whole[whole[SIZE] + c]
    change = price * (size - 1) - whole[whole[PRICE] + c] * size
    return change + penalty * (lack - real[whole[LACK] + c])


@njit(cache=True, nogil=True)
def _put(whole, real, c, v, price):  # type: ignore[no-untyped-def]
    """Give class c, whose rows are what they are now, the levels at place v, its price and its violation."""
    if c != whole[HUB]:
        if whole[whole[SIZE] + c] == 0:
            price = 0
        else:
            own = whole[LEVEL] + c * whole[M]
            for j in range(whole[M]):
                whole[own + j] = whole[v + j]
        whole[whole[PRICE] + c] = price
    _set_lack(whole, real, c, lack_of(whole, real, c))


@njit(cache=True, nogil=True)
def _set_lack(whole, real, c, lack):  # type: ignore[no-untyped-def]
    before = real[whole[LACK] + c]
    whole[FAILING] += np.int64(lack > 0) - np.int64(before > 0)
    real[0] += lack - before
    real[whole[LACK] + c] = lack


@njit(cache=True, nogil=True)
def _unlink(whole, r):  # type: ignore[no-untyped-def]
    c, behind, ahead = whole[whole[GROUP] + r], whole[whole[AFTER] + r], whole[whole[BEFORE] + r]
    if behind == r:
        whole[whole[FIRST] + c] = -1
        return
    whole[whole[AFTER] + ahead] = behind
    whole[whole[BEFORE] + behind] = ahead
    if whole[whole[FIRST] + c] == r:
        whole[whole[FIRST] + c] = behind


@njit(cache=True, nogil=True)
def _link(whole, r, c):  # type: ignore[no-untyped-def]
    whole[whole[GROUP] + r] = c
    head = whole[whole[FIRST] + c]
    last = r
    if head < 0:
        head = r
        whole[whole[FIRST] + c] = r
    else:
        last = whole[whole[BEFORE] + head]
    whole[whole[AFTER] + last] = r
    whole[whole[BEFORE] + r] = last
    whole[whole[AFTER] + r] = head
    whole[whole[BEFORE] + head] = r


@njit(cache=True, nogil=True)
def move(whole, real, r, c):  # type: ignore[no-untyped-def]
    """Move row r to another class c and write it down; False, and nothing, when the log is full.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    old, i, n, m = whole[whole[GROUP] + r], whole[whole[TYPE] + r], whole[LOGGED], whole[M]
    if n >= whole[ROOM]:
        return False
    log, levels, lacks = whole[LOG] + 4 * n, whole[LOG_LEVEL] + 2 * m * n, whole[LOG_LACK] + 2 * n
    prices, sizes, v = whole[PRICE], whole[SIZE], whole[VECTOR]
    whole[log], whole[log + 1], whole[log + 2], whole[log + 3] = r, old, whole[prices + old], whole[prices + c]
    for j in range(m):
        whole[levels + j] = whole[whole[LEVEL] + old * m + j]
        whole[levels + m + j] = whole[whole[LEVEL] + c * m + j]
    real[lacks], real[lacks + 1] = real[whole[LACK] + old], real[whole[LACK] + c]
    whole[LOGGED] = n + 1
    whole[COST] -= whole[prices + old] * whole[sizes + old] + whole[prices + c] * whole[sizes + c]
    price = join(whole, c, i, v)
    _unlink(whole, r)
    _link(whole, r, c)
    _count(whole, c, i, 1)
    _put(whole, real, c, v, price)
    _count(whole, old, i, -1)
    price = shown(whole, old, -1, v)
    _put(whole, real, old, v, price)
    whole[COST] += whole[prices + old] * whole[sizes + old] + whole[prices + c] * whole[sizes + c]
    return True


@njit(cache=True, nogil=True)
def take_back(whole, real, until):  # type: ignore[no-untyped-def]
    """Undo the log down to an entry: `until` is how many of its entries stay.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    prices, sizes, m = whole[PRICE], whole[SIZE], whole[M]
    for n in range(whole[LOGGED] - 1, until - 1, -1):
        log, levels, lacks = whole[LOG] + 4 * n, whole[LOG_LEVEL] + 2 * m * n, whole[LOG_LACK] + 2 * n
        r, old = whole[log], whole[log + 1]
        c, i = whole[whole[GROUP] + r], whole[whole[TYPE] + r]
        whole[COST] -= whole[prices + old] * whole[sizes + old] + whole[prices + c] * whole[sizes + c]
        _unlink(whole, r)
        _link(whole, r, old)
        _count(whole, c, i, -1)
        _count(whole, old, i, 1)
        for j in range(m):
            whole[whole[LEVEL] + old * m + j] = whole[levels + j]
            whole[whole[LEVEL] + c * m + j] = whole[levels + m + j]
        whole[prices + old], whole[prices + c] = whole[log + 2], whole[log + 3]
        _set_lack(whole, real, old, real[lacks])
        _set_lack(whole, real, c, real[lacks + 1])
        whole[COST] += whole[prices + old] * whole[sizes + old] + whole[prices + c] * whole[sizes + c]
    whole[LOGGED] = until


@njit(cache=True, nogil=True)
def first_free(whole):  # type: ignore[no-untyped-def]
    """Return a class without rows, from a place drawn on, or -1.

    `whole` holds the state's whole numbers (int64) and is changed in place.
    """
    classes = whole[CLASSES]
    c = np.int64(draw(whole) * classes)
    for _ in range(classes):
        if whole[whole[SIZE] + c] == 0 and c != whole[HUB]:
            return c
        c += 1
        if c == classes:
            c = np.int64(0)
    return -1


@njit(cache=True, nogil=True)
def note(whole):  # type: ignore[no-untyped-def]
    """Remember the state at hand as the best, if it is the cheapest without violation; O(rows).

    `whole` holds the state's whole numbers (int64) and is changed in place.
    """
    if whole[FAILING] == 0 and (whole[NOTED] == 0 or whole[COST] < whole[BEST_COST]):
        whole[BEST_COST], whole[NOTED] = whole[COST], 1
        best, group = whole[BEST], whole[GROUP]
        for r in range(whole[ROWS]):
            whole[best + r] = whole[group + r]


@njit(cache=True, nogil=True)
def fill(whole, real, group):  # type: ignore[no-untyped-def]
    """Put the rows into classes: `group`, (n,) int, is the class of each row.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    for r in range(group.size):
        _link(whole, r, group[r])
        _count(whole, group[r], whole[whole[TYPE] + r], 1)
    for c in range(whole[CLASSES]):
        if whole[whole[SIZE] + c] > 0:
            lowest(whole, c)
        _set_lack(whole, real, c, lack_of(whole, real, c))
        whole[COST] += whole[whole[PRICE] + c] * whole[whole[SIZE] + c]


@njit(cache=True, nogil=True)
def lower(whole, real):  # type: ignore[no-untyped-def]
    """Show the classes of many rows as low as their rows share, and add up violations anew, for such sums drift.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    real[0] = 0.0
    for c in range(whole[CLASSES]):
        real[0] += real[whole[LACK] + c]
        size = whole[whole[SIZE] + c]
        if size > WIDE:
            whole[COST] -= whole[whole[PRICE] + c] * size
            lowest(whole, c)
            whole[COST] += whole[whole[PRICE] + c] * size
