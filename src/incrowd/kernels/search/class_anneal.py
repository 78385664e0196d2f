"""Annealing over classes that have to meet rules: a penalty for every row that a class fails by."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba.core.extending import _Intrinsic

from incrowd.kernels.hash_table import picked
from incrowd.kernels.search import class_state as at
from incrowd.kernels.search.class_state import (
    begin_move,
    change_by,
    deficit_with,
    note_best,
    shift,
    take_back,
    total_deficit,
    touch,
    uniform,
)
from incrowd.loops import njit

# Temperatures by which the energy may rise in a move that is made at all: e^-20 of them would be taken.
HOPELESS = 20.0


@njit(cache=True, nogil=True, plain=False)
def anneal(whole, real, ladder, moves, warmth, penalty, star, joined, noting):  # type: ignore[no-untyped-def]
    """Make moves at one temperature and penalty, each taken or undone by the rule of Metropolis.

    The number of moves taken is returned. `whole` (int64) and `real` (float64) are the state, as `class_layout` has it.
    `ladder`, (g,) float64, is the running sum of how likely each instance is opened. `warmth` and `penalty` are in
    scaled cost units, the penalty for each row of a violation; `star` is what a star costs on average. `joined` is the
    share of the moves that merge two classes or split one, at most 0.5. With `noting` the cheapest state without
    violation is remembered.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """
    whole, real = borrowed(whole), borrowed(real)
    total_deficit(whole, real)
    taken = 0
    failing = np.flatnonzero(real[whole[at.DEFICIT] : whole[at.DEFICIT] + whole[at.CLASSES]] > 0)
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
        g = np.int64(picked(ladder, uniform(whole)))
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
    if real[whole[at.DEFICIT] + g] > 0:
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
    if mended and real[whole[at.DEFICIT] + g] > 0:
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
def repair(whole, real, suppressed, penalty, turn):  # type: ignore[no-untyped-def]
    """Mend every class that fails, and dissolve what cannot be mended; return how many still fail.

    `suppressed` is the instance that all types agree with, or -1. `penalty` is high, as nothing is to fail. `turn` says
    how often this was done before: from the third time on classes go into the suppressed class.
    """
    whole, real = borrowed(whole), borrowed(real)
    total_deficit(whole, real)
    for g in range(whole[at.CLASSES]):
        if real[whole[at.DEFICIT] + g] <= 0:
            continue
        begin_move(whole)
        mend(whole, real, g, np.int64(20), penalty)
        if real[whole[at.DEFICIT] + g] <= 0 or g == suppressed:
            continue
        if turn < 3 or suppressed < 0:
            dissolve(whole, real, g, penalty)
        else:
            while whole[whole[at.HELD] + g] > 0:
                p = whole[whole[at.SLOT] + whole[whole[at.BEGINS] + g]]
                q = pair_of(whole, whole[whole[at.MEMBERS] + p], suppressed)
                if not shift(whole, real, p, q, whole[whole[at.ROWS] + p]):
                    break
    begin_move(whole)
    if whole[at.FAILING] == 0 and (whole[at.NOTED] == 0 or whole[at.COST] < whole[at.BEST_COST]):
        note_best(whole)
    return whole[at.FAILING]


# Moves of a search over classes that have to meet rules: what one class can do to cost and violations.

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
    costs, sizes, deficit = whole[at.COSTS], whole[at.SIZE], whole[at.DEFICIT]
    leaving = deficit_with(whole, real, p, -rows) - real[deficit + g]
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
        if found >= 0 and dearer - penalty * real[deficit + h] >= best:
            if dearer - 4 * penalty > best:
                break
            continue
        q = whole[whole[at.PAIR] + z]
        change = dearer + penalty * (deficit_with(whole, real, q, rows) - real[deficit + h])
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
        deficit = real[whole[at.DEFICIT] + h]
        if whole[whole[at.SIZE] + h] == 0 or deficit <= 0:
            return
        wanted = max(np.int64(deficit), np.int64(1))
        best, source, target, rows = -1e-9, np.int64(-1), np.int64(-1), np.int64(0)
        held = whole[whole[at.HELD] + h]
        pushes = min(held, PUSHES)
        for x in range(pushes):
            y = x if pushes == held else np.int64(uniform(whole) * held)
            p = whole[whole[at.SLOT] + begin + y]
            amount = min(whole[whole[at.ROWS] + p], wanted)
            if deficit_with(whole, real, p, -amount) >= deficit:
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
            if deficit_with(whole, real, q, amount) >= deficit:
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
            if whole[whole[at.COSTS] + f] + penalty * real[whole[at.DEFICIT] + f] < w - 3 * star:
                continue
            less = deficit_with(whole, real, p, np.int64(-1)) - real[whole[at.DEFICIT] + f]
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
            if not take and real[whole[at.DEFICIT] + g] > 0:
                take = deficit_with(whole, real, q, rows) < real[whole[at.DEFICIT] + g] - 1e-9
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
            if real[whole[at.DEFICIT] + h] <= 0:
                continue
            failing = True
            mend(whole, real, h, np.int64(4), penalty)
            need = whole[whole[at.NEEDS] + h]
            if real[whole[at.DEFICIT] + h] > 0 and need > 0 and whole[whole[at.HELD] + h] < 2 * need + 4:
                until, before = whole[at.LOGGED], energy_of(whole, real, penalty)
                dissolve(whole, real, h, penalty)
                if energy_of(whole, real, penalty) > before:
                    take_back(whole, real, until)
        if not failing:
            return


# Arrays that a kernel's callees need not count references to, which costs more than what small callees do.
def _borrowed(typing: Any, array: Any) -> Any:
    """Return the same array as one that nobody owns: valid while the caller of the kernel holds it.

    Every call in compiled code counts references to each array that it passes on, in atomic steps; an array without an
    owner is passed over.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, value=args[0])
        held.meminfo = held.meminfo.type(None)
        held.parent = held.parent.type(None)
        return held._getvalue()

    return array(array), codegen


class _Borrowed(_Intrinsic):  # type: ignore[misc]
    """An intrinsic that plain Python can call as well."""

    def __call__(self, array: Any) -> Any:
        """Return the array: plain Python counts for itself."""
        return array


borrowed = _Borrowed("borrowed", _borrowed)
borrowed._register()
