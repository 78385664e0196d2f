"""k-anonymity: every row looks like at least k - 1 others."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.models.requirement import Distinct, LargestShare, Model, SensitiveModel

if TYPE_CHECKING:
    from fractions import Fraction

    from incrowd.tables.measures import ClassSizes
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain


ALIKE = "every row looks like at least k-1 others"


@final
@dataclass(frozen=True, slots=True)
class KAnonymity(Model):
    """Every group has at least k rows.

    Parameters
    ----------
    k : int
        At least 1. ``k=1`` asks nothing.

    Raises
    ------
    PolicyError
        If k is no whole number of at least 1.

    References
    ----------
    L. Sweeney, "k-Anonymity: A Model for Protecting Privacy", IJUFKS 10(5), 2002.
    """

    k: int = setting(dataclasses.MISSING, ALIKE, "integer", least=1, metavar="N", unit="rows")

    name = "k-anonymity"
    cites = ("Sweeney2002",)
    summary = ALIKE

    @property
    def judged(self) -> tuple[str, ...]:
        """No sensitive column: it is about the number of rows alone."""
        return ()

    def describe(self) -> str:
        """Return the requirement in words."""
        return f"k-anonymity with k={self.k}: every class has at least {self.k} row{'s' if self.k > 1 else ''}"

    @classmethod
    def reached(cls, sizes: ClassSizes) -> int | None:
        """Return the size of the smallest class, the greatest k that is met; None where there is no class."""
        return sizes.classes[0][0] if sizes.classes else None

    def failing(self, sizes: ClassSizes) -> tuple[int, int]:
        """Count the classes with fewer than k rows, and their rows."""
        small = [(size, times) for size, times in sizes.classes if size < self.k]
        return sum(times for _, times in small), sum(size * times for size, times in small)


# (alpha, k)-anonymity: no sensitive value too frequent in a class.
@final
@dataclass(frozen=True, slots=True)
class AlphaK(SensitiveModel):
    """No value of a sensitive column has more than the share alpha of a class; k is asked for beside it.

    Parameters
    ----------
    alpha : number
        Above 0 and at most 1. NULL is a value.
    column : str

    Raises
    ------
    PolicyError
        If alpha is out of range.

    Notes
    -----
    The general form, for every sensitive value; the same as frequency l-diversity with l = 1/alpha. Closed under
    union; linear in the values per class.

    References
    ----------
    R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, "(alpha, k)-Anonymity", KDD 2006.
    """

    alpha: Fraction = setting(
        dataclasses.MISSING, "largest share of one sensitive value in a class", "fraction", least=0, most=1, metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")

    name = "alpha-k"
    cites = ("WongLiFuWang2006",)
    summary = "no sensitive value in more than the share alpha of a class"

    def __post_init__(self) -> None:
        self.cleaned()
        if self.alpha == 0:
            raise PolicyError("alpha must be a number above 0 and at most 1, not 0: every row has some value")

    def describe(self) -> str:
        """Return the requirement in words."""
        share = fraction_text(self.alpha)
        return f"alpha-k-anonymity of {self.column} with alpha={share}: no value in more than {share} of a class"

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return LargestShare(limit=self.alpha, **LargestShare.parts(self, domain))


# p-sensitive k-anonymity: at least p sensitive values in every class.
@final
@dataclass(frozen=True, slots=True)
class PSensitive(SensitiveModel):
    """Every class has at least p different values of a sensitive column; k is asked for beside it.

    Parameters
    ----------
    p : int
        At least 1. NULL is a value.
    column : str

    Raises
    ------
    PolicyError
        If p is no whole number of at least 1.

    Notes
    -----
    Closed under union; linear in the values per class.

    References
    ----------
    T. M. Truta, B. Vinay, "Privacy Protection: p-Sensitive k-Anonymity Property", ICDE Workshops 2006.
    """

    p: int = setting(dataclasses.MISSING, "how many sensitive values a class needs", "integer", least=1, metavar="N")
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")

    name = "p-sensitive"
    cites = ("TrutaVinay2006",)
    summary = "at least p different sensitive values in every class"

    def describe(self) -> str:
        """Return the requirement in words."""
        return f"p-sensitivity of {self.column} with p={self.p}: at least {self.p} values in every class"

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return Distinct(least=self.p, **Distinct.parts(self, domain))
