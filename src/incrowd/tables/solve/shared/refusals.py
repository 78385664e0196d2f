"""Why a solver will not start: the reasons that several share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Problem

__all__ = ["beyond_k"]


def beyond_k(problem: Problem) -> str | None:
    """Return why a solver that knows k-anonymity alone will not start, or None."""
    if problem.requirements:
        return "it makes releases k-anonymous and knows no further requirement"
    return None
