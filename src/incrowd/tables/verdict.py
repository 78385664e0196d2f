"""What the independent recount of a release found."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from incrowd.tables.verify.release.other_columns import Unchanged


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule, with the number of rows or classes that break it and the size of the smallest such class.

    Where a number of rows differs, `way` says how: ``fewer`` or ``more`` than in the original.
    """

    rule: str
    count: int
    example_group_size: int | None = None
    way: Literal["", "fewer", "more"] = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Loss:
    """Stars of a release: cells and cost, from the surely to the possibly starred ones; at which levels it is shown.

    The two differ where a star is written as NULL alone. The cost is in the user's units.
    `suppressed`: rows of stars alone. `low`, `high`: lowest and highest level of each column at which all other rows
    can be read; a column where none can has `low` above `high`. Without other rows every level can be.
    """

    violations: tuple[Violation, ...]
    cells: tuple[int, int]
    cost: tuple[Fraction, Fraction]
    suppressed: int = 0
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What the independent recount found; `violations` is empty when the release is good.

    `requirements` holds per model its ``rule``, its ``columns`` and the strictest threshold ``reached`` by every class.
    `loss`: what was starred and coarsened.
    """

    violations: tuple[Violation, ...]
    rows: int
    classes: int
    smallest: int
    largest: int
    outliers: int
    loss: Loss
    requirements: tuple[Mapping[str, Any], ...] = ()

    @property
    def ok(self) -> bool:
        """True when no rule is broken."""
        return not self.violations


@dataclass(frozen=True, slots=True)
class HeldTo:
    """What a release was held to, and what it shows beside that: a verdict says nothing of more.

    `requirements`: what was asked beside k, as a policy writes it. `quasi_identifiers`: the columns that counted.
    `kept`: the columns that passed unchanged (``columns``), the ``rows``, and ``unique_rows``: those that are unlike
    any other on these columns together.
    """

    k: int
    requirements: tuple[str, ...]
    quasi_identifiers: tuple[str, ...]
    kept: Unchanged

    def facts(self) -> dict[str, Any]:
        """Return it as plain values: ``k, asked, quasi_identifiers, kept_columns, kept_unique_rows, rows``."""
        return {
            "k": self.k,
            "asked": list(self.requirements),
            "quasi_identifiers": list(self.quasi_identifiers),
            "kept_columns": [dataclasses.asdict(column) for column in self.kept.columns],
            "kept_unique_rows": self.kept.unique_rows,
            "rows": self.kept.rows,
        }
