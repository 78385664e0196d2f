"""What every question about a source problem gives: a solution is judged by its definition, and said in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from incrowd.hardness.problems.problem import Labels

__all__ = ["Question", "Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """A solution in words.

    Attributes
    ----------
    sentence : str
        What it is, such as ``a cover by 3 sets``.
    lines : tuple of str
        Its parts, by the names that the source gave them.
    facts : mapping
        The same for JSON.
    """

    sentence: str
    lines: tuple[str, ...]
    facts: dict[str, Any]


class Question:
    """A question about a source problem.

    Attributes
    ----------
    asked : str
        What a solution is, such as ``a cover``.
    goal : str
        What the number asked for says, such as ``sets of the cover at most``; empty where none is asked for.
    """

    asked: ClassVar[str]
    goal: ClassVar[str] = ""

    def solves(self, source: Any, solution: Any) -> bool:
        """Return whether it is a solution at all, by the definition; `solution` is as the way back gives it."""
        raise NotImplementedError

    def meets(self, source: Any, solution: Any, goal: int | None) -> bool:
        """Return whether a solution, of which `solves` is true, is as good as asked for.

        `goal` is the number asked for.
        """
        return True

    def tell(self, source: Any, solution: Any, labels: Labels) -> Told:
        """Return a solution, of which `solves` is true, in words.

        `labels` are the names that the source's reader gave its parts, empty without.
        """
        raise NotImplementedError
