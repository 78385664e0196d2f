"""Hierarchies made from the values of a column: intervals of numbers, the calendar of dates, prefixes of codes."""

from __future__ import annotations

import datetime
import itertools
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError
from incrowd.settings import as_fraction, fraction_text
from incrowd.tables.hierarchy.values import Hierarchy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Dates", "Intervals", "Prefix"]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of growing width for numbers, aligned at `start`, each a whole number of the one before.

    Parameters
    ----------
    widths : sequence of numbers
        Above 0 and growing, for example ``[5, 10, 20]``: one level each, below the star.
    start : number
        Where an interval of every width begins (default 0).

    Notes
    -----
    Labels: ``20-24`` where everything is whole and not negative, else ``[20, 22.5)``.
    """

    widths: Any
    start: Any = 0

    word: ClassVar[str] = "intervals"

    def __post_init__(self) -> None:
        given = [self.widths] if isinstance(self.widths, (int, float, str, Fraction)) else list(self.widths)
        widths = tuple(as_fraction(width, "a width of intervals") for width in given)
        object.__setattr__(self, "widths", widths)
        object.__setattr__(self, "start", as_fraction(self.start, "start of intervals"))
        if not widths or widths[0] <= 0:
            raise PolicyError("intervals must be widths above 0, for example 5,10,20")
        for low, high in itertools.pairwise(widths):
            if high <= low or (high / low).denominator != 1:
                raise PolicyError(
                    f"intervals must grow by whole factors so that they nest, but {fraction_text(high)} does not "
                    f"hold a whole number of {fraction_text(low)}"
                )

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of some texts that are numbers.

        Parameters
        ----------
        values : sequence of str
            Each once.

        Raises
        ------
        PolicyError
            With the number of values that are no numbers.
        """
        numbers = _parsed(values, _number, "numbers", "intervals")
        plain = all(n.denominator == 1 for n in (*numbers, *self.widths, self.start)) and min(numbers, default=0) >= 0
        return Hierarchy(
            lines=tuple(
                (value, *(self._label(number, width, plain=plain) for width in self.widths))
                for value, number in zip(values, numbers, strict=True)
            )
        )

    def _label(self, number: Fraction, width: Fraction, *, plain: bool) -> str:
        low = self.start + (number - self.start) // width * width
        if plain and low >= 0:
            return str(low) if width == 1 else f"{low}-{low + width - 1}"
        return f"[{fraction_text(low)}, {fraction_text(low + width)})"

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        widths = [fraction_text(width) for width in self.widths]
        return {self.word: widths, **({"start": fraction_text(self.start)} if self.start else {})}


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
    """Calendar levels for ISO dates (and times, which are cut to their day).

    Parameters
    ----------
    units : sequence of str
        Growing, out of day, month, quarter, year, decade, century (default: month, quarter, year, decade).
    """

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

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of some texts that are dates of the years 1 to 9999.

        Parameters
        ----------
        values : sequence of str
            Each once.

        Raises
        ------
        PolicyError
            With the number of values that are no such dates.
        """
        days = _parsed(values, _day, "dates of the years 1 to 9999, written like 2026-11-21", "dates")
        lines = ((value, *(UNITS[unit](day) for unit in self.units)) for value, day in zip(values, days, strict=True))
        return Hierarchy(lines=tuple(lines))

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        return {self.word: list(self.units)}


@dataclass(frozen=True, slots=True)
class Prefix:
    """Codes such as postcodes, cut from the right: ``13053``, ``1305*``, ``130*``, ...

    Parameters
    ----------
    lengths : sequence of int
        Characters kept at level 1, 2, ...; falling, above 0 (default, when empty: one less at every level).
    """

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

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of some texts; one that is no longer than a prefix is shown whole.

        Parameters
        ----------
        values : sequence of str
            Each once.
        """
        lengths = self.lengths or tuple(range(max((len(value) for value in values), default=1) - 1, 0, -1))
        return Hierarchy(lines=tuple((value, *(_cut(value, length) for length in lengths)) for value in values))

    def plain(self) -> Any:
        """Return the settings as TOML holds them."""
        return {self.word: list(self.lengths)}


def _cut(value: str, length: int) -> str:
    return value if len(value) <= length else value[:length] + "*"


def _number(value: str) -> Fraction:
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError from None
    if not number.is_finite() or abs(number.adjusted()) > 400:
        raise ValueError
    return Fraction(number)


def _day(value: str) -> datetime.date:
    return datetime.datetime.fromisoformat(value).date()


def _parsed(values: Sequence[str], parse: Callable[[str], Any], what: str, word: str) -> list[Any]:
    parsed, bad = [], 0
    for value in values:
        try:
            parsed.append(parse(value.strip()))
        except ValueError:
            bad += 1
    if bad:
        raise PolicyError(
            f"{word} needs {what}, but {bad} of the column's {len(values)} distinct values are none; mend them, name "
            "what stands for a missing value with --na, or give a hierarchy file"
        )
    return parsed
