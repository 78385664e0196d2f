"""What an independent recount of a release found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.report.text.words import and_, at_least, plain

if TYPE_CHECKING:
    from fractions import Fraction

    from incrowd.proved.check import Proved
    from incrowd.tables.verdict import HeldTo, Violation


@dataclass(frozen=True, slots=True)
class Checked:
    """What an independent recount found.

    `violations`: empty when the release is good. `cost`, `lower_bound`: in the user's units, recounted; only with a
    certificate, and None where its recount was ended before. `proven`: whether the whole claimed bound was recounted;
    only with a certificate. `question`, `k`: what the bound is about: ``"k-anonymity"`` with that k, ``"k-anonymity and
    the requirements"``, or ``"2-diversity"`` (no sensitive value in more than half of a class); only with a
    certificate. `notes`: what to know of how the original was read; names and counts only. `requirements`: what the
    bound is about beside k, as the policy writes it. `proved`: what the program whose correctness is machine-proved
    says; only where it was to be asked. `held`: what the release was held to.
    """

    violations: tuple[Violation, ...]
    cost: Fraction | None = None
    lower_bound: Fraction | None = None
    proven: bool | None = None
    question: str | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    proved: Proved | None = None
    held: HeldTo | None = None


class Violations(list["Violation"]):
    """Violations of a release, empty when it is good; with a certificate also what was recounted of it.

    `cost`, `lower_bound`: in the user's units. `proven`: whether the whole claimed bound was recounted. `question`,
    `k`: what the bound is about: ``"k-anonymity"`` with that k, ``"k-anonymity and the requirements"``, or
    ``"2-diversity"``. `notes`: what to know of how the original was read; names of columns and counts only.
    `requirements`: what the bound is about beside k, as the policy writes it. `proved`: what the program whose
    correctness is machine-proved says; None where it was not asked. `held`: what the release was held to: k, what was
    asked beside it, the columns that counted, and those that passed unchanged with the rows that are unique on them.
    """

    cost: Fraction | None = None
    lower_bound: Fraction | None = None
    proven: bool | None = None
    question: str | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    proved: Proved | None = None
    held: HeldTo | None = None

    def _repr_html_(self) -> str:
        from incrowd.report.pages.page import violations_card

        cards = []
        if self.held is not None:
            kept = self.held.kept
            cards.append((f"k = {self.held.k:,}", f"on {and_(self.held.quasi_identifiers)}"))
            cards.append((f"{kept.unique_rows:,} of {kept.rows:,} rows", "are unique on what passed unchanged"))
        if self.cost is not None:
            cards.append(
                (
                    plain(self.cost) if self.cost != self.lower_bound else at_least(self.cost),
                    "what the release costs, recounted",
                )
            )
        if self.lower_bound is not None:
            whole = "" if self.proven else " (a part of the claimed bound)"
            cards.append((at_least(self.lower_bound), f"no release costs less, recounted{whole}"))
        return violations_card(self, cards)

    @classmethod
    def of(cls, checked: Checked) -> Violations:
        """Return the violations of a recount as a list that carries the rest; `checked` is what the recount found."""
        found = cls(checked.violations)
        found.cost, found.lower_bound, found.proven = checked.cost, checked.lower_bound, checked.proven
        found.question, found.k = checked.question, checked.k
        found.notes, found.requirements, found.proved = checked.notes, checked.requirements, checked.proved
        found.held = checked.held
        return found
