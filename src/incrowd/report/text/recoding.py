"""Words of a report for changed cells: one class for each recoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from incrowd import registry
from incrowd.report.text.words import percent, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["WORDS", "RecodingWords", "grid_words", "words_of"]


class RecodingWords(Protocol):
    """Words for what a cell shows that is neither its value nor surely a star."""

    @property
    def cell(self) -> str:
        """What such a cell shows, with its article."""

    @property
    def legend(self) -> str:
        """A sentence on how such cells are marked in the table of patterns, after a blank."""

    def level(self, level: int) -> str:
        """Return the name of a level, which is from 1 to below the level of a star."""

    def mark(self, level: int) -> str:
        """Return the mark of a level, from 1 to below the level of a star, in the chart of patterns."""

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return how the cost of a release is to be read, or None where it is the number of suppressed cells."""


class LevelWords:
    """Words for the labels of hierarchies."""

    cell = "a coarser label"
    legend = " A number is the level of a coarser label."

    def level(self, level: int) -> str:
        """Return the level's number."""
        return f"level {level}"

    def mark(self, level: int) -> str:
        """Return the level's number."""
        return str(level)

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return how weights and labels make the cost, where it is told and not the number of suppressed cells."""
        if "cost" not in facts:
            return None
        if facts.get("cost_name"):
            told = registry.load("costs", facts["cost_name"].partition(":")[0]).summary
            return f"cost by {facts['cost_name']}, with weights: {plain(facts['cost'])} ({told})"
        if facts["cost"] == facts["suppressed_cells"]:
            return None
        return (
            f"cost with weights and labels: {plain(facts['cost'])} (a star counts the weight of its column, a coarser "
            "label a part of it)"
        )


class RangeWords:
    """Words for ranges."""

    cell = "a range"
    legend = " ↔ is a range (or a star)."

    def level(self, level: int) -> str:
        """Return the word; a range has one level."""
        return "range"

    def mark(self, level: int) -> str:
        """Return an arrow with two ends."""
        return "↔"

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return what a range costs, and how wide the ranges are."""
        return (
            f"a cell that shows a range costs like a star, {plain(facts['cost'])} in all; the ranges are "
            f"{percent(facts['measures']['ncp'])} as wide as they could be (certainty penalty, NCP; less is better)"
        )


class GridWords(LevelWords):
    """Words for labels and for ranges on a grid, which lie on levels only to be told apart."""

    cell = "a range or a coarser label"
    legend = " A number is the level of a coarser label, or stands for ranges of a numeric column."


def grid_words(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the ranges of each column of a release end, and how that was chosen."""
    told = facts.get("grid_steps", {})
    for name, step in facts.get("grid", {}).items():
        said = f"ranges of {name} end at multiples of {step} (round)"
        if name in told:
            how = told[name]
            on = f"a sample of {how['rows']:,} rows" if how["sampled"] else "all rows"
            if not how["in_time"]:
                said += "; the time did not suffice to compare the releases of other steps: name one with --round"
            elif len(how["compared"]) > 1:
                said += f", the coarsest of 1, 2, 5, 10, 20, ... units that costs at most 1 % more than one, on {on}"
        yield said


WORDS: dict[str, RecodingWords] = {
    "levels": LevelWords(),
    "ranges": RangeWords(),
    "grid": GridWords(),
    "global": LevelWords(),
}


def words_of(facts: Mapping[str, Any]) -> RecodingWords:
    """Return the words for a release, by its facts.

    ``recoding`` is ``levels`` where it is missing in the facts. KeyError is raised if there are no words for the
    recoding.
    """
    return WORDS[facts.get("recoding", "levels")]
