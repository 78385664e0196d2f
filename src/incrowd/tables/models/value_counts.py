"""Requirements on how often values occur in a group: largest share, distinct and recursive, bound to a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.linear_rows import LinearRows
from incrowd.tables.models.requirement import ColumnRequirement, Tally, largest_ratio, wide

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.tables.values import Int32, Int64

__all__ = ["Distinct", "LargestShare", "Recursive", "share_rows", "tails"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LargestShare(ColumnRequirement):
    """No value has more than a share of a group's rows: largest <= limit * size.

    Attributes
    ----------
    limit : Fraction
        Above 0 and at most 1.
    diversity : bool
        Whether what is reached is given as l = 1 / share.
    """

    limit: Fraction
    diversity: bool = False

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        up, down = self.limit.numerator, self.limit.denominator
        kind = wide(max(up, down) * int(counted.sizes.max(initial=0)))
        met: NDArray[np.bool_] = counted.largest().astype(kind) * down <= counted.sizes.astype(kind) * up
        return met.astype(np.bool_)

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the least share (as a diversity: the greatest l) that every group meets."""
        shown = counted.sizes > 0
        worst = largest_ratio(counted.largest()[shown], counted.sizes[shown])
        return 1 / worst if worst is not None and self.diversity else worst

    def share_limit(self) -> Fraction | None:
        """Return the share of a group that no value may exceed."""
        return self.limit

    def linear_rows(self) -> LinearRows:
        """Return c_v <= limit N for every value v."""
        return share_rows(self.code, np.full(self.totals.size, float(self.limit)))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the share of every value."""
        share = np.full(self.totals.size, float(self.limit))
        return (CountRule(family=Family.SHARES, code=self.code, totals=self.totals, share=share),)


def share_rows(code: Int32, share: NDArray[np.float64]) -> LinearRows:
    """Return the rows c_v <= share_v N for every value v.

    `code`, (c,), is the value of each kind; `share`, (d,), is the largest share of a group's rows, per value.
    """
    return LinearRows.of(code, np.eye(share.size), -share)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distinct(ColumnRequirement):
    """Every group has at least `least` different values.

    Attributes
    ----------
    least : int
        From 1.
    """

    least: int

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        met: NDArray[np.bool_] = (counted.distinct() >= self.least) | (counted.sizes == 0)
        return met

    def reach(self, counted: Tally) -> int | None:
        """Return the fewest values of any group."""
        shown = counted.distinct()[counted.sizes > 0]
        return int(shown.min()) if shown.size else None

    def least_values(self) -> int | None:
        """Return how many different values a group needs."""
        return self.least

    def linear_rows(self) -> LinearRows:
        """Return z_v <= c_v for every value v, z_v 0 or 1, and sum z_v >= least u."""
        values = self.totals.size
        counts = np.concatenate((-np.eye(values), np.zeros((1, values))))
        extra = np.concatenate((np.eye(values), -np.ones((1, values))))
        opened = np.concatenate((np.zeros(values), [self.least]))
        return LinearRows.of(self.code, counts, np.zeros(values + 1), extra, opened=opened, binary=True)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return how many values a group needs."""
        return (CountRule(family=Family.DISTINCT, code=self.code, totals=self.totals, least=self.least),)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recursive(ColumnRequirement):
    """With r1 >= r2 >= ... the rows of a group's values: r1 < c (r_l + r_(l+1) + ...).

    Attributes
    ----------
    l : int
        From 1.
    c : Fraction
        Above 0.
    """

    l: int  # noqa: E741
    c: Fraction
    by_cuts: ClassVar[bool] = True

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

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return itself in floating point."""
        return (
            CountRule(
                family=Family.RECURSIVE, code=self.code, totals=self.totals, least=self.l, level=float(self.c)
            ),
        )  # fmt: skip

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these counts, shape (v,).

        Notes
        -----
        The right side is c (N - the l - 1 largest), so for every value v and every set T of l - 1 values a group has
        c_v + c sum_(u in T) c_u < c N. With c = a / b all is whole, so the slack is at least 1, and at least N / n. A
        group that fails is cut off by its largest values.
        """
        order = np.argsort(-counts, kind="stable")
        row = np.zeros(counts.size)
        row[order[0]] += 1
        row[order[: self.l - 1]] += float(self.c)
        return LinearRows.of(self.code, row[None, :], [1 / (self.c.denominator * self.n) - float(self.c)])


def tails(counted: Tally, l: int) -> Int64:  # noqa: E741
    """Count the rows of all but the l - 1 most frequent values of each group, (groups,); `l` is at least 1."""
    order = np.lexsort((-counted.rows, counted.group))
    rank = np.arange(order.size) - counted.begins()[counted.group]
    tail = np.zeros(counted.groups, np.int64)
    late = rank >= l - 1
    np.add.at(tail, counted.group[late], counted.rows[order][late])
    return tail
