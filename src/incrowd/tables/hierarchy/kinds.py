"""What the values of a column are: dates, numbers, codes of one form, or texts. Read off the distinct values alone.

Words that stand for a missing value (``NA``, ``?``, ``unknown``) are counted apart. A kind holds where nine in ten of
the other values are of it, so that a few typing errors do not hide what a column is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from incrowd.tables.hierarchy.builders import day_of, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Kind", "Seen", "is_missing_word", "look_at"]

Kind = Literal["nothing", "one value", "dates", "numbers", "codes", "texts"]

MISSING_WORDS = frozenset({
    "?", "-", "--", ".", "..", "n/a", "na", "n.a.", "#n/a", "nan", "nil", "none", "null", "missing", "unknown", "unk",
    "not available", "not known", "unbekannt", "k.a.", "keine angabe", "brak", "nieznane", "inconnu", "desconocido",
})  # fmt: skip
AGE = re.compile(r"(^|[_\W\d])(age|ages|alter|lebensalter|wiek|edad|leeftijd|eta|years_old)($|[_\W\d])", re.IGNORECASE)
POSTCODE = re.compile(r"(^|[_\W\d])(zip|zip_?code|plz|postleitzahl|post_?code|postal_?code|cap|cp)($|[_\W\d])", re.I)
ICD = re.compile(r"[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?[*+!]?")
A_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|(18|19|20|21)\d{6}")
MOST_NUMBER = 60  # characters of a text that is looked at as a number or date
SHORTEST, LONGEST = 3, 12  # characters of a code


@dataclass(frozen=True, slots=True)
class Seen:
    """What a column's distinct values are.

    Attributes
    ----------
    kind : str
        ``nothing`` (no value but words for a missing one), ``one value``, ``dates``, ``numbers``, ``codes``, ``texts``.
    said : int
        Distinct values that are no words for a missing one.
    missing : tuple of str
        The words for a missing value among them; they are of a fixed list.
    parsed : tuple
        What the values of a kind say: days, numbers (Fraction), or the codes themselves.
    form : str
        Of codes: ``icd``, ``postcode`` or ``code``; of numbers ``age``, ``whole`` or ``decimal``.
    unplaced : int
        Distinct values, words for a missing one among them, that are not of the kind.
    """

    kind: Kind
    said: int
    missing: tuple[str, ...] = ()
    parsed: tuple[Any, ...] = ()
    form: str = ""
    unplaced: int = 0


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
    return Seen(kind, len(said), missing, tuple(parsed), form, unplaced)


def _most(parsed: list[Any], said: list[str]) -> bool:
    """Return whether nine in ten of the values are of a kind, and two at least."""
    return len(parsed) >= 2 and 10 * len(parsed) >= 9 * len(said)


def _read(said: list[str], parse: Callable[[str], Any]) -> list[Any]:
    found = []
    for value in said:
        try:
            found.append(parse(value))
        except ValueError:
            continue
    return found


def _dates(said: list[str]) -> tuple[Kind, str, list[Any]] | None:
    days = _read([value for value in said if len(value) <= MOST_NUMBER and A_DATE.fullmatch(value)], day_of)
    return ("dates", "", days) if _most(days, said) else None


def _codes(name: str, said: list[str]) -> tuple[Kind, str, list[Any]] | None:
    """Return codes of one form: those of postcodes and ICD, numbers with a leading zero, letters mixed with digits."""
    if (found := _most_of(said, ICD.fullmatch)) and any(len(code) > SHORTEST for code in found):
        return "codes", "icd", found
    if POSTCODE.search(name) and (found := _most_of(said, re.compile(r"\d{2,6}(-\d{3,4})?").fullmatch)):
        alike = _one_length(found) or all("-" in code for code in found if len(code) != 5)
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


def _one_length(values: Sequence[str]) -> bool:
    return len({len(value) for value in values}) == 1


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
