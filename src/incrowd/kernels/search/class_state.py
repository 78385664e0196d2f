"""The state of a search over classes that have to meet rules: rows per pair of a type and an instance.

Unlike the state of `anneal`, a class may fail what is asked of it; what it lacks is its violation (`class_lack`).
`class_layout` says where everything lies.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search.class_lack import count_rows, lack_of, lack_with
from incrowd.kernels.search.class_layout import (
    BEGINS,
    BEST,
    BEST_COST,
    COST,
    COSTS,
    FAILING,
    FRESH,
    FRESH_MARK,
    FRESHES,
    GROUPS,
    HELD,
    LACK,
    LOG,
    LOGGED,
    MARK,
    MEMBERS,
    NOTED,
    OLD,
    OWNERS,
    ROOM,
    ROWS,
    SEED,
    SLOT,
    TOUCHED,
    TOUCHES,
    TYPE_BEGINS,
    TYPE_HELD,
    TYPE_SLOT,
    TYPE_WHERE,
    WHERE,
)
from incrowd.kernels.search.splitmix import STEP, fraction
from incrowd.loops import njit

__all__ = [
    "begin_move", "change_by", "fill", "note_best", "shift", "take_back", "total_lack", "touch", "uniform",
]  # fmt: skip


@njit(cache=True, nogil=True)
def fill(whole, real, rows):  # type: ignore[no-untyped-def]
    """Put rows per pair, (p,) int64, into a state without any.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    for p in range(rows.size):
        if rows[p] > 0:
            _add(whole, p, rows[p])
            whole[COST] += rows[p] * whole[whole[COSTS] + whole[whole[OWNERS] + p]]
    for g in range(whole[GROUPS]):
        _set_lack(whole, real, g, lack_of(whole, real, g))


@njit(cache=True, nogil=True)
def uniform(whole):  # type: ignore[no-untyped-def]
    """Return the next number of splitmix64, in [0, 1); the state's whole numbers (int64) are changed in place."""
    state = np.uint64(whole[SEED]) + STEP
    whole[SEED] = np.int64(state)
    return fraction(state)


@njit(cache=True, nogil=True)
def _add(whole, p, rows):  # type: ignore[no-untyped-def]
    """Add rows (or take them away) without a look at costs and violations."""
    g, i = whole[whole[OWNERS] + p], whole[whole[MEMBERS] + p]
    before = whole[whole[ROWS] + p]
    whole[whole[ROWS] + p] = before + rows
    count_rows(whole, p, rows)
    held, type_held = whole[HELD] + g, whole[TYPE_HELD] + i
    if before == 0:
        _swap(whole, whole[SLOT], whole[WHERE], p, whole[whole[BEGINS] + g] + whole[held])
        whole[held] += 1
        _swap(whole, whole[TYPE_SLOT], whole[TYPE_WHERE], p, whole[whole[TYPE_BEGINS] + i] + whole[type_held])
        whole[type_held] += 1
    elif before + rows == 0:
        whole[held] -= 1
        _swap(whole, whole[SLOT], whole[WHERE], p, whole[whole[BEGINS] + g] + whole[held])
        whole[type_held] -= 1
        _swap(whole, whole[TYPE_SLOT], whole[TYPE_WHERE], p, whole[whole[TYPE_BEGINS] + i] + whole[type_held])
    if whole[whole[FRESH_MARK] + p] == 0:
        whole[whole[FRESH_MARK] + p] = 1
        whole[whole[FRESH] + whole[FRESHES]] = p
        whole[FRESHES] += 1


@njit(cache=True, nogil=True)
def _swap(whole, slot, where, p, place):  # type: ignore[no-untyped-def]
    here, other = whole[where + p], whole[slot + place]
    whole[slot + place], whole[slot + here] = p, other
    whole[where + p], whole[where + other] = place, here


@njit(cache=True, nogil=True)
def change_by(whole, real, p, q, rows, penalty):  # type: ignore[no-untyped-def]
    """Return the change of the energy if rows went from pair p to pair q of the same type.

    `rows` is at least 1 and at most those of p; `penalty` (float64) is the cost of a row's violation. `whole` (int64)
    and `real` (float64) hold the state's numbers.
    """
    g, h = whole[whole[OWNERS] + p], whole[whole[OWNERS] + q]
    less = lack_with(whole, real, p, -rows) + lack_with(whole, real, q, rows)
    less -= real[whole[LACK] + g] + real[whole[LACK] + h]
    return rows * float(whole[whole[COSTS] + h] - whole[whole[COSTS] + g]) + penalty * less


@njit(cache=True, nogil=True)
def begin_move(whole):  # type: ignore[no-untyped-def]
    """Forget the log of the last move and the classes that it touched; the whole numbers (int64) change in place."""
    whole[LOGGED] = 0
    for x in range(whole[TOUCHES]):
        whole[whole[MARK] + whole[whole[TOUCHED] + x]] = 0
    whole[TOUCHES] = 0


@njit(cache=True, nogil=True)
def shift(whole, real, p, q, rows):  # type: ignore[no-untyped-def]
    """Move rows from pair p to pair q of the same type and write it down; False, and nothing, when the log is full.

    `rows` is at least 1 and at most those of p. `whole` (int64) and `real` (float64) hold the state's numbers and are
    changed in place.
    """
    n = whole[LOGGED]
    if n >= whole[ROOM]:
        return False
    g, h = whole[whole[OWNERS] + p], whole[whole[OWNERS] + q]
    log, old = whole[LOG] + 3 * n, whole[OLD] + 2 * n
    whole[log], whole[log + 1], whole[log + 2] = p, q, rows
    real[old], real[old + 1] = real[whole[LACK] + g], real[whole[LACK] + h]
    whole[LOGGED] = n + 1
    _add(whole, p, -rows)
    _add(whole, q, rows)
    whole[COST] += rows * (whole[whole[COSTS] + h] - whole[whole[COSTS] + g])
    _set_lack(whole, real, g, lack_of(whole, real, g))
    _set_lack(whole, real, h, lack_of(whole, real, h))
    touch(whole, g)
    touch(whole, h)
    return True


@njit(cache=True, nogil=True)
def touch(whole, g):  # type: ignore[no-untyped-def]
    """Count a class, given by its instance, among those that the move at hand touched.

    `whole` holds the state's whole numbers (int64) and is changed in place.
    """
    if whole[whole[MARK] + g] == 0:
        whole[whole[MARK] + g] = 1
        whole[whole[TOUCHED] + whole[TOUCHES]] = g
        whole[TOUCHES] += 1


@njit(cache=True, nogil=True)
def _set_lack(whole, real, g, lack):  # type: ignore[no-untyped-def]
    before = real[whole[LACK] + g]
    real[0] += lack - before
    whole[FAILING] += np.int64(lack > 0) - np.int64(before > 0)
    real[whole[LACK] + g] = lack


@njit(cache=True, nogil=True)
def take_back(whole, real, until):  # type: ignore[no-untyped-def]
    """Undo the log down to an entry: `until` is how many entries stay.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    for n in range(whole[LOGGED] - 1, until - 1, -1):
        log, old = whole[LOG] + 3 * n, whole[OLD] + 2 * n
        p, q, rows = whole[log], whole[log + 1], whole[log + 2]
        g, h = whole[whole[OWNERS] + p], whole[whole[OWNERS] + q]
        _add(whole, q, -rows)
        _add(whole, p, rows)
        whole[COST] += rows * (whole[whole[COSTS] + g] - whole[whole[COSTS] + h])
        _set_lack(whole, real, h, real[old + 1])
        _set_lack(whole, real, g, real[old])
    whole[LOGGED] = until


@njit(cache=True, nogil=True)
def total_lack(whole, real):  # type: ignore[no-untyped-def]
    """Add up the violations anew, for sums of floating point drift.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    real[0] = 0.0
    for g in range(whole[GROUPS]):
        real[0] += real[whole[LACK] + g]


@njit(cache=True, nogil=True)
def note_best(whole):  # type: ignore[no-untyped-def]
    """Remember the state at hand as the best; O(pairs that changed since the last one).

    `whole` holds the state's whole numbers (int64) and is changed in place.
    """
    for x in range(whole[FRESHES]):
        p = whole[whole[FRESH] + x]
        whole[whole[BEST] + p] = whole[whole[ROWS] + p]
        whole[whole[FRESH_MARK] + p] = 0
    whole[FRESHES] = 0
    whole[BEST_COST] = whole[COST]
    whole[NOTED] = 1
