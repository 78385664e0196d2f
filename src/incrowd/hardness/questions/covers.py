"""Covers: few sets that hold every element, or sets that hold every element once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import count_of
from incrowd.hardness.problems.problem import names_of
from incrowd.hardness.questions.question import Question, Told

if TYPE_CHECKING:
    from incrowd.hardness.problems.problem import Labels
    from incrowd.hardness.sources.set_cover import SetCover

__all__ = ["COVER", "EXACT_COVER"]


class _Cover(Question):
    asked = "a cover"
    goal = "sets of the cover at most"

    def solves(self, source: SetCover, solution: tuple[int, ...]) -> bool:
        """Return whether the sets hold every element."""
        return len(set(solution)) == len(solution) and source.covers(solution)

    def meets(self, source: SetCover, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether there are at most `goal` sets."""
        return goal is None or len(solution) <= goal

    def tell(self, source: SetCover, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return the sets by name."""
        names = names_of(labels, "sets", solution, "S")
        return Told(f"{self.asked} by {count_of(len(names), 'set')}", tuple(names), {"cover": names})


class _ExactCover(_Cover):
    asked = "an exact cover"
    goal = ""

    def solves(self, source: SetCover, solution: tuple[int, ...]) -> bool:
        """Return whether the sets hold every element once."""
        held = [u for s in set(solution) for u in source.sets[s]]
        return len(held) == len(set(held)) == source.universe


COVER = _Cover()
EXACT_COVER = _ExactCover()
