"""Ratios of counts against logarithms, decided exactly.

The logarithm of a fraction other than 1 is irrational wherever it is compared with a fraction (Lindemann), so enough
digits always decide. Decimal's ``ln`` is correctly rounded.
"""

from __future__ import annotations

import decimal
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["CLOSE", "exp_above", "floor_of_ln", "ln_above", "ln_sign", "undecided"]

CLOSE = 1e-9  # far above the error of a few operations on floating-point numbers
DIGITS = 40


def undecided(difference: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places where floating-point numbers do not say whether a difference is above 0.

    `difference` (n,) is a difference of sums with logarithms, as computed, and `scale` (n,) the sum of the absolute
    values of its terms.
    """
    return np.flatnonzero(~(np.abs(difference) > CLOSE * (1 + np.abs(scale))))


def ln_sign(powers: Iterable[tuple[int, int]], constant: Fraction = Fraction(0)) -> int:
    """Return the sign of ``sum(times * ln(base)) - constant``, known not to be 0.

    `powers` are pairs (base, times), with bases at least 1.
    """
    powers = list(powers)
    digits = DIGITS
    while True:
        with decimal.localcontext() as context:
            context.prec = digits
            context.Emax, context.Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
            terms = [decimal.Decimal(base).ln() * times for base, times in powers]
            terms.append(-decimal.Decimal(constant.numerator) / decimal.Decimal(constant.denominator))
            total = sum(terms, decimal.Decimal(0))
            # every operation is off by at most one unit in its last digit
            error = sum((abs(term) for term in terms), decimal.Decimal(0)).scaleb(1 - digits) * (len(terms) + 4)
            if abs(total) > error:
                return 1 if total > 0 else -1
        digits *= 2


def ln_above(number: Fraction) -> Fraction:
    """Return a fraction that the logarithm of a number from 1 on does not exceed, by less than 10^-30 of it [V5]."""
    return Fraction(0) if number == 1 else _ln(number, DIGITS)[1]


def exp_above(number: Fraction) -> Fraction:
    """Return a fraction that e^number does not exceed, by less than 10^-30 of it; from 200 on e^200 is enough [V5].

    No table has e^200 rows, so that a share times either is above 1. The number is at least 0.
    """
    with decimal.localcontext() as context:
        context.prec = DIGITS
        context.rounding = decimal.ROUND_CEILING
        power = decimal.Decimal(min(number, Fraction(200)).numerator) / min(number, Fraction(200)).denominator
        # Decimal's exp is off by half a unit in its last digit
        return Fraction(power.exp()) * (1 + Fraction(1, 10 ** (DIGITS - 2)))


def floor_of_ln(times: int, number: Fraction) -> int:
    """Return the largest whole number not above ``times * ln(number)``, `times` whole and `number` above 0 [V8].

    `times` is at least 0.
    """
    if number == 1 or times == 0:
        return 0
    digits = DIGITS
    while True:
        low, high = (times * end for end in _ln(number, digits))
        if math.floor(low) == math.floor(high):  # it is no whole number, so that enough digits tell
            return math.floor(low)
        digits *= 2


def _ln(number: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return a fraction below the logarithm of a number above 0 other than 1, and one above it."""
    with decimal.localcontext() as context:
        context.prec = digits
        context.Emax, context.Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
        # the logarithm of the quotient itself would lose digits next to 1
        terms = [decimal.Decimal(number.numerator).ln(), -decimal.Decimal(number.denominator).ln()]
        total = Fraction(sum(terms, decimal.Decimal(0)))
    error = sum(Fraction(abs(term)) for term in terms) * 4 / Fraction(10) ** (digits - 1)
    return total - error, total + error
