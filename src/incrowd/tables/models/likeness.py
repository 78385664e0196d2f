"""beta-likeness: no sensitive value gains too much in a class."""

from __future__ import annotations

import dataclasses
import decimal
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from incrowd.settings import fraction_text, setting
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.models.requirement import (
    ColumnRequirement,
    SensitiveModel,
    Tally,
    at_most,
    decided,
    largest_ratio,
    wide,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain


@final
@dataclass(frozen=True, slots=True)
class BetaLikeness(SensitiveModel):
    """A value with share p of the table and q > p of a class gains (q - p) / p <= beta there.

    Parameters
    ----------
    beta : number
        Above 0.
    column : str
    enhanced : bool
        The gain is also at most -ln p, whatever beta.

    Raises
    ------
    PolicyError
        If beta is not above 0.

    Notes
    -----
    Values that lose are free. Closed under union. Decided in integers; the logarithm by intervals that are made
    as narrow as it takes (a rational gain never equals it). Linear in the values per class.

    References
    ----------
    J. Cao, P. Karras, "Publishing Microdata with a Robust Privacy Guarantee", PVLDB 5(11), 2012, Definitions 2, 3.
    """

    beta: Fraction = setting(
        dataclasses.MISSING, "largest relative gain of a sensitive value in a class", "fraction", above=0, metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")
    enhanced: bool = setting(False, "the gain of a value with share p is also at most -ln p", "flag")

    name = "beta-likeness"
    cites = ("CaoKarras2012",)
    summary = "no sensitive value gains more than beta, relatively, in any class"

    def describe(self) -> str:
        """Return the requirement in words."""
        more = " and -ln of its share" if self.enhanced else ""
        return (
            f"{'enhanced ' if self.enhanced else ''}beta-likeness of {self.column} with beta="
            f"{fraction_text(self.beta)}: no value gains more than that{more} in any class"
        )

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[BetaLikeness, ...]:
        """Return the forms that an audit measures on a column with these values."""
        return cls(Fraction(1), column), cls(Fraction(1), column, enhanced=True)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return Likeness(beta=self.beta, enhanced=self.enhanced, **Likeness.parts(self, domain))


class AgainstTable(ColumnRequirement):
    """A rule on the share of each value in a group, over its share in the table."""

    __slots__ = ()

    def about(self, counted: Tally) -> NDArray[np.float64]:
        """Return the one over the other of each entry, (e,), in floating point."""
        return np.asarray(counted.rows / counted.sizes[counted.group] * (self.n / self.totals[counted.value]))

    def ratio(self, counted: Tally, e: int) -> Fraction:
        """Return the one over the other of an entry, exactly."""
        size, table = counted.sizes[counted.group[e]], self.totals[counted.value[e]]
        return Fraction(int(counted.rows[e]) * self.n, int(size) * int(table))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Likeness(AgainstTable):
    """No value gains more than beta in a group (and, enhanced, than -ln of its share of the table)."""

    beta: Fraction
    enhanced: bool

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        good = at_most(*self._ratios(counted), 1 + self.beta)
        if self.enhanced:
            good &= self._below_log(counted)
        return counted.all_are(good)

    def _ratios(self, counted: Tally) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return `ratio` of all entries as fractions of whole numbers, both (e,)."""
        n = self.n
        kind = wide(n * int(counted.sizes.max(initial=0)))
        size: NDArray[Any] = counted.sizes[counted.group].astype(kind, copy=False)
        return counted.rows.astype(kind, copy=False) * n, size * self.totals[counted.value]

    def _below_log(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which entries gain at most -ln p: exp(gain) <= n / C."""
        table = self.totals[counted.value]
        gain = self.about(counted) - 1

        def exact(e: int) -> bool:
            # exp(gain) <= n / C is not (n / C < exp(gain)); equal only for gain 0 and C = n
            gained = self.ratio(counted, e) - 1
            return gained <= 0 or not at_most_exp(Fraction(self.n, int(table[e])), gained)

        return decided(np.log(self.n / table) - gain, gain, exact)

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the least beta that every group meets (None: there is no group, or none meets the logarithms)."""
        if not counted.rows.size or (self.enhanced and not self._below_log(counted).all()):
            return None
        most = largest_ratio(*self._ratios(counted))
        return None if most is None else max(most - 1, Fraction(0))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the share of every value: p_v (1 + gain_v) for a value v with share p_v of the table."""
        share = self.totals / self.n
        gains = [float(self.beta)] * share.size
        if self.enhanced:
            gains = [min(gain, -math.log(p)) if p else gain for gain, p in zip(gains, share.tolist(), strict=True)]
        return self.on_counts(Family.SHARES, share=np.minimum(share * (1 + np.array(gains)), 1.0))


# delta-disclosure: no sensitive value much more or much less frequent in a class than in the table.
@final
@dataclass(frozen=True, slots=True)
class DeltaDisclosure(SensitiveModel):
    """|ln(q / p)| < delta for every value with share q > 0 of a class and p of the table.

    Parameters
    ----------
    delta : number
        Above 0.
    column : str

    Raises
    ------
    PolicyError
        If delta is not above 0.

    Notes
    -----
    Natural logarithm, strictly below, and values that a class does not have are passed over (read literally, the
    definition allows no class without every value). Not closed under union: a value that one class lacks is rarer
    in the union than in the other. Decided by intervals around exp(delta) that are made as narrow as it takes: a
    ratio of counts never equals it. Linear in the values per class.

    References
    ----------
    J. Brickell, V. Shmatikov, "The Cost of Privacy: Destruction of Data-Mining Utility in Anonymized Data
    Publishing", KDD 2008.
    """

    delta: Fraction = setting(
        dataclasses.MISSING, "bound on |ln(share in a class / share in the table)|", "fraction", above=0, metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")

    name = "delta-disclosure"
    cites = ("BrickellShmatikov2008",)
    summary = "sensitive values neither much more nor much less frequent in a class than in the table"

    def describe(self) -> str:
        """Return the requirement in words."""
        return (
            f"delta-disclosure of {self.column} with delta={fraction_text(self.delta)}: the shares of a value in a "
            "class and in the table differ by a factor below exp(delta)"
        )

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return Disclosure(delta=self.delta, **Disclosure.parts(self, domain))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Disclosure(AgainstTable):
    """The share of every value in a group and in the table differ by a factor below exp(delta)."""

    delta: Fraction
    closed_under_union: ClassVar[bool] = False

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        apart = np.abs(np.log(self.about(counted)))

        def exact(e: int) -> bool:
            ratio = self.ratio(counted, e)
            return at_most_exp(max(ratio, 1 / ratio), self.delta)

        return counted.all_are(decided(float(self.delta) - apart, apart, exact))

    def reach(self, counted: Tally) -> float | None:
        """Return the greatest |ln(q / p)|: every delta above it is met (None: there is no group)."""
        return float(np.abs(np.log(self.about(counted))).max()) if counted.rows.size else None

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the largest share of every value; the least share of those that a group has is for searches alone."""
        factor = math.exp(min(float(self.delta), 700.0))
        share = self.totals / self.n
        most = np.minimum(share * factor, 1.0)
        return self.on_counts(Family.SHARES, share=most, presence=share / factor, exact=False)


# Ratios of counts against exponentials of fractions, decided exactly.
#
# exp of a fraction other than 0 is irrational (Lindemann), so that enough digits always tell it from a ratio.
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
