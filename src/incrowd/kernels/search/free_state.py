"""The state of a search over classes that show what their rows share: every row's class, and what each class costs.

No list of instances stands behind it: a class that takes a row is shown as high as that needs, one that gives a row
away as low as the others allow. A class may fail what is asked of it; what it lacks is its violation, in rows.
Everything lies in two arrays, whole and real numbers: the first `HEAD` whole ones are counts, and places of the rest.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import STEP, fraction
from incrowd.kernels.search.violations import COLUMN, RULE, VALUES, rule_violation
from incrowd.loops import njit

# The scaled cost, how many classes fail, the entries of the log and room for them, the cost of the best state and
# whether there is one, the seed; the class that is fully suppressed and needs no crowd (-1: none), k; how many rows,
# types, columns, lines of `ProblemArrays`, classes, rules and numbers of a class per value of any rule there are.
COST, FAILING, LOGGED, ROOM, BEST_COST, NOTED, SEED, SUPPRESSED, K, ROWS, TYPES, M, LINES, CLASSES, RULES, COUNTS = (
    range(16)
)
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
CLASS, BEST, AFTER, BEFORE, FIRST, SIZE, LEVEL, PRICE, COUNTS_AT, LOG, LOG_LEVEL, VECTOR = range(28, 40)
# Places of real numbers: the violation of each class (their sum is the first), and the two before each log entry.
DEFICIT, LOG_DEFICIT = 40, 41
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
    if size == 0 and c != whole[SUPPRESSED]:
        for j in range(m):
            whole[v + j] = 0
        return _priced(whole, v, i)
    higher = False
    if c == whole[SUPPRESSED]:
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
    below = size <= WIDE and c != whole[SUPPRESSED]
    if size == 0 and c != whole[SUPPRESSED]:
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
    if c == whole[SUPPRESSED]:
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


# Rows that move between classes that show what their rows share: what that changes, and what undoes it.
@njit(cache=True, nogil=True)
def deficit_of(whole, real, c):  # type: ignore[no-untyped-def]
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
    needs = 0 if c == whole[SUPPRESSED] else whole[K]
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
    change = price * (size + 1) - whole[whole[PRICE] + c] * size - penalty * real[whole[DEFICIT] + c]
    if change >= limit:
        return change
    _count(whole, c, i, 1)
    deficit = deficit_of(whole, real, c)
    _count(whole, c, i, -1)
    return change + penalty * deficit


@njit(cache=True, nogil=True)
def leave_by(whole, real, r, penalty):  # type: ignore[no-untyped-def]
    """Return the change of the energy of row r's class if the row left.

    `penalty` (float64) is the cost of a row's violation; `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    c, i = whole[whole[CLASS] + r], whole[whole[TYPE] + r]
    price = shown(whole, c, r, whole[VECTOR])
    _count(whole, c, i, -1)
    deficit = deficit_of(whole, real, c)
    _count(whole, c, i, 1)
    size = whole[whole[SIZE] + c]
    change = price * (size - 1) - whole[whole[PRICE] + c] * size
    return change + penalty * (deficit - real[whole[DEFICIT] + c])


@njit(cache=True, nogil=True)
def _put(whole, real, c, v, price):  # type: ignore[no-untyped-def]
    """Give class c, whose rows are what they are now, the levels at place v, its price and its violation."""
    if c != whole[SUPPRESSED]:
        if whole[whole[SIZE] + c] == 0:
            price = 0
        else:
            own = whole[LEVEL] + c * whole[M]
            for j in range(whole[M]):
                whole[own + j] = whole[v + j]
        whole[whole[PRICE] + c] = price
    _set_deficit(whole, real, c, deficit_of(whole, real, c))


@njit(cache=True, nogil=True)
def _set_deficit(whole, real, c, deficit):  # type: ignore[no-untyped-def]
    before = real[whole[DEFICIT] + c]
    whole[FAILING] += np.int64(deficit > 0) - np.int64(before > 0)
    real[0] += deficit - before
    real[whole[DEFICIT] + c] = deficit


@njit(cache=True, nogil=True)
def _unlink(whole, r):  # type: ignore[no-untyped-def]
    c, behind, ahead = whole[whole[CLASS] + r], whole[whole[AFTER] + r], whole[whole[BEFORE] + r]
    if behind == r:
        whole[whole[FIRST] + c] = -1
        return
    whole[whole[AFTER] + ahead] = behind
    whole[whole[BEFORE] + behind] = ahead
    if whole[whole[FIRST] + c] == r:
        whole[whole[FIRST] + c] = behind


@njit(cache=True, nogil=True)
def _link(whole, r, c):  # type: ignore[no-untyped-def]
    whole[whole[CLASS] + r] = c
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
    old, i, n, m = whole[whole[CLASS] + r], whole[whole[TYPE] + r], whole[LOGGED], whole[M]
    if n >= whole[ROOM]:
        return False
    log, levels, lacks = whole[LOG] + 4 * n, whole[LOG_LEVEL] + 2 * m * n, whole[LOG_DEFICIT] + 2 * n
    prices, sizes, v = whole[PRICE], whole[SIZE], whole[VECTOR]
    whole[log], whole[log + 1], whole[log + 2], whole[log + 3] = r, old, whole[prices + old], whole[prices + c]
    for j in range(m):
        whole[levels + j] = whole[whole[LEVEL] + old * m + j]
        whole[levels + m + j] = whole[whole[LEVEL] + c * m + j]
    real[lacks], real[lacks + 1] = real[whole[DEFICIT] + old], real[whole[DEFICIT] + c]
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
        log, levels, lacks = whole[LOG] + 4 * n, whole[LOG_LEVEL] + 2 * m * n, whole[LOG_DEFICIT] + 2 * n
        r, old = whole[log], whole[log + 1]
        c, i = whole[whole[CLASS] + r], whole[whole[TYPE] + r]
        whole[COST] -= whole[prices + old] * whole[sizes + old] + whole[prices + c] * whole[sizes + c]
        _unlink(whole, r)
        _link(whole, r, old)
        _count(whole, c, i, -1)
        _count(whole, old, i, 1)
        for j in range(m):
            whole[whole[LEVEL] + old * m + j] = whole[levels + j]
            whole[whole[LEVEL] + c * m + j] = whole[levels + m + j]
        whole[prices + old], whole[prices + c] = whole[log + 2], whole[log + 3]
        _set_deficit(whole, real, old, real[lacks])
        _set_deficit(whole, real, c, real[lacks + 1])
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
        if whole[whole[SIZE] + c] == 0 and c != whole[SUPPRESSED]:
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
        best, class_ = whole[BEST], whole[CLASS]
        for r in range(whole[ROWS]):
            whole[best + r] = whole[class_ + r]


@njit(cache=True, nogil=True)
def fill(whole, real, class_):  # type: ignore[no-untyped-def]
    """Put the rows into classes: `class_`, (n,) int, is the class of each row.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    for r in range(class_.size):
        _link(whole, r, class_[r])
        _count(whole, class_[r], whole[whole[TYPE] + r], 1)
    for c in range(whole[CLASSES]):
        if whole[whole[SIZE] + c] > 0:
            lowest(whole, c)
        _set_deficit(whole, real, c, deficit_of(whole, real, c))
        whole[COST] += whole[whole[PRICE] + c] * whole[whole[SIZE] + c]


@njit(cache=True, nogil=True)
def lower(whole, real):  # type: ignore[no-untyped-def]
    """Show the classes of many rows as low as their rows share, and add up violations anew, for such sums drift.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    real[0] = 0.0
    for c in range(whole[CLASSES]):
        real[0] += real[whole[DEFICIT] + c]
        size = whole[whole[SIZE] + c]
        if size > WIDE:
            whole[COST] -= whole[whole[PRICE] + c] * size
            lowest(whole, c)
            whole[COST] += whole[whole[PRICE] + c] * size
