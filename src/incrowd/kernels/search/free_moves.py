"""Annealing over classes that show what their rows share: rows move, and classes open, dissolve and split."""

from __future__ import annotations

import math

import numpy as np

from incrowd.kernels.search.free_state import (
    AFTER,
    BEGINS,
    CLASS,
    CLASSES,
    COST,
    DEFICIT,
    FIRST,
    LEVEL,
    LINES,
    LOGGED,
    NEAR,
    NODES,
    PRICE,
    ROWS,
    SIZE,
    START,
    SUPPRESSED,
    TYPE,
    WIDTH,
    K,
    M,
    draw,
    enter_by,
    first_free,
    leave_by,
    lower,
    move,
    note,
    take_back,
)
from incrowd.loops import njit

# Rows that an opened class takes, and that a dissolved one may have, in times k; and at most.
CROWD, MOST = 4, 256
# Rows of a type looked at for an opened class.
ALIKE = 64
# Classes looked at for each row of a dissolved class.
LOOKS = 8
# Rows drawn for one that is moved to its best class, beside the first.
DEAREST = 3
# Rows that a failing class may take to be mended, and near types looked at for each of its rows.
PULLS, WIDTHS = 4, 16
# Moves between two looks at whether the state is the best.
PAUSE = 2048


@njit(cache=True, nogil=True, plain=False)
def anneal(whole, real, moves, warmth, penalty, notes, shares):  # type: ignore[no-untyped-def]
    """Make moves at one temperature; return how many of each kind were tried and made, shape (2, 5).

    `whole` (int64) and `real` (float64) are the state. `warmth` is the temperature and `penalty` the price of a row of
    violation. With `notes` the cheapest state without violation is remembered. `shares`, (4,) float64, are the shares
    of the moves up to each kind: those of a row, of a row to its best class anywhere, of a class opened around a row,
    and of a class dissolved. The rest split one.
    """
    lower(whole, real)
    found = np.zeros((2, 5), np.int64)
    for x in range(moves):
        kind = draw(whole)
        r = np.int64(draw(whole) * whole[ROWS])
        whole[LOGGED] = 0
        if kind < shares[0]:
            which, done = 0, _row(whole, real, r, warmth, penalty)
        elif kind < shares[1]:
            which, done = 1, _best(whole, real, r, warmth, penalty)
        elif kind < shares[2]:
            which, done = 2, _open(whole, real, r, warmth, penalty)
        elif kind < shares[3]:
            which, done = 3, _dissolve(whole, real, r, warmth, penalty)
        else:
            which, done = 4, _split(whole, real, r, warmth, penalty)
        found[0, which] += 1
        found[1, which] += done
        if notes and x % PAUSE == 0:
            note(whole)
    if notes:
        note(whole)
    return found


@njit(cache=True, nogil=True)
def _takes(whole, change, warmth):  # type: ignore[no-untyped-def]
    return change <= 0 or draw(whole) < math.exp(-change / warmth)


@njit(cache=True, nogil=True)
def _settle(whole, real, before, warmth, penalty):  # type: ignore[no-untyped-def]
    """Keep what was moved, or take it back."""
    if _takes(whole, whole[COST] + penalty * real[0] - before, warmth):
        return 1
    take_back(whole, real, 0)
    return 0


@njit(cache=True, nogil=True)
def _neighbour(whole, r):  # type: ignore[no-untyped-def]
    """Return a row near a row, of its own type now and then, the nearer the likelier."""
    i = whole[whole[TYPE] + r]
    width = whole[WIDTH]
    u = draw(whole)
    x = np.int64(u * u * (width + 1)) - 1
    if x >= 0:
        j = whole[whole[NEAR] + i * width + x]
        if j >= 0:
            i = j
    begin = whole[whole[BEGINS] + i]
    return begin + np.int64(draw(whole) * (whole[whole[BEGINS] + i + 1] - begin))


@njit(cache=True, nogil=True)
def _row(whole, real, r, warmth, penalty):  # type: ignore[no-untyped-def]
    """Move a row to the class of a near one, or exchange it for a row there."""
    q = _neighbour(whole, r)
    a, b = whole[whole[CLASS] + r], whole[whole[CLASS] + q]
    if a == b:
        return 0
    change = leave_by(whole, real, r, penalty) + enter_by(whole, real, b, whole[whole[TYPE] + r], penalty, np.inf)
    if _takes(whole, change, warmth):
        move(whole, real, r, b)
        return 1
    for _ in range(np.int64(draw(whole) * 8)):
        q = whole[whole[AFTER] + q]
    if whole[whole[TYPE] + q] == whole[whole[TYPE] + r]:
        return 0
    before = whole[COST] + penalty * real[0]
    move(whole, real, r, b)
    change = whole[COST] + penalty * real[0] - before + leave_by(whole, real, q, penalty)
    change += enter_by(whole, real, a, whole[whole[TYPE] + q], penalty, np.inf)
    if _takes(whole, change, warmth):
        move(whole, real, q, a)
        return 1
    take_back(whole, real, 0)
    return 0


@njit(cache=True, nogil=True)
def _price(whole, r):  # type: ignore[no-untyped-def]
    return whole[whole[PRICE] + whole[whole[CLASS] + r]]


@njit(cache=True, nogil=True)
def _best(whole, real, r, warmth, penalty):  # type: ignore[no-untyped-def]
    """Move one of the dearest of some rows to the class where it is cheapest."""
    for _ in range(DEAREST):
        q = np.int64(draw(whole) * whole[ROWS])
        if _price(whole, q) > _price(whole, r):
            r = q
    a = whole[whole[CLASS] + r]
    less, where = leave_by(whole, real, r, penalty), -1
    best = -less + 8 * warmth
    for c in range(whole[CLASSES]):
        if c != a and whole[whole[SIZE] + c] > 0:
            change = enter_by(whole, real, c, whole[whole[TYPE] + r], penalty, best)
            if change < best:
                best, where = change, c
    if where >= 0 and _takes(whole, less + best, warmth):
        move(whole, real, r, where)
        return 1
    return 0


@njit(cache=True, nogil=True)
def _open(whole, real, r, warmth, penalty):  # type: ignore[no-untyped-def]
    """Open a class around a row: near rows come where that lowers the energy."""
    c = first_free(whole)
    if c < 0:
        return 0
    before = whole[COST] + penalty * real[0]
    move(whole, real, r, c)
    own, width = whole[whole[TYPE] + r], whole[WIDTH]
    skipped = draw(whole) * 0.7
    for x in range(-1, width):
        i = own if x < 0 else whole[whole[NEAR] + own * width + x]
        if i < 0 or whole[whole[SIZE] + c] >= min(CROWD * whole[K], MOST):
            break
        begin = whole[whole[BEGINS] + i]
        for q in range(begin, min(whole[whole[BEGINS] + i + 1], begin + ALIKE)):
            if whole[whole[CLASS] + q] == c or draw(whole) < skipped:
                continue
            change = enter_by(whole, real, c, i, penalty, np.inf)
            if change < 0 or whole[whole[SIZE] + c] < whole[K]:
                change += leave_by(whole, real, q, penalty)
                if change < 0:
                    move(whole, real, q, c)
    return _settle(whole, real, before, warmth, penalty)


@njit(cache=True, nogil=True)
def _dissolve(whole, real, r, warmth, penalty):  # type: ignore[no-untyped-def]
    """Dissolve a row's class, each row to the best of some near classes."""
    a = whole[whole[CLASS] + r]
    if a == whole[SUPPRESSED] or whole[whole[SIZE] + a] > min(CROWD * whole[K], MOST):
        return 0
    before = whole[COST] + penalty * real[0]
    for _ in range(whole[whole[SIZE] + a]):
        q = whole[whole[FIRST] + a]
        best, where = np.inf, -1
        for _ in range(LOOKS):
            b = whole[whole[CLASS] + _neighbour(whole, q)]
            if b == a:
                continue
            change = enter_by(whole, real, b, whole[whole[TYPE] + q], penalty, best)
            if change < best:
                best, where = change, b
        if where < 0 or not move(whole, real, q, where):
            take_back(whole, real, 0)
            return 0
    return _settle(whole, real, before, warmth, penalty)


@njit(cache=True, nogil=True)
def _split(whole, real, r, warmth, penalty):  # type: ignore[no-untyped-def]
    """Split off the rows of a class that show more together with one of its rows, one column a level lower."""
    a = whole[whole[CLASS] + r]
    if a == whole[SUPPRESSED] or whole[whole[SIZE] + a] < 2 * whole[K]:
        return 0
    m = whole[M]
    level = whole[LEVEL] + a * m
    j = np.int64(draw(whole) * m)
    for _ in range(m):
        if whole[level + j] > 0:
            break
        j = (j + 1) % m
    if whole[level + j] == 0:
        return 0
    c = first_free(whole)
    if c < 0:
        return 0
    before = whole[COST] + penalty * real[0]
    line = whole[NODES] + whole[whole[START] + j] + whole[level + j] - 1
    node = whole[line + whole[whole[TYPE] + r] * whole[LINES]]
    q = whole[whole[FIRST] + a]
    for _ in range(whole[whole[SIZE] + a]):
        following = whole[whole[AFTER] + q]
        if whole[line + whole[whole[TYPE] + q] * whole[LINES]] == node and not move(whole, real, q, c):
            break
        q = following
    return _settle(whole, real, before, warmth, penalty)


@njit(cache=True, nogil=True)
def mend(whole, real, first, most, penalty, wide):  # type: ignore[no-untyped-def]
    """Mend failing classes from a class on, as far as one can at a price per row of violation.

    A class takes near rows where that is enough; else its rows, 256 at most, go where they are cheapest: they look for
    a place in all classes where `wide` is set, else in those of near rows only. `whole` is int64 and `real` float64. It
    looks at the classes from `first` on and mends `most` failing ones at most. It returns the class to go on with, or
    the number of classes when all were looked at.
    """
    for c in range(first, whole[CLASSES]):
        if real[whole[DEFICIT] + c] <= 0.0 or c == whole[SUPPRESSED]:
            continue
        if most == 0:
            return c
        most -= 1
        whole[LOGGED] = 0
        before = whole[COST] + penalty * real[0]
        for _ in range(PULLS):
            if real[whole[DEFICIT] + c] <= 0.0 or not _pull(whole, real, c, penalty):
                break
        pulled = whole[COST] + penalty * real[0] - before
        if pulled < 0 and real[whole[DEFICIT] + c] <= 0.0:
            continue
        take_back(whole, real, 0)
        for _ in range(min(whole[whole[SIZE] + c], MOST)):
            q = whole[whole[FIRST] + c]
            where = _anywhere(whole, real, q, penalty) if wide else _nearby(whole, real, q, penalty)
            if where < 0 or not move(whole, real, q, where):
                break
        if whole[COST] + penalty * real[0] - before >= 0:
            take_back(whole, real, 0)
    return whole[CLASSES]


@njit(cache=True, nogil=True)
def _anywhere(whole, real, q, penalty):  # type: ignore[no-untyped-def]
    """Return the class, but its own, that a row is cheapest in, or -1."""
    best, where = np.inf, -1
    for b in range(whole[CLASSES]):
        if b != whole[whole[CLASS] + q] and (whole[whole[SIZE] + b] > 0 or b == whole[SUPPRESSED]):
            change = enter_by(whole, real, b, whole[whole[TYPE] + q], penalty, best)
            if change < best:
                best, where = change, b
    return where


@njit(cache=True, nogil=True)
def _nearby(whole, real, q, penalty):  # type: ignore[no-untyped-def]
    """Return the class of a near row, but its own, that a row is cheapest in, or -1."""
    best, where = np.inf, -1
    i = whole[whole[TYPE] + q]
    for x in range(-1, whole[WIDTH]):
        u = i if x < 0 else whole[whole[NEAR] + i * whole[WIDTH] + x]
        if u < 0:
            break
        r = whole[whole[BEGINS] + u]
        b = whole[whole[CLASS] + r + np.int64(draw(whole) * (whole[whole[BEGINS] + u + 1] - r))]
        if b != whole[whole[CLASS] + q]:
            change = enter_by(whole, real, b, i, penalty, best)
            if change < best:
                best, where = change, b
    return where


@njit(cache=True, nogil=True)
def _pull(whole, real, c, penalty):  # type: ignore[no-untyped-def]
    """Let the near row come to a class that lowers the energy most; False where none does."""
    best, which = 0.0, -1
    r = whole[whole[FIRST] + c]
    for _ in range(min(whole[whole[SIZE] + c], MOST)):
        near = whole[NEAR] + whole[whole[TYPE] + r] * whole[WIDTH]
        for x in range(min(WIDTHS, whole[WIDTH])):
            i = whole[near + x]
            if i < 0:
                break
            q = whole[whole[BEGINS] + i]
            q += np.int64(draw(whole) * (whole[whole[BEGINS] + i + 1] - q))
            if whole[whole[CLASS] + q] == c:
                continue
            change = enter_by(whole, real, c, i, penalty, best)
            if change < best:
                change += leave_by(whole, real, q, penalty)
                if change < best:
                    best, which = change, q
        r = whole[whole[AFTER] + r]
    return which >= 0 and move(whole, real, which, c)


# Row types near each row type: those it is cheapest to be shown with.
FAR = np.int64(1) << np.int64(60)


@njit(cache=True, nogil=True)
def near_types(nodes, costs, start, codes, firsts, one, kinds, low, high, step, near):  # type: ignore[no-untyped-def]
    """Write for the types `low` to `high` the types nearest to each, and those nearest of other kinds.

    The result is written into `near`, (t, w) int64: of both sorts alternately, the nearest first, without doubles, and
    -1 behind them. Only every `step`-th type is looked at, from another one on for each type, and those next to it in
    number. O((high - low) (t / step * m + values * levels)) at most; types that are too far off are left after some
    columns.

        `nodes`, `costs`: (t, L) int64, node and scaled cost of each type on each line of `ProblemArrays`.
        `start`: (m,) int64; `codes`: (t, m) int64, value of each type in each column, no two columns sharing any.
        `firsts`: (m + 1,) int64, where the values of each column begin.
        `one`: (values,) int64, a type with each value (-1: none has it).
        `kinds`: (t,) int64, combination of sensitive values.
    """
    t, m = codes.shape
    width = near.shape[1] // 2
    apart = np.empty(firsts[m], np.int64)
    gap = np.empty((2, width), np.int64)
    found = np.empty((2, width), np.int64)
    for i in range(low, high):
        for j in range(m):
            for v in range(firsts[j], firsts[j + 1]):
                line = start[j]
                if one[v] >= 0:
                    while nodes[one[v], line] != nodes[i, line]:
                        line += 1
                apart[v] = costs[i, line]
        gap[:], found[:] = FAR, -1
        begin = (i * 7919) % step
        spread = (t - begin + step - 1) // step
        for y in range(spread + (2 * width + 1 if step > 1 else 0)):
            u = begin + y * step if y < spread else i - width + y - spread
            if u == i or u < 0 or u >= t or (y >= spread and (u - begin) % step == 0):
                continue
            other = kinds[u] != kinds[i]
            limit = gap[0, width - 1]
            if other and gap[1, width - 1] > limit:
                limit = gap[1, width - 1]
            total = np.int64(0)
            for j in range(m):
                total += apart[codes[u, j]]
                if total >= limit:
                    break
            if total >= limit:
                continue
            for side in range(2):
                if (side == 1 and not other) or total >= gap[side, width - 1]:
                    continue
                x = width - 1
                while x > 0 and gap[side, x - 1] > total:
                    gap[side, x], found[side, x] = gap[side, x - 1], found[side, x - 1]
                    x -= 1
                gap[side, x], found[side, x] = total, u
        count = 0
        for x in range(2 * width):
            u = found[x % 2, x // 2]
            double = u < 0
            for z in range(count):
                double |= near[i, z] == u
            if not double:
                near[i, count] = u
                count += 1
        near[i, count:] = -1
