"""Annealing over classes that have to meet rules: a penalty for every row that a class fails by."""

from __future__ import annotations

import math

import numpy as np

from incrowd.kernels.search import class_layout as at
from incrowd.kernels.search.array_views import borrowed
from incrowd.kernels.search.class_moves import (
    DISSOLVED,
    best_place,
    dissolve,
    energy_of,
    mend,
    mend_touched,
    merge,
    open_class,
    pair_of,
    split,
)
from incrowd.kernels.search.class_state import (
    begin_move,
    change_by,
    note_best,
    shift,
    take_back,
    total_lack,
    touch,
    uniform,
)
from incrowd.loops import njit

__all__ = ["anneal", "repair"]

# Temperatures by which the energy may rise in a move that is made at all: e^-20 of them would be taken.
HOPELESS = 20.0


@njit(cache=True, nogil=True, plain=False)
def anneal(whole, real, ladder, moves, warmth, penalty, star, joined, noting):  # type: ignore[no-untyped-def]
    """Make moves at one temperature and penalty, each taken or undone by the rule of Metropolis.

    The number of moves taken is returned. `whole` (int64) and `real` (float64) are the state, as `class_layout` has it.
    `ladder`, (g,) float64, is the running sum of how likely each instance is opened. `warmth` and `penalty` are in
    scaled cost units, the penalty for each row of a violation; `star` is what a star costs on average.

    `joined` is the share of the moves that merge two classes or split one, at most 0.5. With `noting` the cheapest
    state without violation is remembered.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """
    whole, real = borrowed(whole), borrowed(real)
    total_lack(whole, real)
    taken = 0
    failing = np.flatnonzero(real[whole[at.LACK] : whole[at.LACK] + whole[at.GROUPS]] > 0)
    for x in range(moves + failing.size):
        begin_move(whole)
        before = energy_of(whole, real, penalty)
        if x < failing.size:
            _help(whole, real, failing[x], warmth, penalty, star)
        else:
            _move(whole, real, ladder, warmth, penalty, star, joined)
        change = energy_of(whole, real, penalty) - before
        if change <= 0 or uniform(whole) < math.exp(-change / warmth):
            taken += 1
            if noting and whole[at.FAILING] == 0 and (whole[at.NOTED] == 0 or whole[at.COST] < whole[at.BEST_COST]):
                note_best(whole)
        else:
            take_back(whole, real, np.int64(0))
    begin_move(whole)
    return taken


@njit(cache=True, nogil=True)
def _help(whole, real, g, warmth, penalty, star):  # type: ignore[no-untyped-def]
    """Mend a class that fails, dissolve it, or open another instance for one of its rows."""
    held = whole[whole[at.HELD] + g]
    if held == 0:
        return
    draw = uniform(whole)
    if draw < 0.4:
        touch(whole, g)
    elif draw < 0.6 and held <= DISSOLVED:
        dissolve(whole, real, g, penalty)
    else:
        p = whole[whole[at.SLOT] + whole[whole[at.BEGINS] + g] + np.int64(uniform(whole) * held)]
        i = whole[whole[at.MEMBERS] + p]
        begin = whole[whole[at.TYPE_BEGINS] + i]
        count = whole[whole[at.TYPE_BEGINS] + i + 1] - begin
        h = whole[whole[at.WHICH] + begin + np.int64(uniform(whole) * count)]
        if h != g:
            open_class(whole, real, h, warmth, penalty, star)
    mend_touched(whole, real, penalty)


@njit(cache=True, nogil=True)
def _row(whole):  # type: ignore[no-untyped-def]
    """Return the pair of a row drawn from all, as far as the sample goes."""
    i = whole[whole[at.DRAWN] + np.int64(uniform(whole) * whole[at.DRAWS])]
    first, held = whole[at.TYPE_SLOT] + whole[whole[at.TYPE_BEGINS] + i], whole[whole[at.TYPE_HELD] + i]
    return whole[first if held == 1 else first + np.int64(uniform(whole) * held)]


@njit(cache=True, nogil=True)
def _amount(whole, rows):  # type: ignore[no-untyped-def]
    """Return how many of some equal rows move together: one, all, or anything between."""
    if rows == 1:
        return rows
    draw = uniform(whole)
    if draw < 0.4:
        return np.int64(1)
    if draw < 0.7:
        return rows
    return max(np.int64(rows ** uniform(whole)), np.int64(1))


@njit(cache=True, nogil=True)
def _move(whole, real, ladder, warmth, penalty, star, joined):  # type: ignore[no-untyped-def]
    draw = uniform(whole)
    if draw < joined:
        _join_or_part(whole, real, penalty)
        return
    if draw < 0.5:
        _exchange(whole, real, warmth, penalty)
        return
    if draw < 0.8 and ladder[-1] > 0:
        g = min(np.int64(np.searchsorted(ladder, uniform(whole) * ladder[-1], side="right")), np.int64(ladder.size - 1))
        if whole[whole[at.SIZE] + g] > 0 and uniform(whole) < 0.5:
            if whole[whole[at.HELD] + g] <= DISSOLVED:
                dissolve(whole, real, g, penalty)
        else:
            open_class(whole, real, g, warmth, penalty, star)
        mend_touched(whole, real, penalty)
        return
    p = _row(whole)
    g = whole[whole[at.OWNERS] + p]
    if draw < 0.95:
        rows = _amount(whole, whole[whole[at.ROWS] + p])
        q, _ = best_place(whole, real, p, rows, np.int64(-1), penalty)
        if q >= 0 and shift(whole, real, p, q, rows) and real[0] > 0:
            mend_touched(whole, real, penalty)
        return
    need = whole[whole[at.NEEDS] + g]
    if real[whole[at.LACK] + g] > 0:
        touch(whole, g)
    elif need > 0 and whole[whole[at.SIZE] + g] <= 8 * need:
        dissolve(whole, real, g, penalty)
    mend_touched(whole, real, penalty)


@njit(cache=True, nogil=True)
def _join_or_part(whole, real, penalty):  # type: ignore[no-untyped-def]
    """Merge the class of a row with another one, or split it; both in an instance that the row agrees with."""
    p = _row(whole)
    i, g = whole[whole[at.MEMBERS] + p], whole[whole[at.OWNERS] + p]
    begin = whole[whole[at.TYPE_BEGINS] + i]
    h = whole[whole[at.WHICH] + begin + np.int64(uniform(whole) * (whole[whole[at.TYPE_BEGINS] + i + 1] - begin))]
    if whole[whole[at.NEEDS] + g] == 0 or whole[whole[at.HELD] + g] > DISSOLVED:
        return
    if whole[whole[at.SIZE] + g] >= 2 * whole[whole[at.NEEDS] + g] and uniform(whole) < 0.5:
        if h != g:
            split(whole, real, g, h, penalty)
    else:
        # another row that agrees with the instance, and its class
        first = whole[whole[at.BEGINS] + h]
        j = whole[whole[at.MEMBERS] + first + np.int64(uniform(whole) * (whole[whole[at.BEGINS] + h + 1] - first))]
        held = whole[whole[at.TYPE_HELD] + j]
        q = whole[whole[at.TYPE_SLOT] + whole[whole[at.TYPE_BEGINS] + j] + np.int64(uniform(whole) * held)]
        f = whole[whole[at.OWNERS] + q]
        if f == g or whole[whole[at.NEEDS] + f] == 0 or whole[whole[at.HELD] + f] > DISSOLVED:
            return
        merge(whole, real, g, f, h, penalty)
    mend_touched(whole, real, penalty)


@njit(cache=True, nogil=True)
def _exchange(whole, real, warmth, penalty):  # type: ignore[no-untyped-def]
    """Move rows to another open class, and mostly rows of another value back."""
    p = _row(whole)
    i, g = whole[whole[at.MEMBERS] + p], whole[whole[at.OWNERS] + p]
    begin = whole[whole[at.TYPE_BEGINS] + i]
    count = whole[whole[at.TYPE_BEGINS] + i + 1] - begin
    q = np.int64(-1)
    for _ in range(8):
        z = begin + np.int64(uniform(whole) * count)
        h = whole[whole[at.WHICH] + z]
        if whole[whole[at.SIZE] + h] > 0 and h != g:
            q = whole[whole[at.PAIR] + z]
            break
    if q < 0:
        return
    h = whole[whole[at.OWNERS] + q]
    rows = _amount(whole, whole[whole[at.ROWS] + p])
    mended = uniform(whole) < 0.3
    if uniform(whole) < 0.5:
        # What would never be taken is not made.
        if not mended and change_by(whole, real, p, q, rows, penalty) > HOPELESS * warmth:
            return
        shift(whole, real, p, q, rows)
    else:
        first, held = whole[at.SLOT] + whole[whole[at.BEGINS] + h], whole[whole[at.HELD] + h]
        back, target = np.int64(-1), np.int64(-1)
        for _ in range(10):
            y = whole[first + np.int64(uniform(whole) * held)]
            j = whole[whole[at.MEMBERS] + y]
            if j == i or (_alike(whole, p, y) and uniform(whole) < 0.5):
                continue
            target = pair_of(whole, j, g)
            if target >= 0:
                back = y
                break
        other = whole[first + np.int64(uniform(whole) * held)]
        if not shift(whole, real, p, q, rows):
            return
        if back >= 0:
            shift(whole, real, back, target, min(rows, whole[whole[at.ROWS] + back]))
        else:
            target, _ = best_place(whole, real, other, np.int64(1), np.int64(-1), penalty)
            if target >= 0:
                shift(whole, real, other, target, np.int64(1))
    if mended and real[whole[at.LACK] + g] > 0:
        mend_touched(whole, real, penalty)


@njit(cache=True, nogil=True)
def _alike(whole, p, q):  # type: ignore[no-untyped-def]
    """Return whether two pairs have the same value in every column that rules are about."""
    entry, value = whole[at.ENTRY], whole[at.ENTRY_VALUE]
    for _ in range(whole[at.COLUMNS]):
        if whole[value + whole[entry + p]] != whole[value + whole[entry + q]]:
            return False
        entry += whole[at.PAIRS]
    return True


@njit(cache=True, nogil=True)
def repair(whole, real, hub, penalty, turn):  # type: ignore[no-untyped-def]
    """Mend every class that fails, and dissolve what cannot be mended; return how many still fail.

    `hub` is the instance that all types agree with, or -1. `penalty` is high, as nothing is to fail. `turn` says how
    often this was done before: from the third time on classes go into the hub.
    """
    whole, real = borrowed(whole), borrowed(real)
    total_lack(whole, real)
    for g in range(whole[at.GROUPS]):
        if real[whole[at.LACK] + g] <= 0:
            continue
        begin_move(whole)
        mend(whole, real, g, np.int64(20), penalty)
        if real[whole[at.LACK] + g] <= 0 or g == hub:
            continue
        if turn < 3 or hub < 0:
            dissolve(whole, real, g, penalty)
        else:
            while whole[whole[at.HELD] + g] > 0:
                p = whole[whole[at.SLOT] + whole[whole[at.BEGINS] + g]]
                q = pair_of(whole, whole[whole[at.MEMBERS] + p], hub)
                if not shift(whole, real, p, q, whole[whole[at.ROWS] + p]):
                    break
    begin_move(whole)
    if whole[at.FAILING] == 0 and (whole[at.NOTED] == 0 or whole[at.COST] < whole[at.BEST_COST]):
        note_best(whole)
    return whole[at.FAILING]
