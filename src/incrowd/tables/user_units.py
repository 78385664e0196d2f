"""From the whole numbers that solvers add up to the units in which a user reads a cost."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.values import Problem


CLAIMS = ("cost", "lower_bound", "lower_bound_checked")


def offset_of(problem: Problem) -> int:
    """Return the scaled cost of all rows shown as they are: 0, but for costs that have an offset (entropy)."""
    if not any(level.cost[0].any() for level in problem.levels):
        return 0
    return int((problem.row_costs(np.zeros(len(problem.levels), np.int64)) * problem.types.counts).sum())


def in_units(problem: Problem, scaled: int, offset: int | None = None) -> Fraction:
    """Return a scaled cost of a whole release, or a bound on it, in the user's units.

    It is at least 0: no release costs less than the rows as they are. `scaled` is as solvers count it, and `offset` as
    `offset_of` returns it, where that is known.
    """
    offset = offset_of(problem) if offset is None else offset
    return Fraction(max(scaled - offset, 0), problem.scale)


def claims_in_units(problem: Problem, certificate: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return a certificate, as a solver wrote it, whose claims are without the offset."""
    offset = offset_of(problem)
    if certificate is None or not offset:
        return certificate
    return {**certificate, **{claim: max(certificate[claim] - offset, 0) for claim in CLAIMS}}
