"""Why a solver will not start, or ends without a release: the reasons that several share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import Infeasible
from incrowd.tables.solve.shared.requirement_check import requirements_in_words

if TYPE_CHECKING:
    from incrowd.tables.values import Problem

__all__ = ["beyond_k", "none_by_program", "none_in_time"]


def beyond_k(problem: Problem) -> str | None:
    """Return why a solver that knows k-anonymity alone will not start, or None."""
    if problem.requirements:
        return "it makes releases k-anonymous and knows no further requirement"
    return None


def none_by_program(problem: Problem) -> Infeasible:
    """Return the error that says there is no release, by an integer program's word."""
    return Infeasible(
        f"no release meets {requirements_in_words(problem)} under this mask, by the word of an integer program; "
        "allow full suppression, allow more patterns or ask for less",
        requirement=requirements_in_words(problem),
        proven=False,
    )


def none_in_time(problem: Problem) -> Infeasible:
    """Return the error that says no release was found, where more time may find one."""
    return Infeasible(
        f"no release with {requirements_in_words(problem)} was found in time; allow full suppression or give more time",
        requirement=requirements_in_words(problem),
        proven=False,
    )
