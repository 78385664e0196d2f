"""A hierarchy proposed for a column: intervals of numbers, the calendar of dates, prefixes of codes, else none.

What is proposed rests on the column's name and its distinct values, and is the same whenever these are. Widths are
1, 2 or 5 times a power of ten, by the spread of the middle nine tenths of the distinct numbers; the ends of
intervals are multiples of the widths, and never a number because it is the least or greatest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy.builders import UNITS, Dates, Intervals, Prefix
from incrowd.tables.hierarchy.kinds import Seen, look_at
from incrowd.tables.hierarchy.values import Hierarchy

if TYPE_CHECKING:
    import datetime
    from collections.abc import Sequence

__all__ = ["Proposal", "nice_width", "propose"]

FEWEST = 6  # distinct numbers or codes below which each is shown or starred
SMALLEST, GREATEST = Fraction(1, 10**9), Fraction(10**15)  # spreads of numbers that bands are read with
BANDS = 25  # intervals of the least width over the spread, about
AGES = Intervals([5, 10, 20], top=90)
NEXT: dict[int, tuple[int, ...]] = {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}  # widths by their first digit
LENGTHS = {"icd": (3, 1), "postcode": (3, 2, 1)}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one column.

    Attributes
    ----------
    column : str
    spec : Intervals, Dates, Prefix or None
        None: no hierarchy suits the values.
    why : str
        The reason, in words that end a sentence; no value.
    seen : Seen
        What the values are.
    """

    column: str
    spec: Intervals | Dates | Prefix | None
    why: str
    seen: Seen

    @property
    def unplaced(self) -> int:
        """Distinct values that go under the root, for the hierarchy has no place for them."""
        return self.seen.unplaced if self.spec is not None and not isinstance(self.spec, Prefix) else 0


def propose(column: str, values: Sequence[str]) -> Proposal:
    """Return the hierarchy that is proposed for a column [W6].

    `values` are the column's distinct values, in any order, without the missing one. Time and memory grow with them.
    """
    seen = look_at(column, values)
    spec, why = _suiting(seen)
    proposal = Proposal(column, spec, why, seen)
    doubtful = proposal.unplaced or any(value.endswith("*") for value in values)
    if spec is not None and doubtful:
        try:
            Hierarchy(lines=spec.lines(list(values), complete=True))
        except PolicyError:
            return Proposal(column, None, "some of its values read like the labels of others", seen)
    return proposal


def _suiting(seen: Seen) -> tuple[Intervals | Dates | Prefix | None, str]:
    if seen.kind == "nothing":
        return None, "it holds no values"
    if seen.kind == "one value":
        return None, "all its values are one"
    if seen.kind == "dates":
        return _calendar(seen.parsed)
    if seen.kind == "codes":
        return _prefixes(seen)
    if seen.kind == "numbers":
        return _intervals(seen)
    if seen.said < FEWEST:
        return None, f"it has {seen.said} values"
    return None, "its values are texts of no common form"


def _calendar(days: Sequence[datetime.date]) -> tuple[Dates | None, str]:  # [W7]
    by_unit = {unit: {label(day) for day in days} for unit, label in UNITS.items()}
    years = len(by_unit["year"]) > 1
    wanted = ("month", "year", "decade") if len(by_unit["decade"]) > 1 else ("month", "quarter", "year")
    units = [unit for unit in (wanted if years else ("month", "quarter")) if len(by_unit[unit]) > 1]
    if 1 < len(by_unit["day"]) < len(days):  # there are times too
        units = ["day", *units]
    if not units:
        return None, "its dates are of one month"
    return Dates(units), f"dates by {_listed(units)}"


def _prefixes(seen: Seen) -> tuple[Prefix | None, str]:  # [W8]
    longest = max(map(len, seen.parsed))
    usual = tuple(range(longest - 1, 0, -1)) if longest <= 4 else (3, 2, 1) if longest == 5 else (6, 4, 2)
    telling = [n for n in range(longest - 1, 0, -1) if len({code[:n] for code in seen.parsed}) > 1]
    lengths = [n for n in telling if n in LENGTHS.get(seen.form, usual)] or telling[:3]
    if seen.said < FEWEST and seen.form == "code":
        return None, f"it has {seen.said} values"
    if not lengths:
        return None, "its codes all begin alike"
    what = {"icd": "codes like those of the ICD", "postcode": "postcodes"}.get(seen.form, "codes of one form")
    of = "character" if lengths == [1] else "characters"
    return Prefix(lengths), f"{what} by their first {_listed(lengths)} {of}"


def _intervals(seen: Seen) -> tuple[Intervals | None, str]:  # [W9]
    numbers = sorted(seen.parsed)
    cut = len(numbers) // 20
    spread = numbers[len(numbers) - 1 - cut] - numbers[cut]
    if seen.form == "age" and (spread >= 20 or len(numbers) < FEWEST):
        return AGES, "ages in bands of 5, 10 and 20 years, those from 90 on in one"
    if seen.said < FEWEST or spread == 0:
        return None, f"it has {seen.said} values" if seen.said < FEWEST else "nearly all its numbers are one"
    if not SMALLEST <= spread <= GREATEST:
        return None, "its numbers lie too near or too far apart"
    least = nice_width(spread / BANDS)
    if seen.form != "decimal" and least <= 1:
        widths: list[Fraction] = [Fraction(2), Fraction(10)] if spread > 10 else [Fraction(2)]
    else:
        digit = int(least / _power(least))
        widths = [least * n / digit for n in NEXT[digit]]
    return Intervals(widths), f"numbers in bands of {_listed([*map(_number, widths)])}"


def nice_width(size: Fraction) -> Fraction:
    """Return the least of 1, 2 and 5 times a power of ten that is no less than a size, which is above 0."""
    power = _power(size)
    return next(n * power for n in (1, 2, 5, 10) if n * power >= size)


def _power(size: Fraction) -> Fraction:
    """Return the greatest power of ten that is no more than a size."""
    digits = len(str(size.numerator)) - len(str(size.denominator))
    power = Fraction(10) ** digits
    return power if power <= size else power / 10


def _number(width: Fraction) -> str:
    return str(int(width)) if width.denominator == 1 else f"{float(width):g}"


def _listed(parts: Sequence[Any]) -> str:
    texts = [str(part) for part in parts]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
