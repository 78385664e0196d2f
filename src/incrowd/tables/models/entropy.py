"""Entropy l-diversity, decided exactly.

A group of N rows with c_1, c_2, ... rows a value has entropy log N - sum(c_i log c_i) / N. It is at least log l, for
l = p/q, exactly if q^N N^N >= p^N c_1^c_1 c_2^c_2 ...: a question about whole numbers.
"""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.linear_rows import LinearRows
from incrowd.tables.models.requirement import ColumnRequirement, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.tables.values import Int64

__all__ = ["EntropyDiverse", "enough_entropy"]

# Relative error allowed to floating-point sums of logarithms; theirs is below 2^-52 times the number of terms.
MARGIN = 1e-9
POWERS = 4000  # rows up to which the powers themselves are compared


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EntropyDiverse(ColumnRequirement):
    """The entropy of every group is at least log l.

    Attributes
    ----------
    l : Fraction
        At least 1.
    """

    l: Fraction  # noqa: E741
    by_cuts: ClassVar[bool] = True

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,).

        Notes
        -----
        Floating-point numbers settle what lies further from the threshold than their error; the rest is decided
        by `enough_entropy`.
        """
        size = counted.sizes.astype(np.float64)
        whole = size * np.log(np.maximum(size, 1))
        spent = counted.sums(counted.rows * np.log(counted.rows.astype(np.float64)))
        above = whole - spent - size * math.log(self.l)
        error = MARGIN * (whole + size * (1 + abs(math.log(self.l))))
        met: NDArray[np.bool_] = above > 0
        begins = counted.begins()
        for g in np.flatnonzero((np.abs(above) <= error) & (counted.sizes > 0)):
            met[g] = enough_entropy(counted.rows[begins[g] : begins[g + 1]].tolist(), self.l)
        met |= counted.sizes == 0
        return met

    def reach(self, counted: Tally) -> float | None:
        """Return the greatest l that every group meets: exp of the least entropy, to the nearest float or so."""
        shown = counted.sizes > 0
        if not shown.any():
            return None
        if self._uniform(counted) is not None:
            return self._uniform(counted)
        size = counted.sizes[shown].astype(np.float64)
        spent = counted.sums(counted.rows * np.log(counted.rows.astype(np.float64)))[shown]
        return float(np.exp((np.log(size) - spent / size).min()))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return itself in floating point."""
        return (
            CountRule(family=Family.ENTROPY, code=self.code, totals=self.totals, level=math.log(self.l)),
        )  # fmt: skip

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these counts, shape (v,).

        Notes
        -----
        A group with shares p meets it where H(p) >= log l. For every distribution q, - sum p_v log q_v >= H(p) (Gibbs),
        so every group has to satisfy sum c_v (-log q_v) >= N log l. A group that fails, with shares p, is cut off by q
        near p: (1 - e) p, the rest on values it has not, with e so small that H(p) - log(1 - e) < log l.
        """
        least = math.log(self.l)
        share = counts / counts.sum()
        held = share > 0
        reached = -float((share[held] * np.log(share[held])).sum())
        # Half of what the group lacks may be spent on the values that it has not.
        spare = -math.expm1(-(least - reached) / 2) if not held.all() else 0.0
        shares = np.where(held, share * (1 - spare), spare / max(int((~held).sum()), 1))
        return LinearRows.of(self.code, np.log(shares)[None, :], [least])

    def _uniform(self, counted: Tally) -> float | None:
        """Return the number of values where every group has all its values equally often."""
        least = np.full(counted.groups, np.iinfo(np.int64).max, np.int64)
        np.minimum.at(least, counted.group, counted.rows)
        shown = counted.sizes > 0
        return float(counted.distinct()[shown].min()) if (least == counted.largest())[shown].all() else None


def enough_entropy(counts: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    """Return whether values with so many rows have an entropy of at least log l, exactly.

    There is at least one value, each has at least 1 row, and `l` is above 0.

    Notes
    -----
    Dividing all counts by their common divisor changes nothing. Small groups: the powers themselves. Large ones:
    equality is decided by prime factors; what is unequal is told apart by logarithms with twice the digits until they
    suffice.
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    size, p, q = sum(counts), l.numerator, l.denominator
    if size <= POWERS:
        spent = p**size * math.prod(count**count for count in counts)
        return bool((q * size) ** size >= spent)
    exponents: dict[int, int] = {}
    for base, times in [(size, size), (q, size), (p, -size), *((count, -count) for count in counts)]:
        for prime, power in _primes(base):
            exponents[prime] = exponents.get(prime, 0) + power * times
    if not any(exponents.values()):
        return True
    digits = 40
    while True:
        with decimal.localcontext() as context:
            context.prec = digits
            terms = [decimal.Decimal(prime).ln() * power for prime, power in exponents.items()]
            total = sum(terms, decimal.Decimal(0))
            error = sum((abs(term) for term in terms), decimal.Decimal(0)).scaleb(5 - digits)
            if abs(total) > error:
                return total > 0
        digits *= 2


def _primes(number: int) -> list[tuple[int, int]]:
    """Return the prime factors of a number with their powers."""
    found = []
    factor = 2
    while factor * factor <= number:
        power = 0
        while number % factor == 0:
            number //= factor
            power += 1
        if power:
            found.append((factor, power))
        factor += 1 if factor == 2 else 2
    return [*found, (number, 1)] if number > 1 else found
