"""k-anonymity: every row looks like at least k - 1 others."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from incrowd.errors import PolicyError
from incrowd.settings import clean, setting, settings_of

if TYPE_CHECKING:
    from incrowd.tables.measures.class_table import AuditedClasses

__all__ = ["KAnonymity"]


@final
@dataclass(frozen=True, slots=True)
class KAnonymity:
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

    k: int = setting(
        dataclasses.MISSING, "every row looks like at least k-1 others", "integer", least=1, metavar="N",
        unit="rows",
    )  # fmt: skip

    name = "k-anonymity"
    cites = ("Sweeney2002",)
    summary = "every row looks like at least k-1 others"

    def __post_init__(self) -> None:
        if self.k is None:
            raise PolicyError("k must be a whole number of at least 1, not None")
        object.__setattr__(self, "k", clean(settings_of(KAnonymity)["k"], "k", self.k))

    @property
    def judged(self) -> tuple[str, ...]:
        """No sensitive column: it is about the number of rows alone."""
        return ()

    @property
    def rule(self) -> str:
        """Itself as it is written in a policy."""
        return f"{self.name} k={self.k}"

    def describe(self) -> str:
        """Return the requirement in words."""
        return f"k-anonymity with k={self.k}: every class has at least {self.k} row{'s' if self.k > 1 else ''}"

    @classmethod
    def reached(cls, classes: AuditedClasses) -> int | None:
        """Return the size of the smallest class, the greatest k that is met.

        Parameters
        ----------
        classes : AuditedClasses

        Returns
        -------
        int or None
            None where there is no class.
        """
        return classes.sizes.classes[0][0] if classes.sizes.classes else None

    def failing(self, classes: AuditedClasses) -> tuple[int, int]:
        """Count the classes with fewer than k rows.

        Parameters
        ----------
        classes : AuditedClasses

        Returns
        -------
        classes, rows : int
        """
        small = [(size, times) for size, times in classes.sizes.classes if size < self.k]
        return sum(times for _, times in small), sum(size * times for size, times in small)
