"""Ratios of counts against exponentials of fractions, decided exactly.

exp of a fraction other than 0 is irrational (Lindemann), so that enough digits always tell it from a ratio.
"""

from __future__ import annotations

import decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["at_most_exp", "settled"]

MARGIN = 1e-9  # far above the error of a few operations on floating-point numbers


def settled(above: NDArray[Any], scale: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which differences are above 0, and which are too near to 0 to trust floating-point numbers.

    `above`, (c,), holds the differences and `scale`, (c,), the size of the numbers they are differences of. The first
    answer says which are above 0, the second which are not settled; both have shape (c,).
    """
    return above > 0, ~(np.abs(above) > MARGIN * (1 + np.abs(scale)))


def at_most_exp(ratio: Fraction, power: Fraction) -> bool:
    """Decide exactly whether ``ratio <= exp(power)``.

    The two are never equal unless `power` is 0 (or both sides are 1).
    """
    if power == 0 or ratio <= 0:
        return ratio <= 1
    digits = 30
    while True:
        with decimal.localcontext() as context:
            context.prec = digits
            context.Emax, context.Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
            exponent = decimal.Decimal(power.numerator) / decimal.Decimal(power.denominator)
            value = exponent.exp()
            # the exponent is off by a unit in its last digit, the exponential by half of one
            error = value * (abs(exponent) + 1).scaleb(2 - digits)
            low, high = Fraction(value - 2 * error), Fraction(value + 2 * error)
        if ratio < low:
            return True
        if ratio > high:
            return False
        digits *= 2
