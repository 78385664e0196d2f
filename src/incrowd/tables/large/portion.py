"""One portion of a plan solved anew in memory: arrays in, lines out, and no engine, so that an executor can do it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from incrowd.tables.large.leftovers import parts_of, problem_of
from incrowd.tables.large.portion_prices import SEARCH, PriceList
from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.large.portion_prices import PriceUnit
    from incrowd.tables.large.words import Layout
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["Anew", "PortionSearch"]


@dataclass(frozen=True, slots=True, eq=False)
class Anew:
    """What became of a portion.

    Attributes
    ----------
    before, cost : int
        What it cost and what it costs now, scaled.
    starred, leaves : int
        Its fully suppressed rows before and now.
    bound : int
        What any release of it alone costs at least, scaled.
    groups : int
        How many groups it has now.
    per_row : int
        Its part of the table's per-row bound, scaled; 0 where no prices are wanted.
    proven : int
        What its prices prove of it alone, in parts of the table's prices; 0 where none are wanted.
    """

    before: int
    cost: int
    starred: int
    leaves: int
    bound: int
    groups: int
    per_row: int = 0
    proven: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PortionSearch:
    """How portions of one plan are solved.

    Attributes
    ----------
    problem : Problem
        Of the whole table; its row types are not looked at.
    layout : Layout
    vectors : tuple of tuple of int
        Of the plan, by ``seq``.
    free : bool
        Whether fully suppressed rows of a portion need no crowd.
    search : Auto or Improve
        What solves one, from its part of the plan on.
    unit : PriceUnit or None
        In what its prices are; None where none are wanted.
    """

    problem: Problem
    layout: Layout
    vectors: tuple[tuple[int, ...], ...]
    free: bool
    search: Auto | Improve
    unit: PriceUnit | None = None

    def solve(
        self, lines: dict[str, Int64], vectors: list[tuple[int, ...]], watch: Watch
    ) -> tuple[Anew, pa.Table | None, pa.Table | None] | None:
        """Solve a portion anew; None where its rows are fewer than k, which are fully suppressed and need no crowd.

        `lines` has arrays of shape (t,): words, ``n``, ``group`` and ``seq``, in the order of words and groups, and
        where prices are wanted also ``best``, what a row of the type costs at least. `vectors` are level vectors that
        begin with the plan's, and grow by those that are new in what costs less.

        The first table has lines of `Settled.parts` with groups from 0 on, and is None unless they cost less. The
        second has words and the price ``p`` of every row type, and is None where none are wanted.
        """
        if int(lines["n"].sum()) < self.problem.k:
            return None
        small, now, named = self._now(lines)
        before = now.cost(small)
        first = Solution(now, Bound(0, 0, "none"), "heuristic", "greedy", {})
        best = self.search.go_on(small, watch if self.unit is None else TimeShare.of(watch, SEARCH), first)
        cost = best.plan.cost(small)
        top = tuple(self.problem.top)
        starred, leaves = _rows_under(now, top), _rows_under(best.plan, top)
        told = Anew(before, cost, starred, leaves, best.bound.value, best.plan.groups)
        made = parts_of(self.layout, small, best.plan, vectors, 0) if cost < before else None
        if self.unit is None:
            return told, made, None
        least, counts = lines["best"][named], small.types.counts
        prices = PriceList.per_row(self.unit, least, counts).or_better(self.unit, small, best, watch)
        per_row = int((least * counts).sum())
        told = dataclasses.replace(told, bound=max(told.bound, per_row), per_row=per_row, proven=prices.value)
        words = {f"w{i}": lines[f"w{i}"][named] for i in range(self.layout.words)}
        return told, made, pa.table({**words, "p": prices.prices})

    def _now(self, lines: dict[str, Int64]) -> tuple[Problem, Plan, Int64]:
        """Return the problem of some lines, the plan that they are, and a line of each row type."""
        words = [lines[f"w{i}"] for i in range(self.layout.words)]
        small_numbers = [np.unique(word, return_inverse=True)[1].reshape(-1) for word in words]
        firsts, kind = row_numbers(small_numbers, len(lines["n"]))
        counts = np.zeros(len(firsts), np.int64)
        np.add.at(counts, kind, lines["n"])
        small, order = problem_of(self.problem, self.layout, [word[firsts] for word in words], counts)
        top = tuple(self.problem.top)
        stars = [seq for seq, vector in enumerate(self.vectors) if vector == top]
        starred = int(lines["n"][np.isin(lines["seq"], stars)].sum())
        if small.patterns.allows_full_suppression and (self.free or 0 < starred < small.k):
            small = dataclasses.replace(small, outliers="suppress")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        turn = np.argsort(lines["group"], kind="mergesort")
        begins = np.flatnonzero(np.diff(lines["group"][turn], prepend=-1))
        groups = [
            (self.vectors[int(lines["seq"][some[0]])], place[kind[some]], lines["n"][some])
            for some in np.split(turn, begins[1:])
        ]
        return small, as_plan(small, groups), firsts[order]


def _rows_under(plan: Plan, vector: tuple[int, ...]) -> int:
    return int(plan.sizes()[(plan.levels == np.array(vector, np.int8)).all(axis=1)].sum())
