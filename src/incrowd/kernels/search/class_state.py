"""The state of a search over classes that have to meet rules: rows per pair of a type and an instance.

Unlike the state of `anneal`, a class may fail what is asked of it; what it lacks is its violation (`class_lack`).
`class_layout` says where everything lies.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import STEP, fraction
from incrowd.kernels.search.violations import COLUMN, EDGE, FAMILY, FIRST, LEVEL, RULE, SECOND, SHARES, rule_violation
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def fill(whole, real, rows):  # type: ignore[no-untyped-def]
    """Put rows per pair, (p,) int64, into a state without any.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    for p in range(rows.size):
        if rows[p] > 0:
            _add(whole, p, rows[p])
            whole[COST] += rows[p] * whole[whole[COSTS] + whole[whole[OWNERS] + p]]
    for g in range(whole[CLASSES]):
        _set_deficit(whole, real, g, deficit_of(whole, real, g))


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
    less = deficit_with(whole, real, p, -rows) + deficit_with(whole, real, q, rows)
    less -= real[whole[DEFICIT] + g] + real[whole[DEFICIT] + h]
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
    real[old], real[old + 1] = real[whole[DEFICIT] + g], real[whole[DEFICIT] + h]
    whole[LOGGED] = n + 1
    _add(whole, p, -rows)
    _add(whole, q, rows)
    whole[COST] += rows * (whole[whole[COSTS] + h] - whole[whole[COSTS] + g])
    _set_deficit(whole, real, g, deficit_of(whole, real, g))
    _set_deficit(whole, real, h, deficit_of(whole, real, h))
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
def _set_deficit(whole, real, g, deficit):  # type: ignore[no-untyped-def]
    before = real[whole[DEFICIT] + g]
    real[0] += deficit - before
    whole[FAILING] += np.int64(deficit > 0) - np.int64(before > 0)
    real[whole[DEFICIT] + g] = deficit


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
        _set_deficit(whole, real, h, real[old + 1])
        _set_deficit(whole, real, g, real[old])
    whole[LOGGED] = until


@njit(cache=True, nogil=True)
def total_deficit(whole, real):  # type: ignore[no-untyped-def]
    """Add up the violations anew, for sums of floating point drift.

    `whole` (int64) and `real` (float64) hold the state's numbers and are changed in place.
    """
    real[0] = 0.0
    for g in range(whole[CLASSES]):
        real[0] += real[whole[DEFICIT] + g]


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


# By how much the classes of a search fail what is asked of them: their violations, in rows.
@njit(cache=True, nogil=True)
def deficit_of(whole, real, g):  # type: ignore[no-untyped-def]
    """Return the violation of class g in rows: the largest of its rules', half of the others', or what k lacks.

    `whole` (int64) and `real` (float64) hold the state's numbers; `g` is the instance of the class.
    """
    if whole[SIMPLE]:
        return _simple_deficit(whole, real, g, whole[whole[BEGINS] + g], np.int64(0))
    return _any_deficit(whole, real, g)


@njit(cache=True, nogil=True)
def _simple_deficit(whole, real, g, p, more):  # type: ignore[no-untyped-def]
    """Return the violation of class g if its pair p had so many rows more, where all rules are simple ones.

    The same as `_any_deficit`, some ten times faster: no call, and nothing is written.
    """
    size = whole[whole[SIZE] + g] + more
    wide, worst, total = float(size), 0.0, 0.0
    for r in range(whole[RULES]):
        rule = whole[RULES_AT] + r * RULE
        column = whole[rule + COLUMN]
        at = whole[ENTRY_BEGINS] + column * (whole[CLASSES] + 1) + g
        mine = whole[whole[ENTRY] + column * whole[PAIRS] + p]
        first, second = whole[rule + FIRST], whole[rule + SECOND]
        add, over, lacking = 0.0, 0.0, 0.0
        if whole[rule + FAMILY] == SHARES:
            for e in range(whole[at], whole[at + 1]):
                held = float(whole[whole[ENTRY_ROWS] + e] + more * (e == mine))
                v = whole[whole[ENTRY_VALUE] + e]
                share, low = real[first + v], real[second + v] * wide
                excess = held - share * wide
                if excess > EDGE * wide:
                    over += excess / max(1.0 - share, 1e-3)
                    add = max(add, held / max(share, 1e-9) - wide)
                if 0.0 < held < low:
                    lacking += min(held, low - held) + 0.5
            one = min(add, over) + lacking
        else:
            over = -real[whole[rule + LEVEL]] * wide
            for e in range(whole[at], whole[at + 1]):
                held = float(whole[whole[ENTRY_ROWS] + e] + more * (e == mine))
                over += max(held - real[first + whole[whole[ENTRY_VALUE] + e]] * wide, 0.0)
            one = over + 0.5 if over > EDGE * wide else 0.0
        total += one
        worst = max(worst, one)
    deficit = max(0.5 * (worst + total), float(whole[whole[NEEDS] + g] - size))
    return deficit if size > 0 else 0.0


@njit(cache=True, nogil=True)
def _any_deficit(whole, real, g):  # type: ignore[no-untyped-def]
    size = whole[whole[SIZE] + g]
    if size == 0:
        return 0.0
    worst, others = 0.0, 0.0
    for r in range(whole[RULES]):
        rule = whole[RULES_AT] + r * RULE
        at = whole[ENTRY_BEGINS] + whole[rule + COLUMN] * (whole[CLASSES] + 1) + g
        begin, count = whole[at], whole[at + 1] - whole[at]
        one = rule_violation(
            whole, real, rule, whole[ENTRY_VALUE] + begin, whole[ENTRY_ROWS] + begin, count, size
        )  # fmt: skip
        if one > worst:
            worst, one = one, worst
        others += one
    return max(worst + 0.5 * others, float(whole[whole[NEEDS] + g] - size))


@njit(cache=True, nogil=True)
def count_rows(whole, p, rows):  # type: ignore[no-untyped-def]
    """Add rows of a pair to its class's counts alone, in the state's whole numbers (int64), which change in place.

    `rows` is how many come or, below 0, go.
    """
    whole[whole[SIZE] + whole[whole[OWNERS] + p]] += rows
    at = whole[ENTRY] + p
    for _ in range(whole[COLUMNS]):
        whole[whole[ENTRY_ROWS] + whole[at]] += rows
        at += whole[PAIRS]


@njit(cache=True, nogil=True)
def deficit_with(whole, real, p, rows):  # type: ignore[no-untyped-def]
    """Return the violation of a pair's class if the pair had so many rows more or, below 0, fewer.

    `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    if whole[SIMPLE]:
        return _simple_deficit(whole, real, whole[whole[OWNERS] + p], p, rows)
    count_rows(whole, p, rows)
    deficit = _any_deficit(whole, real, whole[whole[OWNERS] + p])
    count_rows(whole, p, -rows)
    return deficit


# Where what lies in the state of a search over classes that have to meet rules.
#
# The state is two arrays, whole and real numbers: the first `HEAD` whole ones are counts and the places of all the
# rest; the first real one is the sum of all violations.

# Counts: scaled cost; entries of the log, and room for them; classes touched by the move at hand; classes that fail;
# pairs that differ from the best state; the cost of that state, and whether there is one; the seed.
COST, LOGGED, ROOM, TOUCHES, FAILING, FRESHES, BEST_COST, NOTED, SEED = range(9)
CLASSES, PAIRS, TYPES, COLUMNS, ENTRIES, RULES, DRAWS = range(9, 16)
# Places of the candidate instances, cheapest first: pair p lies in instance OWNERS[p] and stands for type MEMBERS[p];
# type i agrees with the instances WHICH[TYPE_BEGINS[i]:TYPE_BEGINS[i + 1]], increasing, whose pairs are PAIR. ENTRY of
# a column and a pair counts the rows of the pair under its value in the column; the entries of a column and an
# instance begin at ENTRY_BEGINS. DRAWN holds a type for every row, or for a sample of them.
BEGINS, MEMBERS, OWNERS, COSTS, NEEDS, TYPE_BEGINS, WHICH, PAIR, ENTRY_BEGINS, ENTRY, ENTRY_VALUE, DRAWN, RULES_AT = (
    range(16, 29)
)
# Places of what changes: SLOT[BEGINS[g]:BEGINS[g] + HELD[g]] are the pairs of instance g with rows, WHERE is the place
# of each pair in SLOT; the same by type. LOG holds the transfers (from, to, rows) of the move at hand. TOUCHED lists
# its classes, stamped in MARK; FRESH the pairs that differ from BEST, stamped in FRESH_MARK.
ROWS, SIZE, ENTRY_ROWS, SLOT, WHERE, HELD, TYPE_SLOT, TYPE_WHERE, TYPE_HELD = range(29, 38)
LOG, TOUCHED, MARK, BEST, FRESH, FRESH_MARK = range(38, 44)
# Places of real numbers: the violation of each class; the two violations before each transfer of the log.
DEFICIT, OLD = 44, 45
# Whether all rules are on shares, or on the equal distance.
SIMPLE = 46
HEAD = 47
