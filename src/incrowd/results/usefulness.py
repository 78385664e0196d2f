"""How useful a release was found to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.policy.python_calls import lines_in_python
from incrowd.report.text.usefulness import usefulness_summary
from incrowd.report.text.words import percent

if TYPE_CHECKING:
    from collections.abc import Mapping


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
        """Relative errors of random counts, as `incrowd.tables.usefulness.figures.CountErrors`."""
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
        return lines_in_python(self.shell_summary())

    def shell_summary(self) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        return usefulness_summary(self.facts)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.page import usefulness_card

        return usefulness_card(self.facts)

    def to_json(self) -> str:
        """Return the facts as ``--json`` prints them, the most asked ones by short names before."""
        return json.dumps(short_names(self.facts) | self.facts | _associations(self.facts), indent=2)


def short_names(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures that are asked most by short names; None where a model was not asked.

    The facts are those of a `Usefulness`. The names are ``queries {median, mean, p90, noise, by_marginal}``, ``pmse``,
    ``pmse_ratio``, ``pmse_noise`` and ``classifier {target, original, release, majority, noise}``.
    """
    counts, apart, learned = facts["counts"], facts["distinction"], facts["prediction"]
    return {
        "queries": {
            "median": counts["median"],
            "mean": counts["mean"],
            "p90": counts["p90"],
            "noise": counts["mean_of_noise"],
            "by_marginal": counts["mean_by_shares"],
        },
        "pmse": None if apart is None else apart["pmse"],
        "pmse_ratio": None if apart is None else apart["ratio"],
        "pmse_noise": None if apart is None else apart["pmse_of_noise"],
        "classifier": None
        if learned is None
        else {
            "target": learned["target"],
            "original": learned["of_original"],
            "release": learned["accuracy"],
            "majority": learned["of_guess"],
            "noise": learned["noise"],
        },
    }


def _associations(facts: Mapping[str, Any]) -> dict[str, Any]:
    pairs = facts["associations"]
    return {"associations": {"max": pairs["largest"], "noise": pairs["mean_of_noise"], **pairs}}
