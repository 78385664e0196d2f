"""Which requirements pairs and triples can answer: frequency 2-diversity of one or two sensitive columns.

A group in which no value of the column (of either column) has more than half of the rows splits into pairs and at most
one triple of rows that differ there, at no greater cost (`split`); and such pairs and triples meet the requirement.
Joined, where they show the same, they meet it too. So the least matching by pairs and triples of rows that differ is
the least release (Liang, Yuan, Theorem 11), for k = 1 and k = 2 alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int32, Problem

__all__ = ["reason_against_requirements", "sensitive_codes"]


def reason_against_requirements(problem: Problem) -> str | None:
    """Return why pairs and triples do not answer a problem's requirements, or None."""
    for requirement in problem.requirements:
        if _halves(requirement) is None:
            why = ""
            if requirement.least_values() == 2:
                why = ": two rows of one value and one of another meet it, but cannot be split"
            return f"matching covers k=2 and frequency 2-diversity, not {requirement.describe()}{why}"
    columns = len(_columns(problem))
    if columns > 2:
        return (
            f"matching covers 2-diversity of one or two sensitive columns, not of {columns}: four rows can meet "
            "three together and yet not be split"
        )
    return None


def sensitive_codes(problem: Problem) -> Int32 | None:
    """Return the values that must differ within a pair or triple; None where there is no requirement.

    They have shape (t, s), for s = 1 or 2 sensitive columns.
    """
    kinds = problem.types.kinds
    columns = _columns(problem)
    if not columns or kinds is None:
        return None
    return np.stack([code[kinds] for code in columns], axis=1).astype(np.int32)


def _columns(problem: Problem) -> list[Int32]:
    """Return the value of each kind in every column judged, each column once."""
    found: list[Int32] = []
    for requirement in problem.requirements:
        code = _halves(requirement)
        if code is not None and not any(np.array_equal(code, known) for known in found):
            found.append(code)
    return found


def _halves(requirement: Requirement) -> Int32 | None:
    """Return the value of each kind if the requirement is: no value in more than half of a group."""
    limit = requirement.share_limit()
    return requirement.code if limit is not None and 2 * limit == 1 else None
