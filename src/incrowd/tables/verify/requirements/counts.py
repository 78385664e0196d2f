"""The values of sensitive columns counted in classes, and arithmetic on counts that cannot wrap around."""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain

LIMIT = 1 << 62  # below it a sum or difference of two products fits into 64 bits


def times(numbers: NDArray[Any], factor: Any) -> NDArray[Any]:
    """Return the product of counts (at least 0) with an integer or other counts, in Python's integers if need be.

    `factor` is at least 0 too.
    """
    most = int(np.max(factor, initial=0)) if isinstance(factor, np.ndarray) else int(factor)
    if max(int(numbers.max(initial=0)), 1) * most < LIMIT and numbers.dtype != object:
        return numbers * factor  # type: ignore[no-any-return]
    return numbers.astype(object) * factor  # type: ignore[no-any-return]


def sums(owner: NDArray[np.int64], terms: NDArray[Any], classes: int) -> NDArray[Any]:
    """Return the sum of one term an entry for every class, shape (classes,), without overflow.

    `owner` (e,) is the class of each entry, from 0, and `terms` (e,) are at least 0.
    """
    safe = terms.dtype != object and int(np.abs(terms).max(initial=0)) * max(terms.size, 1) < LIMIT
    found = np.zeros(classes, np.int64 if safe else object)
    np.add.at(found, owner, terms if safe else terms.astype(object))
    return found


def largest_ratio(tops: NDArray[Any], bottoms: NDArray[Any]) -> Fraction | None:
    """Return the largest of some fractions of whole numbers, exactly (None: there are none).

    `tops` (c,) are at least 0 and `bottoms` (c,) at least 1.
    """
    if not tops.size:
        return None
    about = tops.astype(np.float64) / bottoms.astype(np.float64)
    near = np.flatnonzero(about >= about.max() * (1 - 1e-9))  # a division is off by far less
    pairs = {(int(tops[i]), int(bottoms[i])) for i in near}
    return max(Fraction(top, bottom) for top, bottom in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One sensitive column, counted in every class.

    `values`: (d,) tuple of str or None, the distinct values of the original by UTF-8 bytes, NULL (None) first.
    `totals`: (d,) int64, rows of the original with each value. `sizes`: (classes,) int64, rows of each class; 0 for a
    class of which nothing is known. `owner`, `value`, `rows`: (e,) int64, rows of each value in each class, at least 1,
    by class and then value.
    """

    name: str
    values: tuple[str | None, ...]
    totals: NDArray[np.int64]
    sizes: NDArray[np.int64]
    owner: NDArray[np.int64]
    value: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Rows of the original."""
        return int(self.totals.sum())

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.sizes.size)

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which classes have rows, shape (classes,)."""
        return self.sizes > 0

    @property
    def begins(self) -> NDArray[np.int64]:
        """Where the entries of each class begin, and the end, shape (classes + 1,)."""
        return np.searchsorted(self.owner, np.arange(self.classes + 1)).astype(np.int64)

    def largest(self) -> NDArray[np.int64]:
        """Return the rows of the most frequent value of each class, shape (classes,)."""
        found = np.zeros(self.classes, np.int64)
        np.maximum.at(found, self.owner, self.rows)
        return found

    def distinct(self) -> NDArray[np.int64]:
        """Return the number of values of each class, shape (classes,)."""
        return np.bincount(self.owner, minlength=self.classes).astype(np.int64)

    def without(self, bad: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which classes have no bad entry, shape (classes,)."""
        met = np.ones(self.classes, np.bool_)
        met[self.owner[bad]] = False
        return met


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """All classes of a release with the combinations of sensitive values in them.

    `domain`: the original's combinations. `owner`, `kind`, `rows`: (e,) int64, rows of each combination in each class;
    a pair may come more than once. `number`: of classes.
    """

    domain: Domain
    owner: NDArray[np.int64]
    kind: NDArray[np.int64]
    rows: NDArray[np.int64]
    number: int

    def column(self, name: str) -> Counted:
        """Return one sensitive column, counted."""
        j = self.domain.column(name)
        code = self.domain.sensitive.codes[:, j].astype(np.int64)
        values = self.domain.values[j]
        totals = np.zeros(len(values), np.int64)
        np.add.at(totals, code, self.domain.counts)
        entries, rows = self._entries(code, len(values))
        sizes = np.zeros(self.number, np.int64)
        np.add.at(sizes, self.owner, self.rows)
        d = max(len(values), 1)
        return Counted(name, values, totals, sizes, entries // d, entries % d, rows)

    def combinations(self, names: Sequence[str]) -> list[list[tuple[int, ...]]]:
        """Return the different combinations of some columns in every class, as value codes."""
        codes = self.domain.sensitive.codes[:, [self.domain.column(name) for name in names]]
        lines, code = np.unique(codes, axis=0, return_inverse=True)
        entries, _ = self._entries(code.reshape(-1).astype(np.int64), len(lines))
        texts = [tuple(line) for line in lines.tolist()]
        found: list[list[tuple[int, ...]]] = [[] for _ in range(self.number)]
        for entry in entries.tolist():
            found[entry // len(texts)].append(texts[entry % len(texts)])
        return found

    def _entries(
        self, code: NDArray[np.int64], size: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
        """Return ``class * size + code`` of the pairs that occur, in order, and their rows."""
        keys, place = np.unique(self.owner * max(size, 1) + code[self.kind], return_inverse=True)
        rows = np.zeros(keys.size, np.int64)
        np.add.at(rows, place.reshape(-1), self.rows)
        return keys, rows


# Ratios of counts against logarithms, decided exactly.
#
# The logarithm of a fraction other than 1 is irrational wherever it is compared with a fraction (Lindemann), so enough
# digits always decide. Decimal's ``ln`` is correctly rounded.
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
