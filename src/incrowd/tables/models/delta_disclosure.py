"""delta-disclosure: no sensitive value much more or much less frequent in a class than in the table."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.models.exponentials import at_most_exp, settled
from incrowd.tables.models.requirement import ColumnRequirement, SensitiveModel, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["DeltaDisclosure"]


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
        dataclasses.MISSING, "bound on |ln(share in a class / share in the table)|", "fraction", metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")

    name = "delta-disclosure"
    cites = ("BrickellShmatikov2008",)
    summary = "sensitive values neither much more nor much less frequent in a class than in the table"

    def __post_init__(self) -> None:
        self.cleaned()
        if self.delta <= 0:
            raise PolicyError(f"delta must be a number above 0, not {fraction_text(self.delta)}")

    def describe(self) -> str:
        """Return the requirement in words."""
        return (
            f"delta-disclosure of {self.column} with delta={fraction_text(self.delta)}: the shares of a value in a "
            "class and in the table differ by a factor below exp(delta)"
        )

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[DeltaDisclosure, ...]:
        """Return the forms that an audit measures on a column with these values."""
        return (cls(Fraction(1), column),)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return Disclosure(delta=self.delta, **Disclosure.parts(self, domain))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Disclosure(ColumnRequirement):
    """The share of every value in a group and in the table differ by a factor below exp(delta)."""

    delta: Fraction
    closed_under_union: ClassVar[bool] = False

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        size, table = counted.sizes[counted.group], self.totals[counted.value]
        apart = np.abs(np.log(counted.rows / size * (self.n / table)))
        good, open_ = settled(float(self.delta) - apart, apart)
        for e in np.flatnonzero(open_):
            ratio = Fraction(int(counted.rows[e]) * self.n, int(size[e]) * int(table[e]))
            good[e] = at_most_exp(max(ratio, 1 / ratio), self.delta)
        met = np.ones(counted.groups, np.bool_)
        met[counted.group[~good]] = False
        return met

    def reach(self, counted: Tally) -> float | None:
        """Return the greatest |ln(q / p)|: every delta above it is met (None: there is no group)."""
        if not counted.rows.size:
            return None
        ratio = counted.rows / counted.sizes[counted.group] * (self.n / self.totals[counted.value])
        return float(np.abs(np.log(ratio)).max())

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the largest share of every value; the least share of those that a group has is for searches alone."""
        factor = math.exp(min(float(self.delta), 700.0))
        share = self.totals / self.n
        return (
            CountRule(
                family=Family.SHARES, code=self.code, totals=self.totals, share=np.minimum(share * factor, 1.0),
                presence=share / factor, exact=False,
            ),
        )  # fmt: skip
