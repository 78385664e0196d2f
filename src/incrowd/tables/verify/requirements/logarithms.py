"""Ratios of counts against logarithms, decided exactly.

The logarithm of a fraction other than 1 is irrational wherever it is compared with a fraction (Lindemann), so enough
digits always decide. Decimal's ``ln`` is correctly rounded.
"""

from __future__ import annotations

import decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["CLOSE", "ln_sign", "undecided"]

CLOSE = 1e-9  # far above the error of a few operations on floating-point numbers
DIGITS = 40


def undecided(difference: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places where floating-point numbers do not say whether a difference is above 0."""
    return np.flatnonzero(~(np.abs(difference) > CLOSE * (1 + np.abs(scale))))


def ln_sign(powers: Iterable[tuple[int, int]], constant: Fraction = Fraction(0)) -> int:
    """Return the sign of ``sum(times * ln(base)) - constant``, known not to be 0.

    Parameters
    ----------
    powers : iterable of (base, times)
        Bases at least 1.
    constant : Fraction
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
