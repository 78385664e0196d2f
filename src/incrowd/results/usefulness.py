"""How useful a release was found to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from incrowd.report.text.usefulness import usefulness_summary
from incrowd.report.text.words import percent

__all__ = ["Usefulness"]


@dataclass(frozen=True, slots=True)
class Usefulness:
    """What analysts would find in a release, beside what they would find in the original.

    Attributes
    ----------
    facts : dict
        Everything, as in ``--json``: names and numbers, never a cell.
    """

    facts: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Usefulness: counts off by {percent(self.counts['mean'])} on average>"

    @property
    def counts(self) -> dict[str, Any]:
        """Relative errors of random counts, as `incrowd.tables.usefulness.count_queries.CountErrors`."""
        return dict(self.facts["counts"])

    @property
    def associations(self) -> dict[str, Any]:
        """Differences of associations between columns, 0 to 1."""
        return dict(self.facts["associations"])

    @property
    def distinction(self) -> dict[str, Any] | None:
        """How well a model tells the two tables apart; None where none was asked."""
        return self.facts["distinction"]  # type: ignore[no-any-return]

    @property
    def prediction(self) -> dict[str, Any] | None:
        """How well a model that learned from the release predicts the target; None without a target."""
        return self.facts["prediction"]  # type: ignore[no-any-return]

    def summary(self) -> str:
        """Return it in words."""
        return usefulness_summary(self.facts)

    def to_json(self) -> str:
        """Return the facts as ``--json`` prints them."""
        return json.dumps(self.facts, indent=2)
