"""Plans that show ranges on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.values import Plan

if TYPE_CHECKING:
    from incrowd.tables.values import Int64, Problem


@dataclass(frozen=True, slots=True, eq=False)
class RangedPlan(Plan):
    """A plan whose classes may show a run of cells in some columns, in place of those columns' levels.

    `columns`: the r ranged ones, increasing. `runs`: (g, r, 2) int64, first and last cell of each class in each of
    them; -1 where its level says what it shows: 0 the value, the top the star.
    """

    columns: tuple[int, ...]
    runs: Int64

    def paid(self, problem: Problem) -> Int64:
        """Return the scaled cost of a row of each part."""
        each = np.zeros(self.part_type.size, np.int64)
        for j, level in enumerate(problem.levels):
            own = level.cost[self.levels[self.part_class, j], problem.types.codes[self.part_type, j]]
            if j in self.columns:
                ranged = problem.ranges[j]
                assert ranged is not None
                first, last = self.runs[self.part_class, self.columns.index(j)].T
                own = np.where(first >= 0, ranged.cost(np.maximum(first, 0), np.maximum(last, 0)), own)
            each += own
        return each
