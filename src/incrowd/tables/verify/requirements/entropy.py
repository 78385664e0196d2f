"""Entropy l-diversity as the check reads it: H = -sum q ln q of every class is at least ln l.

With N rows and c_1, c_2, ... a value: N ln N - sum(c ln c) >= N ln l. Both sides are equal exactly where the prime
factors on both sides are; else enough digits tell them apart.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements.logarithms import CLOSE, ln_sign
from incrowd.tables.verify.requirements.reading import Judged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from incrowd.tables.verify.requirements.counts import Counted

__all__ = ["enough", "judge_entropy"]


def judge_entropy(column: Counted, l: Fraction) -> Judged:  # noqa: E741
    """Return which classes meet it, and the greatest l that all of them meet (a float, unless all are even).

    `column` has the rows of every value in every class, and `l` is at least 1.
    """
    size, shown = column.sizes.astype(np.float64), column.shown
    whole = size * np.log(np.maximum(size, 1))
    spent = np.zeros(column.classes)
    np.add.at(spent, column.owner, column.rows * np.log(column.rows.astype(np.float64)))
    above = whole - spent - size * math.log(l)
    met = (above > 0) | ~shown
    begins = column.begins
    near = np.abs(above) <= CLOSE * (whole + size * (1 + abs(math.log(l))))
    for g in np.flatnonzero(near & shown):
        met[g] = enough(column.rows[begins[g] : begins[g + 1]].tolist(), l)
    if not shown.any():
        return Judged(met, None)
    if bool((column.largest()[column.owner] == column.rows).all()):  # every class has its values equally often
        return Judged(met, float(column.distinct()[shown].min()))
    return Judged(met, float(np.exp((np.log(size[shown]) - spent[shown] / size[shown]).min())))


def enough(counts: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    """Return whether values with so many rows have an entropy of at least ln l, exactly.

    `counts` are at least 0 and not all 0, and `l` is at least 1.
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    size = sum(counts)
    terms = [(size, size), (l.denominator, size), (l.numerator, -size), *((count, -count) for count in counts)]
    return _cancels(terms, [size, *counts]) or ln_sign(terms) > 0


def _cancels(terms: Sequence[tuple[int, int]], small: Sequence[int]) -> bool:
    """Return whether the product of base^times is 1; numbers of rows are factored, the others only divided."""
    exponents: dict[int, int] = dict.fromkeys((prime for number in set(small) for prime in _primes(number)), 0)
    for base, times in terms:
        left = base
        for prime in exponents:
            while left % prime == 0:
                left //= prime
                exponents[prime] += times
        if left > 1:  # a prime that no number of rows has; the two parts of l share none
            return False
    return not any(exponents.values())


def _primes(number: int) -> set[int]:
    found, factor = set(), 2
    while factor * factor <= number:
        while number % factor == 0:
            found.add(factor)
            number //= factor
        factor += 1
    return found | ({number} if number > 1 else set())
