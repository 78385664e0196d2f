"""Ranges of numbers and dates whose ends lie on a grid: how values are read, where the cells lie, what is shown.

A value lies in the cell of the grid that holds it; only cells that hold values are numbered. A range is a run of them.
It is written ``20-29``, ``-20 to -11``, ``2020-01-01 to 2020-01-31``, or, at the column's ends, ``< 20`` and ``>= 90``.
"""

from __future__ import annotations

import datetime
import itertools
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.errors import PolicyError, count_of
from incrowd.settings import fraction_text
from incrowd.tables.hierarchy.builders import Lines, parsed
from incrowd.tables.hierarchy.values import Hierarchy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.([0-9]{1,9}))?")
DATE = re.compile(r"[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}")
MOST = 10**15
MANY = 20_000  # values, from which on a first ladder has fewer levels
MOST_PACKED = 118  # levels of ranges that one release can show beside values and stars


@dataclass(frozen=True, slots=True)
class Numbers:
    """The values of a column as whole numbers of a unit.

    `units`: of each value; for dates the day, counted from 0001-01-01 as 1. `digits`: decimals of the unit, 0 to 9.
    """

    units: tuple[int, ...]
    digits: int
    dates: bool


def read_numbers(values: Sequence[str | None]) -> Numbers:
    """Read the distinct values of a column.

    Raises PolicyError for a missing value, texts, not-a-numbers, infinities, exponents, dates that no calendar has, or
    one value only.
    """
    if any(value is None for value in values):
        raise PolicyError("it has missing values, which no range can show; give it a hierarchy, or fill them first")
    texts = [value for value in values if value is not None]
    if not texts:
        raise PolicyError("it has no values to make ranges of")
    if all(DATE.fullmatch(text) for text in texts):
        found = parsed(texts, lambda text: datetime.date.fromisoformat(text).toordinal())
        digits, dates = 0, True
        if bad := found.count(None):
            raise PolicyError(f"{bad:,} of its dates lie before year 1, after year 9999 or on a day that there is not")
    else:
        matches = [NUMBER.fullmatch(text) for text in texts]
        bad = sum(match is None for match in matches)
        if bad:
            raise PolicyError(
                f"{bad:,} of its values {'is' if bad == 1 else 'are'} neither numbers like 17 or -3.25 nor dates like "
                "2020-01-31 (NaN, infinities and exponents lie in no range); mend them, or leave it out of numeric"
            )
        digits, dates = max(len(match[1] or "") for match in matches if match), False
        found = [int(Fraction(text) * 10**digits) for text in texts]
        if max(map(abs, found)) > MOST:
            raise PolicyError(
                f"its numbers have more than 15 digits (with {count_of(digits, 'decimal')}), too many for ranges"
            )
    if len(set(found)) < 2:
        raise PolicyError("it has one value only, so there is no range to show; leave it out of numeric")
    return Numbers(tuple(found), digits, dates)


def steps(numbers: Numbers) -> list[Fraction]:
    """Return the steps 1, 2, 5, 10, 20, ... units that leave at least two cells, finest first."""
    low, high = min(numbers.units), max(numbers.units)
    found: list[Fraction] = []
    size = 1
    while True:
        for factor in (1, 2, 5):
            step = factor * size
            if low // step == high // step:
                return found or [Fraction(1, 10**numbers.digits)]
            found.append(Fraction(step, 10**numbers.digits))
        size *= 10


@dataclass(frozen=True, eq=False)
class NumberRanges:
    """The grid of one column.

    `values` are its distinct values, as lines of its hierarchy. `step` is the distance of the grid's lines, which lie
    at its whole multiples; it is above 0. Raises PolicyError if the step is 0, no whole number of days, finer than can
    be said, or leaves one cell only.
    """

    values: tuple[str, ...]
    numbers: Numbers
    step: Fraction
    digits: int = field(init=False)
    width: int = field(init=False)
    cell: Int64 = field(init=False)
    lows: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        said = fraction_text(self.step)
        if self.step <= 0:
            raise PolicyError(f"the step of its grid must be above 0, but it is {said}")
        digits = self.numbers.digits
        while not self.numbers.dates and digits < 9 and (self.step * 10**digits).denominator != 1:
            digits += 1
        width = self.step * 10**digits
        if width.denominator != 1:
            what = "a whole number of days" if self.numbers.dates else "a number of at most 9 decimals"
            raise PolicyError(f"the step of its grid must be {what}, but it is {said}")
        more = 10 ** (digits - self.numbers.digits)
        places = [unit * more // int(width) for unit in self.numbers.units]
        lows = sorted(set(places))
        if len(lows) < 2:
            raise PolicyError(f"a step of {said} puts all its values in one cell; take a smaller round")
        rank = {low: i for i, low in enumerate(lows)}
        settle = object.__setattr__
        settle(self, "digits", digits)
        settle(self, "width", int(width))
        settle(self, "cell", np.array([rank[place] for place in places], np.int64))
        settle(self, "lows", tuple(lows))

    @property
    def cells(self) -> int:
        """Number of cells that hold values."""
        return len(self.lows)

    @cached_property
    def below(self) -> Int64:
        """Return how many distinct values lie below each cell, shape (cells + 1,)."""
        held = np.bincount(self.cell, minlength=self.cells)
        return np.concatenate(([0], np.cumsum(held))).astype(np.int64)

    def label(self, first: int, last: int) -> str:
        """Return what a run of cells is shown as. `first` and `last` are cells, and not both the outermost ones."""
        low, high = self.lows[first] * self.width, (self.lows[last] + 1) * self.width
        if first == 0:
            return f"< {self._written(high)}"
        if last == self.cells - 1:
            return f">= {self._written(low)}"
        if self.numbers.dates or low < 0:
            return f"{self._written(low)} to {self._written(high - 1)}"
        return f"{self._written(low)}-{self._written(high - 1)}"

    def _written(self, units: int) -> str:
        if self.numbers.dates:
            return datetime.date.fromordinal(min(max(units, 1), datetime.date.max.toordinal())).isoformat()
        if not self.digits:
            return str(units)
        whole, rest = divmod(abs(units), 10**self.digits)
        return f"{'-' if units < 0 else ''}{whole}.{rest:0{self.digits}d}"

    def chain(self, *, alone: bool = False) -> Hierarchy:
        """Return a hierarchy of some of the ranges: cells, runs of 2, 4, 8, ... grid widths, the star.

        Where the values are many the runs are 16, 256, ... wide: every level holds a label for each value. `alone` says
        that the column is the only one, and any range may be shown: no search climbs it then, so the star is all there
        is above the values.
        """
        if alone:
            return Hierarchy(lines=tuple((value,) for value in self.values))
        grows = 2 if len(self.values) <= MANY else 16
        levels: list[list[tuple[int, int]]] = []
        size = 1
        while self.lows[0] // size != self.lows[-1] // size and len(levels) < 12:
            if not (size == 1 and self.cells == len(self.values)):
                begins = np.unique([low // size for low in self.lows], return_index=True)[1].tolist()
                runs = itertools.pairwise([*begins, self.cells])
                # a range of one value shows that value
                levels.append([(a, b - 1) for a, b in runs if self.below[b] - self.below[a] > 1])
            size *= grows
        return Hierarchy(lines=self._lines(levels))

    def _lines(self, levels: Sequence[Sequence[tuple[int, int]]]) -> Lines:
        """Return lines that show some runs of cells at every level; a value that lies in none shows itself there."""
        order = np.argsort(self.cell, kind="stable")
        shown = np.repeat(np.array(self.values, object)[:, None], len(levels) + 1, axis=1)
        for up, runs in enumerate(levels, 1):
            for first, last in runs:
                shown[order[self.below[first] : self.below[last + 1]], up] = self.label(first, last)
        return tuple(map(tuple, shown.tolist()))

    def packed(self, runs: Iterable[tuple[int, int]]) -> tuple[PackedRanges, dict[tuple[int, int], int]]:
        """Return a ladder that shows some runs of cells, each at one level, and the level of each.

        A run is given by its first and last cell. Raises PolicyError if so many runs overlap that they need more levels
        than there can be.
        """
        levels: list[list[tuple[int, int]]] = []
        for run in sorted(set(runs)):
            free = next((level for level in levels if level[-1][1] < run[0]), None)
            if free is None:
                levels.append([run])
            else:
                free.append(run)
        if len(levels) > MOST_PACKED:
            raise PolicyError(f"its ranges overlap more than {MOST_PACKED} deep; take a larger round")
        return PackedRanges(lines=self._lines(levels)), {run: up for up, runs in enumerate(levels, 1) for run in runs}


@dataclass(frozen=True, kw_only=True)
class PackedRanges(Hierarchy):
    """Ranges that overlap, laid into levels that do not nest: a value without a range at a level shows itself there.

    It says what a release shows and costs; no solver may climb it.
    """

    packed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Leave the lines as they are."""
