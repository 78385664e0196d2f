"""A hierarchy proposed for a column: intervals of numbers, the calendar of dates, prefixes of codes, else none.

What is proposed rests on the column's name and its distinct values, and is the same whenever these are. Widths are
1, 2 or 5 times a power of ten, by the spread of the middle nine tenths of the distinct numbers; the ends of
intervals are multiples of the widths, and never a number because it is the least or greatest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from incrowd.errors import PolicyError, and_
from incrowd.settings import fraction_text
from incrowd.tables.hierarchy.builders import UNITS, Dates, Intervals, Prefix, day_of, number_of, parsed
from incrowd.tables.hierarchy.values import Hierarchy

if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Sequence

FEWEST = 6  # distinct numbers or codes below which each is shown or starred
SMALLEST, GREATEST = Fraction(1, 10**9), Fraction(10**15)  # spreads of numbers that bands are read with
BANDS = 25  # intervals of the least width over the spread, about
AGES = Intervals([5, 10, 20], top=90)
NEXT: dict[int, tuple[int, ...]] = {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}  # widths by their first digit
LENGTHS = {"icd": (3, 1), "postcode": (3, 2, 1)}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one column.

    `spec`: None: no hierarchy suits the values. `why`: the reason, in words that end a sentence; no value. `seen`: what
    the values are.
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
    return Dates(units), f"dates by {and_(units)}"


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
    return Prefix(lengths), f"{what} by their first {and_([*map(str, lengths)])} {of}"


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
    return Intervals(widths), f"numbers in bands of {and_([str(fraction_text(width)) for width in widths])}"


def nice_width(size: Fraction) -> Fraction:
    """Return the least of 1, 2 and 5 times a power of ten that is no less than a size, which is above 0."""
    power = _power(size)
    return next(n * power for n in (1, 2, 5, 10) if n * power >= size)


def _power(size: Fraction) -> Fraction:
    """Return the greatest power of ten that is no more than a size."""
    digits = len(str(size.numerator)) - len(str(size.denominator))
    power = Fraction(10) ** digits
    return power if power <= size else power / 10


# What the values of a column are: dates, numbers, codes of one form, or texts. Read off the distinct values alone.
#
# Words that stand for a missing value (``NA``, ``?``, ``unknown``) are counted apart. A kind holds where nine in ten of
# the other values are of it, so that a few typing errors do not hide what a column is.
Kind = Literal["nothing", "one value", "dates", "numbers", "codes", "texts"]

MISSING_WORDS = frozenset({
    "?", "-", "--", ".", "..", "n/a", "na", "n.a.", "#n/a", "nan", "nil", "none", "null", "missing", "unknown", "unk",
    "not available", "not known", "unbekannt", "k.a.", "keine angabe", "brak", "nieznane", "inconnu", "desconocido",
})  # fmt: skip
AGE = re.compile(r"(^|[_\W\d])(age|ages|alter|lebensalter|wiek|edad|leeftijd|eta|years_old)($|[_\W\d])", re.IGNORECASE)
POSTCODE = re.compile(r"(^|[_\W\d])(zip|zip_?code|plz|postleitzahl|post_?code|postal_?code|cap|cp)($|[_\W\d])", re.I)
ICD = re.compile(r"[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?[*+!]?")
A_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|(18|19|20|21)\d{6}")
DATE_SHAPES = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d\d){1,2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}")
MOST_NUMBER = 60  # characters of a text that is looked at as a number or date
SHORTEST, LONGEST = 3, 12  # characters of a code


@dataclass(frozen=True, slots=True)
class Seen:
    """What a column's distinct values are.

    `kind`: ``nothing`` (no value but words for a missing one), ``one value``, ``dates``, ``numbers``, ``codes``,
    ``texts``. `said`: distinct values that are no words for a missing one. `missing`: the words for a missing value
    among them; they are of a fixed list. `parsed`: what the values of a kind say: days, numbers (Fraction), or the
    codes themselves. `form`: of codes: ``icd``, ``postcode`` or ``code``; of numbers ``age``, ``whole`` or ``decimal``.
    `unplaced`: distinct values, words for a missing one among them, that are not of the kind. `other_dates`: whether
    they are dates, not all written as 2023-04-27. `cases`: how many differ from another in capital letters alone.
    """

    kind: Kind
    said: int
    missing: tuple[str, ...] = ()
    parsed: tuple[Any, ...] = ()
    form: str = ""
    unplaced: int = 0
    other_dates: bool = False
    cases: int = 0


def is_missing_word(value: str) -> bool:
    """Return whether a text commonly stands for a missing value."""
    return value.strip().casefold() in MISSING_WORDS or not value.strip()


def look_at(name: str, values: Sequence[str]) -> Seen:
    """Return what the values of a column are.

    `name` is that of the column: it tells ages and postcodes from other numbers. `values` are there once each, in any
    order. Time and memory grow with the distinct values, some microseconds each.
    """
    missing = tuple(value for value in values if is_missing_word(value))
    said = [value.strip() for value in values if not is_missing_word(value)]
    if len(said) < 2:
        return Seen("one value" if said else "nothing", len(said), missing)
    found = _dates(said) or _codes(name, said) or _numbers(name, said)
    kind, form, parsed = found or ("texts", "", [])
    unplaced = len(values) - len(parsed) if found else 0
    other_dates = kind != "dates" and bool(_most_of(said, DATE_SHAPES.fullmatch))
    cases = len(said) - len({value.casefold() for value in said})
    return Seen(kind, len(said), missing, tuple(parsed), form, unplaced, other_dates, cases)


def _most(parsed: list[Any], said: list[str]) -> bool:
    """Return whether nine in ten of the values are of a kind, and two at least."""
    return len(parsed) >= 2 and 10 * len(parsed) >= 9 * len(said)


def _read(said: list[str], parse: Callable[[str], Any]) -> list[Any]:
    return [one for one in parsed(said, parse) if one is not None]


def _dates(said: list[str]) -> tuple[Kind, str, list[Any]] | None:
    days = _read([value for value in said if len(value) <= MOST_NUMBER and A_DATE.fullmatch(value)], day_of)
    return ("dates", "", days) if _most(days, said) else None


def _codes(name: str, said: list[str]) -> tuple[Kind, str, list[Any]] | None:
    """Return codes of one form: those of postcodes and ICD, numbers with a leading zero, letters mixed with digits."""
    if (found := _most_of(said, ICD.fullmatch)) and any(len(code) > SHORTEST for code in found):
        return "codes", "icd", found
    if POSTCODE.search(name) and (found := _most_of(said, re.compile(r"\d{2,6}(-\d{3,4})?").fullmatch)):
        alike = len({len(code) for code in found}) == 1 or all("-" in code for code in found if len(code) != 5)
        return ("codes", "postcode", found) if alike else None
    forms: dict[str, list[str]] = {}
    for value in said:
        if SHORTEST <= len(value) <= LONGEST and " " not in value:
            forms.setdefault(_form(value), []).append(value)
    codes = max(forms.values(), key=lambda some: (len(some), some), default=[])
    if not _most(codes, said) or "9" not in _form(codes[0]):
        return None
    if all(value.isdecimal() for value in codes):
        return ("codes", "code", codes) if len(codes[0]) > SHORTEST and any(c[0] == "0" for c in codes) else None
    return ("codes", "code", codes) if "A" in _form(codes[0]) and not _read(codes, number_of) else None  # not 1e5


def _most_of(said: list[str], fits: Callable[[str], Any]) -> list[str]:
    found = [value for value in said if len(value) <= MOST_NUMBER and fits(value)]
    return found if _most(found, said) else []


def _form(value: str) -> str:
    """Return a text with 9 for every digit and A for every letter."""
    return "".join("9" if c.isdigit() else "A" if c.isalpha() else c for c in value)


def _numbers(name: str, said: list[str]) -> tuple[Kind, str, list[Any]] | None:
    numbers = _read([value for value in said if len(value) <= MOST_NUMBER], number_of)
    if not _most(numbers, said):
        return None
    whole = all(number.denominator == 1 for number in numbers)
    human = _most([number for number in numbers if 0 <= number <= 130], [""] * len(numbers))
    return "numbers", "age" if AGE.search(name) and human else "whole" if whole else "decimal", numbers
