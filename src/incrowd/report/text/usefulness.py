"""How useful a release is, in words that a data steward understands. Made from the facts alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.report.text.words import and_, percent, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


WIDTH = 100


def usefulness_summary(facts: Mapping[str, Any]) -> str:
    """Return what analysts find in a release beside what they find in its original.

    The facts are as `incrowd.results.usefulness.Usefulness.facts`. Lines have at most 100 characters.
    """
    head = (
        f"What {facts['release']!r} ({count_of(facts['released_rows'], 'row')}) still says about {facts['original']!r} "
        f"({count_of(facts['rows'], 'row')}), by {and_(facts['columns'])}."
    )
    lines = [
        textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
        for line in usefulness_points(facts)
    ]
    return "\n".join([textwrap.fill(head, WIDTH, break_on_hyphens=False), "", *lines]) + "\n"


def usefulness_points(facts: Mapping[str, Any]) -> list[str]:
    """Return what was found as sentences, a figure each.

    The facts are as `incrowd.tables.usefulness.figures.figures_of` returns them.
    """
    said = [*_counts(facts["counts"]), *_pairs(facts["associations"])]
    if facts["distinction"] is not None:
        said += _apart(facts["distinction"])
    if facts["prediction"] is not None:
        said += _predicted(facts["prediction"])
    return said + [f"{note[0].upper()}{note[1:]}." for note in facts["notes"]]


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
