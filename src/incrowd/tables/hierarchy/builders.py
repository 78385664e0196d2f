"""Hierarchies made from the values of a column [W1]: intervals of numbers, the calendar of dates, prefixes of codes.

Each gives the lines of a `Hierarchy`: for every value the value itself and its labels, level by level.
"""

from __future__ import annotations

import datetime
import itertools
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError, count_of
from incrowd.settings import as_fraction, fraction_text, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


Lines = tuple[tuple[str, ...], ...]
MOST_PLACES = 400  # decimal ones of a number, before or after the point


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of growing width for numbers, aligned at `start`, each a whole number of the one before [W3].

    `widths` are numbers above 0 and growing, for example ``[5, 10, 20]``: one level each, below the star. At `start` an
    interval of every width begins. From `top` on, where there is one, all numbers share one label at every level; the
    intervals below end there. Labels: ``20-24`` where everything is whole and not negative, else ``[20, 22.5)``; at the
    top ``90+``, else ``>= 90``.
    """

    __repr__ = short_repr
    widths: Any
    start: Any = 0
    top: Any = None

    word: ClassVar[str] = "intervals"

    def __post_init__(self) -> None:
        given = [self.widths] if isinstance(self.widths, (int, float, str, Fraction)) else list(self.widths)
        widths = tuple(as_fraction(width, "a width of intervals") for width in given)
        object.__setattr__(self, "widths", widths)
        object.__setattr__(self, "start", as_fraction(self.start, "start of intervals"))
        if self.top is not None:
            object.__setattr__(self, "top", as_fraction(self.top, "top of intervals"))
        if not widths or widths[0] <= 0:
            raise PolicyError("intervals must be widths above 0, for example 5,10,20")
        for low, high in itertools.pairwise(widths):
            if high <= low or (high / low).denominator != 1:
                raise PolicyError(
                    f"intervals must grow by whole factors so that they nest, but {fraction_text(high)} does not "
                    f"hold a whole number of {fraction_text(low)}"
                )

    def lines(self, values: Sequence[str], *, complete: bool = False) -> Lines:
        """Return the hierarchy's lines for some texts that are numbers.

        Each value is there once. `complete` puts values that are no numbers under the root. PolicyError is raised with
        the number of such values.
        """
        found = _parsed(values, number_of, "numbers", self.word, complete=complete)
        numbers = [number for number in found if number is not None]
        ends = (*self.widths, self.start, self.top or Fraction(0))
        plain = all(n.denominator == 1 for n in (*numbers, *ends)) and min(numbers, default=0) >= 0
        return tuple(
            (value, *(value if number is None else self._label(number, width, plain=plain) for width in self.widths))
            for value, number in zip(values, found, strict=True)
        )

    def _label(self, number: Fraction, width: Fraction, *, plain: bool) -> str:
        if self.top is not None and number >= self.top:
            return f"{self.top}+" if plain and self.top >= 0 else f">= {fraction_text(self.top)}"
        low = self.start + (number - self.start) // width * width
        end = low + width if self.top is None else min(low + width, self.top)
        if plain and low >= 0:
            return str(low) if end - low == 1 else f"{low}-{end - 1}"
        return f"[{fraction_text(low)}, {fraction_text(end)})"

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        ends = {"start": self.start or None, "top": self.top}
        told = {name: fraction_text(end) for name, end in ends.items() if end is not None}
        return {self.word: [fraction_text(width) for width in self.widths], **told}


UNITS: dict[str, Callable[[datetime.date], str]] = {
    "day": lambda d: f"{d.year:04}-{d.month:02}-{d.day:02}",
    "month": lambda d: f"{d.year:04}-{d.month:02}",
    "quarter": lambda d: f"{d.year:04}-Q{(d.month + 2) // 3}",
    "year": lambda d: f"{d.year:04}",
    "decade": lambda d: f"{d.year // 10}0s",
    "century": lambda d: f"{d.year // 100}00s",
}


@dataclass(frozen=True, slots=True)
class Dates:
    """Calendar levels for ISO dates (and times, which are cut to their day) [W4].

    `units` are growing, out of day, month, quarter, year, decade, century.
    """

    __repr__ = short_repr
    units: Any = ("month", "quarter", "year", "decade")

    word: ClassVar[str] = "dates"

    def __post_init__(self) -> None:
        units = (self.units,) if isinstance(self.units, str) else tuple(self.units)
        object.__setattr__(self, "units", units)
        order = list(UNITS)
        unknown = [unit for unit in units if unit not in order]
        if unknown or not units or [*units] != sorted(set(units), key=order.index):
            raise PolicyError(
                f"dates must be growing units out of {', '.join(order)}, not {', '.join(map(str, units))}"
            )

    def lines(self, values: Sequence[str], *, complete: bool = False) -> Lines:
        """Return the hierarchy's lines for some texts that are dates of the years 1 to 9999.

        Each value is there once. `complete` puts values that are no such dates under the root. PolicyError is raised
        with the number of such values.
        """
        wanted = "dates of the years 1 to 9999, written like 2026-11-21"
        days = _parsed(values, day_of, wanted, self.word, complete=complete)
        return tuple(
            (value, *(value if day is None else UNITS[unit](day) for unit in self.units))
            for value, day in zip(values, days, strict=True)
        )

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        return {self.word: list(self.units)}


@dataclass(frozen=True, slots=True)
class Prefix:
    """Codes such as postcodes, cut from the right: ``13053``, ``1305*``, ``130*``, ... [W5].

    `lengths` are the characters kept at level 1, 2, ...; they are falling and above 0. Where there are none, one less
    is kept at every level.
    """

    __repr__ = short_repr
    lengths: Any = ()

    word: ClassVar[str] = "prefix"

    def __post_init__(self) -> None:
        given = (self.lengths,) if isinstance(self.lengths, (int, str)) else tuple(self.lengths)
        try:
            lengths = tuple(int(length) for length in given)
        except (TypeError, ValueError):
            lengths = (0,)
        if any(length < 1 for length in lengths) or list(lengths) != sorted(set(lengths), reverse=True):
            raise PolicyError(
                "prefix must be falling numbers of characters to keep, each at least 1, for example 4,3,2"
            )
        object.__setattr__(self, "lengths", lengths)

    def lines(self, values: Sequence[str], *, complete: bool = False) -> Lines:
        """Return the hierarchy's lines for some texts; one that is no longer than a prefix is shown whole.

        Each value is there once. `complete` is as for the others; every text has its prefixes.
        """
        del complete
        lengths = self.lengths or tuple(range(max((len(value) for value in values), default=1) - 1, 0, -1))
        return tuple(
            (value, *(value if len(value) <= length else f"{value[:length]}*" for length in lengths))
            for value in values
        )

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        return {self.word: list(self.lengths)}


def number_of(value: str) -> Fraction:
    """Return the number that a text is, exactly [W2].

    Raises ValueError if it is none, not finite, or beyond 400 decimal places on either side.
    """
    try:
        number = Decimal(value.strip())
    except InvalidOperation:
        raise ValueError from None
    if not number.is_finite() or abs(number.adjusted()) > MOST_PLACES or len(number.as_tuple().digits) > MOST_PLACES:
        raise ValueError
    return Fraction(number)


def day_of(value: str) -> datetime.date:
    """Return the day of a text that is an ISO date, with or without a time.

    Raises ValueError if it is none, or outside the years 1 to 9999.
    """
    return datetime.datetime.fromisoformat(value.strip()).date()


def parsed(values: Iterable[str], parse: Callable[[str], Any]) -> list[Any]:
    """Return what every value says; None for those that `parse` refuses by a ValueError or an OverflowError."""
    found: list[Any] = []
    for value in values:
        try:
            found.append(parse(value))
        except (ValueError, OverflowError):
            found.append(None)
    return found


def _parsed(
    values: Sequence[str], parse: Callable[[str], Any], what: str, word: str, *, complete: bool
) -> list[Any | None]:
    """Return what every value says; None for those that say nothing, where these are to go under the root."""
    found = parsed(values, parse)
    bad = found.count(None)
    if bad and bad == len(values):
        raise PolicyError(
            f"{word} needs {what}, and none of the column's {count_of(bad, 'distinct value')} is such; write them "
            "so, or give a hierarchy file"
        )
    if bad and not complete:
        raise PolicyError(
            f"{word} needs {what}, but {bad} of the column's {len(values)} distinct values cannot be read so; mend "
            "them, name what stands for a missing value as na, put them under the root (complete_hierarchies = true), "
            "or give a hierarchy file"
        )
    return found
