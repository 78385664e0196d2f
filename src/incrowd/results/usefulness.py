"""How useful a release was found to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import and_, count_of
from incrowd.report.document import Card, Document, Verdict
from incrowd.report.result import Result, if_asked
from incrowd.report.words import percent, plain, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# what the JSON calls figures, by their own names
OF_COUNTS = {
    "median": "median",
    "mean": "mean",
    "p90": "p90",
    "noise": "mean_of_noise",
    "by_marginal": "mean_by_shares",
}
OF_MODELS = {
    "target": "target",
    "original": "of_original",
    "release": "accuracy",
    "majority": "of_guess",
    "noise": "noise",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Usefulness(Result):
    """What analysts would find in a release, beside what they would find in the original: names and numbers.

    Attributes
    ----------
    counts
        Relative errors of random counts, as `incrowd.tables.usefulness.figures.count_errors`.
    associations
        Differences of associations between columns, 0 to 1.
    distinction
        How well a model tells the two tables apart; None where none was asked.
    prediction
        How well a model that learned from the release predicts the target; None without a target.
    """

    original: str
    release: str
    rows: int
    released_rows: int
    columns: Sequence[str]
    counts: dict[str, Any]
    associations: dict[str, Any]
    distinction: dict[str, Any] | None
    prediction: dict[str, Any] | None
    seed: int
    notes: Sequence[str]
    seconds: Mapping[str, float] | None = if_asked()
    peak_mb: float | None = if_asked()
    version: str

    def __repr__(self) -> str:
        return f"<Usefulness: counts off by {percent(self.counts['mean'])} on average>"

    def to_json(self) -> str:
        """Return the facts as ``--json`` prints them, the most asked ones by short names before."""
        counts, pairs, apart, learned = self.counts, self.associations, self.distinction or {}, self.prediction
        first = {
            "queries": {short: counts[name] for short, name in OF_COUNTS.items()},
            "pmse": apart.get("pmse"),
            "pmse_ratio": apart.get("ratio"),
            "pmse_noise": apart.get("pmse_of_noise"),
            "classifier": learned and {short: learned[name] for short, name in OF_MODELS.items()},
        }
        named = {"associations": {"max": pairs["largest"], "noise": pairs["mean_of_noise"], **pairs}}
        return json.dumps(first | self.facts | named, indent=2, ensure_ascii=False)

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        opening = (
            f"What {self.release!r} ({count_of(self.released_rows, 'row')}) still says about {self.original!r} "
            f"({count_of(self.rows, 'row')}), by {and_(self.columns)}."
        )
        headline = "What analyses of the release would find, beside those of the original."
        verdict = Verdict("told", headline, usefulness_points(self.facts))
        cards = [
            Card(percent(self.counts["mean"]), "error of random counts on average"),
            Card(percent(self.counts["mean_of_noise"]), "the same of another sample of as many people"),
        ]
        title = f"Usefulness of {self.release!r}"
        return Document(title, [opening], verdict, cards if self.counts["queries"] else [])


def usefulness_points(facts: Mapping[str, Any]) -> list[str]:
    """Return what was found as sentences, a figure each.

    The facts are as `incrowd.tables.usefulness.figures.figures_of` returns them.
    """
    said = [*_counts(facts["counts"]), *_pairs(facts["associations"])]
    if facts["distinction"] is not None:
        said += _apart(facts["distinction"])
    if facts["prediction"] is not None:
        said += _predicted(facts["prediction"])
    return said + sentences(facts["notes"])


def _counts(counts: Mapping[str, Any]) -> Iterator[str]:
    if not counts["queries"]:
        yield f"Counts: no random selection holds {count_of(counts['least'], 'row')}, so none was asked."
        return
    yield (
        f"Counts: asked {count_of(counts['queries'], 'random question')} of how many rows have certain values in one "
        f"to three columns (true answer {counts['least']} at least), the release is off by {percent(counts['mean'])} "
        f"on average, half of the time by at most {percent(counts['median'])}."
    )
    yield (
        f"Whoever knows how frequent each value is and reads labels and stars by that is off by "
        f"{percent(counts['mean_by_shares'])} on average. Another sample of as many people would be off by "
        f"{percent(counts['mean_of_noise'])}: {_times(counts['mean'], counts['mean_of_noise'])}."
    )


def _pairs(pairs: Mapping[str, Any]) -> Iterator[str]:
    if not pairs["pairs"]:
        return
    yield (
        f"Associations: how strongly two columns go together (Cramer's V, 0 to 1) is off by "
        f"{plain(_two(pairs['mean']))} on average over {count_of(pairs['pairs'], 'pair')}, most for "
        f"{and_(pairs['furthest'])}: "
        f"{plain(_two(pairs['of_release']))} in place of {plain(_two(pairs['of_original']))}. Another sample would "
        f"be off by {plain(_two(pairs['mean_of_noise']))} on average."
    )


def _apart(apart: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"Telling apart: a model that guesses which of the two tables a row is from has a propensity error (pMSE) of "
        f"{plain(_two(apart['pmse']))}, from 0 (it cannot tell) to 0.25 (it always can); another sample gives "
        f"{plain(_two(apart['pmse_of_noise']))}."
    )


def _predicted(found: Mapping[str, Any]) -> Iterator[str]:
    if not found["repeats"]:
        return
    yield (
        f"Prediction: a model that learned {found['target']} from the release is right for "
        f"{percent(found['accuracy'])} of the original's rows; one that learned from the original for "
        f"{percent(found['of_original'])} (give or take {percent(found['noise'])}), guessing the most frequent value "
        f"for {percent(found['of_guess'])}."
    )


def _times(error: float, noise: float) -> str:
    """Return an error held against the noise, in words."""
    if error <= noise * 1.2:
        return "the release is as good as another sample"
    return f"the release errs {plain(round(error / noise, 1))} times as much" if noise else "the release errs more"


def _two(value: float) -> float:
    """Return a figure with two places that say something."""
    return float(f"{value:.2g}")
