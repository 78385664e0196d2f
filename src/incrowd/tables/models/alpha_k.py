"""(alpha, k)-anonymity: no sensitive value too frequent in a class."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, final

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.models.requirement import SensitiveModel
from incrowd.tables.models.value_counts import LargestShare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["AlphaK"]


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

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[AlphaK, ...]:
        """Return the forms that an audit measures on a column with these values."""
        return (cls(Fraction(1), column),)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return LargestShare(limit=self.alpha, **LargestShare.parts(self, domain))
