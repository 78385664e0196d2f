"""Numbers from outside, read exactly and bounded before they are built; and the plainest text of an exact number."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from incrowd.errors import PolicyError
from incrowd.settings.quotation import MOST_BITS, MOST_CHARACTERS, shortened

__all__ = ["MOST_DIGITS", "as_fraction", "exact_number", "fraction_text", "short_fraction"]

MOST_DIGITS, MOST_EXPONENT = 1000, 999  # of a number that comes from outside


def exact_number(text: str) -> Fraction:
    """Return a number written as text, exactly: ``"0.1"``, ``"1/3"``, ``"1e-9"``.

    The text has at most 1000 characters and an exponent from -999 to 999; blanks around it do not count. ValueError is
    raised if it is no number, or so long or with so great an exponent that it would take the machine to hold it.
    """
    text = text.strip()
    exponent = text.lower().rpartition("e")[2].replace("_", "") if "e" in text.lower() else "0"
    if len(text) > MOST_DIGITS or len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MOST_EXPONENT:
        raise ValueError
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError from None


def as_fraction(value: Any, name: str) -> Fraction:
    """Return a number exactly: a float means the decimal it prints as, a text may be ``"1/3"``.

    `name` is what the message calls it. A bool and None are refused. PolicyError is raised if it is no finite number,
    or one of more than a thousand digits or an exponent beyond 999.
    """
    if isinstance(value, bool) or value is None:
        raise PolicyError(f"{name} must be a number, not {value!r}")
    if isinstance(value, (int, Fraction)):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise PolicyError(f"{name} must be a number of at most {MOST_DIGITS} digits")
        return Fraction(value)
    try:
        if not isinstance(value, str):
            if not math.isfinite(value):
                raise ValueError
            value = repr(float(value))
        return exact_number(value)
    except (TypeError, ValueError, OverflowError):
        raise PolicyError(
            f"{name} must be a number such as 2, 0.5 or '1/3', its exponent at most {MOST_EXPONENT}, "
            f"not {shortened(value)}"
        ) from None


def fraction_text(value: Fraction) -> int | float | str:
    """Return the plainest way to write a fraction that `as_fraction` reads back exactly.

    It is a whole number as int, a float where its decimal is the value exactly, or else text such as ``1/3``.
    """
    if value.denominator == 1:
        return int(value)
    try:
        short = float(value)
    except OverflowError:
        return f"{value.numerator}/{value.denominator}"
    return short if Fraction(repr(short)) == value else f"{value.numerator}/{value.denominator}"


def short_fraction(value: Fraction) -> str:
    """Return a fraction as a message repeats it: cut after 80 characters."""
    text = str(fraction_text(value))
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."
