"""Diversity by counts: frequency, distinct and recursive, bound to a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.models.requirement import ColumnRequirement, Tally, largest_ratio, wide

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.tables.values import Int64

__all__ = ["Distinct", "Frequency", "Recursive", "tails"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Frequency(ColumnRequirement):
    """No value has more than 1/l of a group's rows: l * largest <= size."""

    l: Fraction  # noqa: E741

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        most, part = self.l.numerator, self.l.denominator
        kind = wide(max(most, part) * int(counted.sizes.max(initial=0)))
        met: NDArray[np.bool_] = counted.largest().astype(kind) * most <= counted.sizes.astype(kind) * part
        return met.astype(np.bool_)

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the greatest l that every group meets."""
        shown = counted.sizes > 0
        worst = largest_ratio(counted.largest()[shown], counted.sizes[shown])
        return None if worst is None else 1 / worst


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distinct(ColumnRequirement):
    """Every group has at least `least` different values."""

    least: int

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        met: NDArray[np.bool_] = (counted.distinct() >= self.least) | (counted.sizes == 0)
        return met

    def reach(self, counted: Tally) -> int | None:
        """Return the fewest values of any group."""
        shown = counted.distinct()[counted.sizes > 0]
        return int(shown.min()) if shown.size else None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recursive(ColumnRequirement):
    """With r1 >= r2 >= ... the rows of a group's values: r1 < c (r_l + r_(l+1) + ...)."""

    l: int  # noqa: E741
    c: Fraction

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        met = self._below(counted.largest(), tails(counted, self.l))
        met |= counted.sizes == 0
        return met

    def _below(self, first: Int64, tail: Int64) -> NDArray[np.bool_]:
        up, down = self.c.numerator, self.c.denominator
        kind = wide(max(up, down) * int(max(first.max(initial=0), tail.max(initial=0))))
        met: NDArray[np.bool_] = first.astype(kind) * down < tail.astype(kind) * up
        return met.astype(np.bool_)

    def reach(self, counted: Tally) -> int | None:
        """Return the greatest l that every group meets with this c (0: not even l=1; None: there is no group)."""
        shown = counted.sizes > 0
        if not shown.any():
            return None
        first, most = counted.largest(), int(counted.distinct()[shown].min())
        low, high = 0, most
        while low < high:
            l = (low + high + 1) // 2  # noqa: E741
            if self._below(first, tails(counted, l))[shown].all():
                low = l
            else:
                high = l - 1
        return low


def tails(counted: Tally, l: int) -> Int64:  # noqa: E741
    """Return the rows of all but the l - 1 most frequent values of each group, shape (groups,)."""
    order = np.lexsort((-counted.rows, counted.group))
    rank = np.arange(order.size) - counted.begins()[counted.group]
    tail = np.zeros(counted.groups, np.int64)
    late = rank >= l - 1
    np.add.at(tail, counted.group[late], counted.rows[order][late])
    return tail
