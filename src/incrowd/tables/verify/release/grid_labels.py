"""Ranges on a grid as the check reads them: from the released labels and the original's values alone.

``20-29`` stands for the original numbers from 20 to 29, ``-20 to -11`` and ``2020-01-01 to 2020-01-31`` likewise,
``< 20`` for all below 20 and ``>= 90`` for all from 90 on. An end of a range lies on the grid; a range that reaches
the column's first or last cell is open there.
"""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.errors import InputError
from incrowd.tables.hierarchy import Fitted
from incrowd.tables.hierarchy.number_ranges import PackedRanges

if TYPE_CHECKING:
    from collections.abc import Sequence


POSITIVE = r"(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,9})?"
NUMBER = f"-?{POSITIVE}"
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
BETWEEN = re.compile(rf"({DATE}) to ({DATE})|({NUMBER}) to ({NUMBER})|({POSITIVE})-({POSITIVE})")
BELOW = re.compile(rf"< ({DATE}|{NUMBER})")
FROM = re.compile(rf">= ({DATE}|{NUMBER})")
PLAIN = re.compile(r"[+-]?[0-9]{1,15}(?:\.([0-9]{1,9}))?")
MOST_LEVELS = 120  # ranges that overlap at one place
MOST_PAIRS = 20_000_000


def read_ladder(
    originals: Sequence[str | None],
    released: Sequence[str | None],
    column: str,
    star: str | None,
    step: Fraction | None,
) -> Fitted:
    """Return the ranges among released cells as lines: each value with every range that it lies in, or itself.

    `originals` and `released` are the distinct values of the column, whose name is for messages. `star` is the star
    text, and `step` that of the grid. Without a step ends may be any number with as many decimals as the column has.
    Raise `InputError` if the original's values are neither numbers nor dates, one is missing or there is one number
    only, or the ranges overlap more than `MOST_LEVELS` deep. A cell that is no range of this grid gets no line, and
    counts as invented then. O((d + r) log d) for d values and r ranges, and O(1) for every pair of a range and a value
    in it.
    """
    texts = [value for value in originals if value is not None]
    place, unit = _numbers(texts, column)
    if len(texts) < len(originals) or len(set(place)) < 2:  # [G1]
        raise InputError(
            f"column {column!r} of the original has missing values or one number only, so recoding=grid can show no "
            "range of it; give it a hierarchy, or leave it out of numeric"
        )
    grid = unit if step is None else step
    order = sorted(range(len(texts)), key=place.__getitem__)
    keys = [place[i] for i in order]
    known = set(texts)
    dated = all(re.fullmatch(DATE, text) for text in texts)
    found: list[tuple[int, int, str]] = []
    for text in released:
        if text is None or text in known or text == star or dated != bool(re.search(DATE, text)):
            continue
        run = _run(text, keys, grid, min(unit, _finest(text)))
        if run is not None:
            found.append((*run, text))
    levels = _levels(found, column)
    lines = [[value] * (len(levels) + 1) for value in texts]
    if sum(last - first for level in levels for first, last, _ in level) > MOST_PAIRS:
        raise InputError(f"the ranges released in column {column!r} hold more than {MOST_PAIRS:,} values together")
    for up, level in enumerate(levels, 1):
        for first, last, text in level:
            for x in range(first, last):
                lines[order[x]][up] = text
    return Fitted(PackedRanges(lines=tuple(map(tuple, lines))), missing=False)


def exact_numbers(texts: Sequence[str], column: str) -> tuple[Fraction, ...]:
    """Return the number of every value, dates as days.

    The column's name is for messages. Raise `InputError` if the values are neither numbers nor dates.
    """
    return tuple(_numbers(texts, column)[0])


def _finest(text: str) -> Fraction:
    """Return the unit in which a label's numbers are written."""
    decimals = [len(part) for part in re.findall(r"\.(\d+)", text)]
    return Fraction(1, 10 ** max(decimals, default=0))


def _numbers(texts: Sequence[str], column: str) -> tuple[list[Fraction], Fraction]:
    """Return the number of every value, dates as days, and the finest unit that they are written in."""
    if texts and all(re.fullmatch(DATE, text) for text in texts):
        days = [_day(text) for text in texts]
        if None not in days:
            return [day for day in days if day is not None], Fraction(1)
    matches = [PLAIN.fullmatch(text) for text in texts]
    if not all(matches):
        raise InputError(f"column {column!r} of the original holds values that are neither numbers nor dates")
    digits = max((len(match[1] or "") for match in matches if match), default=0)
    return [Fraction(text) for text in texts], Fraction(1, 10**digits)


def _day(text: str) -> Fraction | None:
    try:
        return Fraction(datetime.date.fromisoformat(text).toordinal())
    except ValueError:
        return None


def _number(text: str) -> Fraction | None:
    return _day(text) if re.fullmatch(DATE, text) else Fraction(text)


def _run(text: str, keys: Sequence[Fraction], grid: Fraction, unit: Fraction) -> tuple[int, int] | None:
    """Return the values that a label stands for, as a half-open run of the sorted ones; None: it is no such label."""
    from bisect import bisect_left

    low: Fraction | None = None  # [G2]
    high: Fraction | None = None
    if match := BELOW.fullmatch(text):
        high = _number(match[1])
        ends = [high]
    elif match := FROM.fullmatch(text):
        low = _number(match[1])
        ends = [low]
    elif match := BETWEEN.fullmatch(text):
        a, b = (_number(part) for part in match.groups() if part is not None)
        if a is None or b is None or b < a:
            return None
        low, high = a, b + unit
        ends = [low, high]
    else:
        return None
    if any(end is None or (end / grid).denominator != 1 for end in ends):  # off the grid
        return None
    first = 0 if low is None else bisect_left(keys, low)
    last = len(keys) if high is None else bisect_left(keys, high)
    # open at the outermost cells, and there alone; never both
    if last <= first or (low is None) != (first == 0) or (high is None) != (last == len(keys)):
        return None
    return first, last


def _levels(found: Sequence[tuple[int, int, str]], column: str) -> list[list[tuple[int, int, str]]]:
    """Return the runs in levels in which none overlap."""
    levels: list[list[tuple[int, int, str]]] = []
    for one in sorted(found):
        for level in levels:
            if level[-1][1] <= one[0]:
                level.append(one)
                break
        else:
            levels.append([one])
        if len(levels) > MOST_LEVELS:
            raise InputError(f"the ranges released in column {column!r} overlap more than {MOST_LEVELS} deep")
    return levels
