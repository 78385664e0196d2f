"""beta-likeness: no sensitive value gains too much in a class."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, final

import numpy as np

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.models.exponentials import at_most_exp, settled
from incrowd.tables.models.requirement import ColumnRequirement, SensitiveModel, Tally, largest_ratio, wide
from incrowd.tables.models.value_counts import share_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["BetaLikeness"]


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
        dataclasses.MISSING, "largest relative gain of a sensitive value in a class", "fraction", metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")
    enhanced: bool = setting(False, "the gain of a value with share p is also at most -ln p", "flag")

    name = "beta-likeness"
    cites = ("CaoKarras2012",)
    summary = "no sensitive value gains more than beta, relatively, in any class"

    def __post_init__(self) -> None:
        self.cleaned()
        if self.beta <= 0:
            raise PolicyError(f"beta must be a number above 0, not {fraction_text(self.beta)}")

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Likeness(ColumnRequirement):
    """No value gains more than beta in a group (and, enhanced, than -ln of its share of the table)."""

    beta: Fraction
    enhanced: bool

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        up, down = self.beta.numerator + self.beta.denominator, self.beta.denominator
        size, table = counted.sizes[counted.group], self.totals[counted.value]
        kind = wide(max(up, down) * self.n * int(counted.sizes.max(initial=0)))
        good = counted.rows.astype(kind) * (self.n * down) <= size.astype(kind) * table * up
        if self.enhanced:
            good = good & self._below_log(counted)
        met = np.ones(counted.groups, np.bool_)
        met[counted.group[~good.astype(np.bool_)]] = False
        return met

    def _below_log(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which entries gain at most -ln p: exp(gain) <= n / C."""
        size, table = counted.sizes[counted.group], self.totals[counted.value]
        gain = counted.rows / size * (self.n / table) - 1
        above = np.log(self.n / table) - gain
        good, open_ = settled(above, gain)
        for e in np.flatnonzero(open_):
            exact = Fraction(int(counted.rows[e]) * self.n, int(size[e]) * int(table[e])) - 1
            # exp(gain) <= n / C is not (n / C < exp(gain)); equal only for gain 0 and C = n
            good[e] = exact <= 0 or not at_most_exp(Fraction(self.n, int(table[e])), exact)
        return good

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the least beta that every group meets (None: there is no group, or none meets the logarithms)."""
        if not counted.rows.size or (self.enhanced and not self._below_log(counted).all()):
            return None
        size, table = counted.sizes[counted.group], self.totals[counted.value]
        kind = wide(self.n * int(counted.sizes.max(initial=0)))
        most = largest_ratio(counted.rows.astype(kind) * self.n, size.astype(kind) * table)
        return None if most is None else max(most - 1, Fraction(0))

    def linear_rows(self) -> LinearRows:
        """Return c_v <= p_v (1 + gain_v) N for every value v with share p_v of the table."""
        return share_rows(self.code, self._shares())

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the share of every value."""
        return (CountRule(family=Family.SHARES, code=self.code, totals=self.totals, share=self._shares()),)

    def _shares(self) -> NDArray[np.float64]:
        """Return the share of a group that each value may have, shape (v,)."""
        share = self.totals / self.n
        gains = [float(self.beta)] * share.size
        if self.enhanced:
            gains = [min(gain, -math.log(p)) if p else gain for gain, p in zip(gains, share.tolist(), strict=True)]
        shares: NDArray[np.float64] = np.minimum(share * (1 + np.array(gains)), 1.0)
        return shares
