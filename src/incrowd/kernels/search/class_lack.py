"""By how much the classes of a search fail what is asked of them: their violations, in rows."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search.class_layout import (
    BEGINS,
    COLUMNS,
    ENTRY,
    ENTRY_BEGINS,
    ENTRY_ROWS,
    ENTRY_VALUE,
    GROUPS,
    NEEDS,
    OWNERS,
    PAIRS,
    RULES,
    RULES_AT,
    SIMPLE,
    SIZE,
)
from incrowd.kernels.search.violations import COLUMN, EDGE, FAMILY, FIRST, LEVEL, RULE, SECOND, SHARES, rule_violation
from incrowd.loops import njit

__all__ = ["count_rows", "lack_of", "lack_with"]


@njit(cache=True, nogil=True)
def lack_of(whole, real, g):  # type: ignore[no-untyped-def]
    """Return the violation of class g in rows: the largest of its rules', half of the others', or what k lacks.

    `whole` (int64) and `real` (float64) hold the state's numbers; `g` is the instance of the class.
    """
    if whole[SIMPLE]:
        return _simple_lack(whole, real, g, whole[whole[BEGINS] + g], np.int64(0))
    return _any_lack(whole, real, g)


@njit(cache=True, nogil=True)
def _simple_lack(whole, real, g, p, more):  # type: ignore[no-untyped-def]
    """Return the violation of class g if its pair p had so many rows more, where all rules are simple ones.

    The same as `_any_lack`, some ten times faster: no call, and nothing is written.
    """
    size = whole[whole[SIZE] + g] + more
    wide, worst, total = float(size), 0.0, 0.0
    for r in range(whole[RULES]):
        rule = whole[RULES_AT] + r * RULE
        column = whole[rule + COLUMN]
        at = whole[ENTRY_BEGINS] + column * (whole[GROUPS] + 1) + g
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
    lack = max(0.5 * (worst + total), float(whole[whole[NEEDS] + g] - size))
    return lack if size > 0 else 0.0


@njit(cache=True, nogil=True)
def _any_lack(whole, real, g):  # type: ignore[no-untyped-def]
    size = whole[whole[SIZE] + g]
    if size == 0:
        return 0.0
    worst, others = 0.0, 0.0
    for r in range(whole[RULES]):
        rule = whole[RULES_AT] + r * RULE
        at = whole[ENTRY_BEGINS] + whole[rule + COLUMN] * (whole[GROUPS] + 1) + g
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
def lack_with(whole, real, p, rows):  # type: ignore[no-untyped-def]
    """Return the violation of a pair's class if the pair had so many rows more or, below 0, fewer.

    `whole` (int64) and `real` (float64) hold the state's numbers.
    """
    if whole[SIMPLE]:
        return _simple_lack(whole, real, whole[whole[OWNERS] + p], p, rows)
    count_rows(whole, p, rows)
    lack = _any_lack(whole, real, whole[whole[OWNERS] + p])
    count_rows(whole, p, -rows)
    return lack
