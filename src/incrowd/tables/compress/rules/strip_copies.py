"""The kernelization of Blocki and Williams, literally: k equal rows at a time go into a group of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.compress.rules.reduction import Reduced, reason_against_copies, with_copies, without_copies

if TYPE_CHECKING:
    from incrowd.tables.values import Plan, Problem

__all__ = ["StripCopies"]


@dataclass(frozen=True, kw_only=True)
class StripCopies:
    """Algorithm 1: while a row type has more than 2 k^2 2^m copies, k of them are released as they are.

    Notes
    -----
    2^m counts the patterns of suppression; with hierarchies it is the number of all level vectors. Lemma 2: with
    k (2k - 1) 2^m copies some optimum has a group of that row type alone. Groups have fewer than 2k rows (larger ones
    are two that show the same), so otherwise k 2^m groups hold the row and k of them show the same; one copy from
    each, k in all, can leave their union, in which k rows stay, for a group of their own, at no cost. That the optimum
    stays the same (Lemma 3) follows most shortly from `cap_copies`: before and after there are more copies than its
    cap. O(t) time. `CapCopies` leaves far fewer rows.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Algorithm 1, Lemmas 2, 3.
    """

    def declines(self, problem: Problem) -> str | None:
        """Return why the rule does not apply, or None."""
        return reason_against_copies(problem)

    def most_copies(self, problem: Problem) -> int:
        """Return the copies of a row type that stay at most: 2 k^2 2^m, with hierarchies all level vectors for 2^m."""
        return 2 * problem.k * problem.k * math.prod(level.height + 1 for level in problem.levels)

    def reduce(self, problem: Problem) -> Reduced:
        """Return the smaller problem with the way back; `problem` is one that `declines` lets pass."""
        k, counts = problem.k, problem.types.counts
        most = min(self.most_copies(problem), int(counts.max(initial=0)))
        copies = np.where(counts > most, -(-(counts - most) // k) * k, 0).astype(np.int64)

        def back(plan: Plan) -> Plan:
            return with_copies(plan, copies)

        return Reduced(without_copies(problem, copies), back, int(copies.sum()))
