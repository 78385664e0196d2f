"""What a release under one level vector comes to.

A class that has fewer than k rows, or fails a requirement, is suppressed whole; every other class is shown at the
vector. So a vector has one release or none: none where the suppressed rows are more than may be, have no place in the
mask, lack the crowd that ``outliers="forbid"`` asks for, or fail a requirement as the one class that they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.requirement_check import kinds_meet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.global_recoding.class_tables import ClassTables, Grouped
    from incrowd.tables.values import Int64, Problem

__all__ = ["Found", "VectorReleases"]


@dataclass(frozen=True, slots=True)
class Found:
    """A vector's release.

    Attributes
    ----------
    suppressed : int
        Fully suppressed rows.
    cost : int
        Scaled cost.
    fits : bool
        Whether it is a release but for the limit on suppressed rows.
    within : bool
        Whether it keeps that limit.
    """

    suppressed: int
    cost: int
    fits: bool
    within: bool

    @property
    def good(self) -> bool:
        """Whether it is a release."""
        return self.fits and self.within


class VectorReleases:
    """The releases of a problem under single level vectors."""

    def __init__(self, problem: Problem, tables: ClassTables) -> None:
        self.problem, self.tables = problem, tables
        self.full = sum(int(level.cost[-1].max(initial=0)) for level in problem.levels)
        counts = problem.types.counts
        self.totals = [
            [int((line[problem.types.codes[:, j]] * counts).sum()) for line in level.cost]
            for j, level in enumerate(problem.levels)
        ]
        self.most = problem.types.n if problem.most_suppressed is None else problem.most_suppressed
        self.stars = problem.patterns.allows_full_suppression

    def shown_cost(self, vector: Sequence[int]) -> int:
        """Return what all rows cost when they are shown under a vector, (m,): no release under it costs less."""
        return sum(total[level] for total, level in zip(self.totals, vector, strict=True))

    def at(self, vector: Sequence[int]) -> Found:
        """Return the release of a vector, (m,)."""
        grouped = self.tables.under(vector)
        failing = self.failing(grouped)
        starred = all(a == top for a, top in zip(vector, self.problem.top, strict=True)) and any(self.problem.top)
        if starred:
            return Found(
                self.problem.types.n, self.shown_cost(vector), not failing.any(), self.problem.types.n <= self.most
            )
        rows = grouped.size[failing]
        suppressed = int(rows.sum())
        cost = self.shown_cost(vector) + suppressed * self.full
        for j, level in enumerate(self.problem.levels):
            paid = level.cost[int(vector[j])][self.problem.types.codes[grouped.first[failing], j]]
            cost -= int((paid * rows).sum())
        return Found(suppressed, cost, self._fits(grouped, failing, suppressed), suppressed <= self.most)

    def failing(self, grouped: Grouped) -> NDArray[np.bool_]:
        """Return which classes have too few rows or fail a requirement, shape (c,)."""
        small: NDArray[np.bool_] = grouped.size < self.problem.k
        if not self.problem.requirements:
            return small
        kinds = self.tables.kinds[grouped.types]
        return small | ~kinds_meet(self.problem, grouped.number, kinds, grouped.rows, len(grouped.size))

    def _fits(self, grouped: Grouped, failing: NDArray[np.bool_], suppressed: int) -> bool:
        """Return whether the suppressed rows may stand as the class that they are."""
        if not suppressed:
            return True
        if not self.stars or (self.problem.outliers == "forbid" and suppressed < self.problem.k):
            return False
        if not self.problem.requirements:
            return True
        out = failing[grouped.number]
        one: Int64 = np.zeros(int(out.sum()), np.int64)
        return bool(kinds_meet(self.problem, one, self.tables.kinds[grouped.types[out]], grouped.rows[out], 1)[0])
