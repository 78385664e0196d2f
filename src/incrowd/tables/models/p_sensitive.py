"""p-sensitive k-anonymity: at least p sensitive values in every class."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from incrowd.settings import setting
from incrowd.tables.models.requirement import SensitiveModel
from incrowd.tables.models.value_counts import Distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["PSensitive"]


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

    def __post_init__(self) -> None:
        self.cleaned()

    def describe(self) -> str:
        """Return the requirement in words."""
        return f"p-sensitivity of {self.column} with p={self.p}: at least {self.p} values in every class"

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[PSensitive, ...]:
        """Return the forms that an audit measures on a column with these values."""
        return (cls(1, column),)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        return Distinct(least=self.p, **Distinct.parts(self, domain))
