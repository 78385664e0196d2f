"""The rows of a plan's classes, for methods that move one row at a time from class to class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.requirement_check import meets
from incrowd.tables.values import Plan

if TYPE_CHECKING:
    from incrowd.tables.values import Problem

__all__ = ["MovableRows"]


class MovableRows:
    """Which rows of which types each class holds; changed by moves, and a plan again at the end.

    Attributes
    ----------
    sizes : (g,) int64
        Rows of each class.
    """

    def __init__(self, problem: Problem, plan: Plan) -> None:
        self._problem = problem
        self._levels = plan.levels
        order = np.argsort(plan.part_group, kind="stable")
        start = np.concatenate(([0], np.cumsum(np.bincount(plan.part_group, minlength=plan.groups))))
        self._parts = (plan.part_type[order], plan.part_rows[order], start)
        self._held: dict[int, dict[int, int]] = {}
        self.sizes = plan.sizes()

    def held(self, group: int) -> dict[int, int]:
        """Return the rows by type of a class."""
        found = self._held.get(group)
        if found is None:
            types, rows, start = self._parts
            here = slice(start[group], start[group + 1])
            found = self._held[group] = dict(zip(types[here].tolist(), rows[here].tolist(), strict=True))
        return found

    def showing(self, group: int, column: int, level: int, node: int) -> int:
        """Return how many rows of a class have a value under a node."""
        up, codes = self._problem.levels[column].up[level], self._problem.types.codes
        return sum(rows for one, rows in self.held(group).items() if up[codes[one, column]] == node)

    def move(self, low: int, high: int, chance: float) -> bool:
        """Move a random row of one class to another that covers it; return whether both still meet what is required.

        That `low` stays large enough is the caller's to see to. `chance`, from 0 to below 1, says which row.
        """
        at = int(chance * self.sizes[low])
        for one, rows in self.held(low).items():
            at -= rows
            if at < 0:
                return self._moved(low, high, {one: 1})
        return False

    def move_all(self, low: int, high: int) -> bool:
        """Move all rows of one class to another that covers it; return whether that meets what is required."""
        return self._moved(low, high, dict(self.held(low)))

    def plan(self) -> Plan:
        """Return the plan; classes without rows are gone."""
        types, rows, start = self._parts
        group = np.repeat(np.arange(len(self.sizes)), np.diff(start))
        stay = ~np.isin(group, list(self._held))
        moved = [(one, g, count) for g, held in self._held.items() for one, count in held.items() if count]
        more = np.array(moved, np.int64).reshape(len(moved), 3)
        types = np.concatenate((types[stay], more[:, 0]))
        group = np.concatenate((group[stay], more[:, 1]))
        rows = np.concatenate((rows[stay], more[:, 2]))
        kept, group = np.unique(group, return_inverse=True)
        group = group.reshape(-1)
        order = np.lexsort((group, types))
        return Plan(
            np.ascontiguousarray(self._levels[kept]), types[order].astype(np.int32), group[order].astype(np.int32),
            rows[order].astype(np.int64),
        )  # fmt: skip

    def _moved(self, low: int, high: int, some: dict[int, int]) -> bool:
        self._shift(low, high, some, 1)
        if self._meets(low) and self._meets(high):
            return True
        self._shift(low, high, some, -1)
        return False

    def _shift(self, low: int, high: int, some: dict[int, int], sign: int) -> None:
        giver, taker = self.held(low), self.held(high)
        for one, rows in some.items():
            giver[one] = giver.get(one, 0) - sign * rows
            taker[one] = taker.get(one, 0) + sign * rows
        total = sign * sum(some.values())
        self.sizes[low] -= total
        self.sizes[high] += total

    def _meets(self, group: int) -> bool:
        if not self._problem.requirements or not self.sizes[group]:
            return True
        held = {one: rows for one, rows in self.held(group).items() if rows}
        types = np.fromiter(held.keys(), np.int64, len(held))
        rows = np.fromiter(held.values(), np.int64, len(held))
        return bool(meets(self._problem, np.zeros(len(held), np.int64), types, rows, 1).all())
