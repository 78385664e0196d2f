"""Moves of a search over classes that have to meet rules: what one class can do to cost and violations."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import class_layout as at
from incrowd.kernels.search.class_lack import lack_with
from incrowd.kernels.search.class_state import change_by, shift, take_back, uniform
from incrowd.loops import njit

__all__ = [
    "DISSOLVED", "best_place", "dissolve", "energy_of", "mend", "mend_touched", "merge", "open_class", "pair_of",
    "pour", "split",
]  # fmt: skip

# Open candidates looked at for a row; pairs tried as pushes and pulls; classes mended after a move; pairs that an
# opened instance looks at; pairs of a class up to which it is dissolved.
SEEN, PUSHES, PULLS, MENDED, LOOKED, DISSOLVED = 40, 25, 60, 60, 3000, 3000


@njit(cache=True, nogil=True)
def energy_of(whole, real, penalty):  # type: ignore[no-untyped-def]
    """Return cost and penalty for the violations; `penalty` (float64) is the cost of a row's violation.

    `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    return whole[at.COST] + penalty * real[0]


@njit(cache=True, nogil=True)
def pair_of(whole, i, g):  # type: ignore[no-untyped-def]
    """Return the pair of row type i and instance g, or -1; instances of a type are increasing.

    `whole` holds the state's whole numbers (int64).
    """
    a, end = whole[whole[at.TYPE_BEGINS] + i], whole[whole[at.TYPE_BEGINS] + i + 1]
    which, b = whole[at.WHICH], end
    while a < b:
        middle = (a + b) // 2
        if whole[which + middle] < g:
            a = middle + 1
        else:
            b = middle
    if a < end and whole[which + a] == g:
        return whole[whole[at.PAIR] + a]
    return np.int64(-1)


@njit(cache=True, nogil=True)
def best_place(whole, real, p, rows, ban, penalty):  # type: ignore[no-untyped-def]
    """Return the pair to which rows of a pair go best, or -1, and the change of the energy.

    Of the instances that are open or need no crowd, but for its own and `ban`, an instance that is not asked, or -1.
    The rows, at least one, leave pair p, and `penalty` (float64) is the cost of a row's violation. `whole` (int64) and
    `real` (float64) hold the state's numbers.
    """
    i, g = whole[whole[at.MEMBERS] + p], whole[whole[at.OWNERS] + p]
    costs, sizes, lack = whole[at.COSTS], whole[at.SIZE], whole[at.LACK]
    leaving = lack_with(whole, real, p, -rows) - real[lack + g]
    w = whole[costs + g]
    best, found, seen = np.inf, np.int64(-1), 0
    for z in range(whole[whole[at.TYPE_BEGINS] + i], whole[whole[at.TYPE_BEGINS] + i + 1]):
        h = whole[whole[at.WHICH] + z]
        if whole[sizes + h] == 0 and whole[whole[at.NEEDS] + h] > 0:
            continue
        if h in (g, ban):
            continue
        dearer = float(rows * (whole[costs + h] - w)) + penalty * leaving
        # No class falls by more than it lacks.
        if found >= 0 and dearer - penalty * real[lack + h] >= best:
            if dearer - 4 * penalty > best:
                break
            continue
        q = whole[whole[at.PAIR] + z]
        change = dearer + penalty * (lack_with(whole, real, q, rows) - real[lack + h])
        if change < best - 1e-12:
            best, found = change, q
        seen += 1
        if seen > SEEN:
            break
    return found, best


@njit(cache=True, nogil=True)
def mend(whole, real, h, tries, penalty):  # type: ignore[no-untyped-def]
    """Push rows out of a class or pull some in, the best first, while it fails and the energy falls.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place. `h` is the instance of the
    class, `tries` the most moves made, and `penalty` (float64) the cost of a row's violation.
    """
    begin, count = whole[whole[at.BEGINS] + h], whole[whole[at.BEGINS] + h + 1] - whole[whole[at.BEGINS] + h]
    for _ in range(tries):
        lack = real[whole[at.LACK] + h]
        if whole[whole[at.SIZE] + h] == 0 or lack <= 0:
            return
        wanted = max(np.int64(lack), np.int64(1))
        best, source, target, rows = -1e-9, np.int64(-1), np.int64(-1), np.int64(0)
        held = whole[whole[at.HELD] + h]
        pushes = min(held, PUSHES)
        for x in range(pushes):
            y = x if pushes == held else np.int64(uniform(whole) * held)
            p = whole[whole[at.SLOT] + begin + y]
            amount = min(whole[whole[at.ROWS] + p], wanted)
            if lack_with(whole, real, p, -amount) >= lack:
                continue
            q, change = best_place(whole, real, p, amount, np.int64(-1), penalty)
            if q >= 0 and change < best:
                best, source, target, rows = change, p, q, amount
        pulls = min(count, PULLS)
        for x in range(pulls):
            q = begin + (x if pulls == count else np.int64(uniform(whole) * count))
            i = whole[whole[at.MEMBERS] + q]
            others = whole[whole[at.TYPE_HELD] + i]
            if others == 0:
                continue
            y = np.int64(uniform(whole) * others) if others > 1 else np.int64(0)
            p = whole[whole[at.TYPE_SLOT] + whole[whole[at.TYPE_BEGINS] + i] + y]
            if whole[whole[at.OWNERS] + p] == h:
                continue
            amount = min(whole[whole[at.ROWS] + p], wanted)
            if lack_with(whole, real, q, amount) >= lack:
                continue
            change = change_by(whole, real, p, q, amount, penalty)
            if change < best:
                best, source, target, rows = change, p, q, amount
        if source < 0 or not shift(whole, real, source, target, rows):
            return


@njit(cache=True, nogil=True)
def dissolve(whole, real, g, penalty):  # type: ignore[no-untyped-def]
    """Send the rows of a class, in any order, each to its best open class; what finds none stays.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place. `g` is the instance of the
    class, and `penalty` (float64) the cost of a row's violation.
    """
    begin, held = whole[at.SLOT] + whole[whole[at.BEGINS] + g], whole[whole[at.HELD] + g]
    order = whole[begin : begin + held].copy()
    for x in range(held - 1, 0, -1):
        y = np.int64(uniform(whole) * (x + 1))
        order[x], order[y] = order[y], order[x]
    for x in range(held):
        p = order[x]
        step = max(whole[whole[at.ROWS] + p] // 8, np.int64(1))
        while whole[whole[at.ROWS] + p] > 0:
            rows = min(step, whole[whole[at.ROWS] + p])
            q, _ = best_place(whole, real, p, rows, g, penalty)
            if q < 0 or not shift(whole, real, p, q, rows):
                break


@njit(cache=True, nogil=True)
def pour(whole, real, g, h):  # type: ignore[no-untyped-def]
    """Send all rows of class g that agree with instance h there, whatever that costs.

    `whole`, (w,) int64, and `real`, (r,) float64, are the state, as `class_layout` has it; they are changed in place,
    and that is logged.
    """
    begin = whole[at.SLOT] + whole[whole[at.BEGINS] + g]
    for x in range(whole[whole[at.HELD] + g] - 1, -1, -1):
        # what leaves changes places with the last one
        p = whole[begin + x]
        q = pair_of(whole, whole[whole[at.MEMBERS] + p], h)
        if q >= 0 and not shift(whole, real, p, q, whole[whole[at.ROWS] + p]):
            return


@njit(cache=True, nogil=True)
def merge(whole, real, g, f, h, penalty):  # type: ignore[no-untyped-def]
    """Put two classes into one instance, as far as their rows agree with it; the others go to their best classes.

    `whole`, (w,) int64, and `real`, (r,) float64, are the state, as `class_layout` has it; they are changed in place,
    and that is logged. `g` and `f` are the classes, and the instance `h` may be one of theirs. `penalty` is what a row
    by which a class fails costs, in cost units.
    """
    for source in (g, f):
        if source != h:
            pour(whole, real, source, h)
            if whole[whole[at.HELD] + source] <= DISSOLVED:
                dissolve(whole, real, source, penalty)


@njit(cache=True, nogil=True)
def split(whole, real, g, h, penalty):  # type: ignore[no-untyped-def]
    """Put the rows of class g that agree with instance h there; a rest that is no crowd is dissolved.

    `whole`, (w,) int64, and `real`, (r,) float64, are the state, as `class_layout` has it; they are changed in place,
    and that is logged. `penalty` is what a row by which a class fails costs, in cost units.
    """
    pour(whole, real, g, h)
    left = whole[whole[at.SIZE] + g]
    if 0 < left < whole[whole[at.NEEDS] + g] and whole[whole[at.HELD] + g] <= DISSOLVED:
        dissolve(whole, real, g, penalty)


@njit(cache=True, nogil=True)
def open_class(whole, real, g, warmth, penalty, star):  # type: ignore[no-untyped-def]
    """Fill an instance: rows by what leaving saves, the most first, as long as the energy falls.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place. `warmth` is the temperature
    in scaled cost, `penalty` the cost of a row's violation, and `star` the scaled cost of a row that is suppressed, all
    float64.
    """
    begin, count = whole[whole[at.BEGINS] + g], whole[whole[at.BEGINS] + g + 1] - whole[whole[at.BEGINS] + g]
    looked = min(count, LOOKED)
    offset = np.int64(uniform(whole) * count) if looked < count else np.int64(0)
    source, target = np.empty(2 * looked, np.int64), np.empty(2 * looked, np.int64)
    key = np.empty(2 * looked)
    found = 0
    w = float(whole[whole[at.COSTS] + g])
    for x in range(looked):
        q = begin + (offset + x) % count
        i = whole[whole[at.MEMBERS] + q]
        for y in range(whole[whole[at.TYPE_HELD] + i]):
            p = whole[whole[at.TYPE_SLOT] + whole[whole[at.TYPE_BEGINS] + i] + y]
            f = whole[whole[at.OWNERS] + p]
            if f == g or found == 2 * looked:
                continue
            # No class falls by more than it lacks.
            if whole[whole[at.COSTS] + f] + penalty * real[whole[at.LACK] + f] < w - 3 * star:
                continue
            less = lack_with(whole, real, p, np.int64(-1)) - real[whole[at.LACK] + f]
            saved = whole[whole[at.COSTS] + f] - penalty * less
            if saved < w - 3 * star:
                continue
            source[found], target[found] = p, q
            key[found] = -saved - (0.5 * warmth + 1e-3 * star) * uniform(whole)
            found += 1
    order = np.argsort(key[:found], kind="mergesort")
    for _ in range(2):
        for x in order:
            p, q = source[x], target[x]
            rows = whole[whole[at.ROWS] + p]
            if rows == 0:
                continue
            size = whole[whole[at.SIZE] + g]
            lacking = whole[whole[at.NEEDS] + g] - size
            if lacking > 0:
                rows = min(rows, lacking)
            elif rows > 1 and uniform(whole) < 0.5:
                rows = np.int64(1)
            change = change_by(whole, real, p, q, rows, penalty)
            take = size == 0 or change < -1e-9
            if not take and real[whole[at.LACK] + g] > 0:
                take = lack_with(whole, real, q, rows) < real[whole[at.LACK] + g] - 1e-9
            elif not take and -key[x] < w - 0.5 * star:
                break  # what follows saves less
            if take and not shift(whole, real, p, q, rows):
                return


@njit(cache=True, nogil=True)
def mend_touched(whole, real, penalty):  # type: ignore[no-untyped-def]
    """Mend the classes that the move at hand touched and that fail; a small one may be dissolved if that is better.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place; `penalty` (float64) is the
    cost of a row's violation.
    """
    for _ in range(2):
        touched = whole[at.TOUCHES]
        if touched > MENDED:
            return
        failing = False
        for x in range(touched):
            h = whole[whole[at.TOUCHED] + x]
            if real[whole[at.LACK] + h] <= 0:
                continue
            failing = True
            mend(whole, real, h, np.int64(4), penalty)
            need = whole[whole[at.NEEDS] + h]
            if real[whole[at.LACK] + h] > 0 and need > 0 and whole[whole[at.HELD] + h] < 2 * need + 4:
                until, before = whole[at.LOGGED], energy_of(whole, real, penalty)
                dissolve(whole, real, h, penalty)
                if energy_of(whole, real, penalty) > before:
                    take_back(whole, real, until)
        if not failing:
            return
