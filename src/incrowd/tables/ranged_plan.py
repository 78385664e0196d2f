"""Plans that show ranges on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Plan

if TYPE_CHECKING:
    from incrowd.tables.values import Int64, Problem

__all__ = ["RangedPlan"]


@dataclass(frozen=True, slots=True, eq=False)
class RangedPlan(Plan):
    """A plan whose groups may show a run of cells in one column, in place of that column's level.

    Attributes
    ----------
    column : int
    runs : (g, 2) int64
        First and last cell of each group; -1 where its level says what it shows: 0 the value, the top the star.
    """

    column: int
    runs: Int64

    def cost(self, problem: Problem) -> int:
        """Return the scaled cost, recounted part by part."""
        ranged = problem.ranges[self.column]
        assert ranged is not None
        total = 0
        for j, level in enumerate(problem.levels):
            codes = problem.types.codes[self.part_type, j]
            each = level.cost[self.levels[self.part_group, j], codes]
            if j == self.column:
                first, last = self.runs[self.part_group].T
                shown = first >= 0
                each = np.where(shown, ranged.cost(np.maximum(first, 0), np.maximum(last, 0)), each)
            total += int((each * self.part_rows).sum())
        return total
