"""What rows are worth: prices under which no group costs less than its rows, to look at the best groups first.

With prices y such that y(G) <= cost(G) for every group G, the rows of any multiset L cost at least y(L) in groups. So
a release of at most some cost passes only through multisets with spent + y(left) up to that, by groups with
cost(G) - y(G) up to what remains: few, if y is good. The best y are the duals of the linear program over all groups;
they are found by adding the groups that cost less than their rows are worth, until there are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.kernels.dynamic_programs.subset_dp import NEVER, list_groups
from incrowd.milp import Linear, Program, rows_of

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.dynamic_programs.joins import Joins
    from incrowd.tables.solve.shared.requirement_check import RequirementCheck
    from incrowd.tables.values import Int64, Problem

__all__ = ["Groups", "Listed", "Worth"]

ROUNDS = 60
PARTS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """Prices in whole parts of a cost unit.

    Attributes
    ----------
    each : (t,) int64
    parts : int
    total : int
        Of all rows: a bound on every release, in parts.
    """

    each: Int64
    parts: int
    total: int


class Listed(NamedTuple):
    """Groups by first type, then by cost above worth; see `incrowd.kernels.dynamic_programs.subset_dp.take_listed`.

    Attributes
    ----------
    begins : (t + 1,) int64
        The groups with first type i are ``begins[i]:begins[i + 1]``.
    place : (g,) int64
        Number of the multiset of row types.
    packed : (g,) uint64
        Its copies of every type in one word.
    cost : (g,) int64
        In scaled cost.
    over : (g,) int64
        Cost above worth, in parts.
    """

    begins: Int64
    place: Int64
    packed: np.ndarray[tuple[int], np.dtype[np.uint64]]
    cost: Int64
    over: Int64


class Groups:
    """All groups of a problem's rows, listed only on request.

    Attributes
    ----------
    radix : (t,) int64
    packs : (t,) uint64
    guards : int
        See `incrowd.kernels.dynamic_programs.subset_dp`.
    worst : int
        No release costs more.
    """

    def __init__(self, problem: Problem, joins: Joins, verdicts: RequirementCheck, *, free: bool, most: int) -> None:
        counts = problem.types.counts
        self.problem = problem
        self.radix = np.concatenate(([1], np.cumprod(counts + 1)[:-1])).astype(np.int64)
        bits = [int(c).bit_length() + 1 for c in counts]
        self.width = sum(bits)
        shifts = np.concatenate(([0], np.cumsum(bits)[:-1])).tolist() if self.width <= 64 else [0] * len(bits)
        self.packs = np.array([1 << x for x in shifts], np.uint64)
        self.guards = sum(1 << (x + b - 1) for x, b in zip(shifts, bits, strict=True)) if self.width <= 64 else 0
        top = problem.row_costs(problem.top)
        self.worst = int((top * counts).sum())
        self.rules = (
            self.radix, counts, joins.alone, joins.table, joins.price, top, problem.k, most, free, verdicts.radix,
            verdicts.fit,
        )  # fmt: skip

    def worth(self, watch: Watch) -> Worth | None:
        """Find good prices by a linear program over all groups, whose groups join when they are too cheap.

        None is returned if the watch stopped it. There are at most 60 rounds, each with one pass over all groups.
        """
        problem = self.problem
        t, counts = problem.types.t, problem.types.counts
        n = problem.types.n
        parts = max(1, min(PARTS, (1 << 60) // ((self.worst + 1) * n)))
        most = float(min(self.worst + 1, (1 << 60) // (n * parts)))
        program = Program(
            -counts.astype(np.float64), np.full(t, -most), np.full(t, most), np.zeros(t, np.bool_),
            rows_of([(np.zeros(0), np.zeros(0), np.zeros(0))], [(np.zeros(0), np.zeros(0))]),
        )  # fmt: skip
        linear = Linear(program, method="simplex")
        each = np.zeros(t, np.int64)
        known: set[int] = set()
        for _ in range(ROUNDS):
            if watch.stopped:
                return None
            answer = linear.solve(watch)
            if answer.x is None:
                break
            each = np.floor(answer.x * parts).astype(np.int64)
            place, cost, below = self._bargains(each, parts)
            fresh = [g for g in np.argsort(below, kind="stable").tolist() if int(place[g]) not in known]
            if not fresh:
                break
            known.update(int(place[g]) for g in fresh)
            held = place[fresh][:, None] // self.radix % (counts + 1)
            row, column = np.nonzero(held)
            linear.add(
                rows_of(
                    [(row, column, held[row, column])],
                    [(np.full(len(fresh), -np.inf), cost[fresh].astype(np.float64))],
                )
            )
        # Exactly: no row is worth so much that a group costs less than its rows.
        _, _, below = self._bargains(each, parts)
        each = each + min(int(below.min(initial=0)), 0)
        return Worth(each, parts, int((each * counts).sum()))

    def listed(self, worth: Worth, limit: int, room: int) -> Listed | None:
        """List the groups that cost at most a little more than their worth; None where there are more than `room`.

        `limit` is in parts of a cost unit.
        """
        size = 1 << 12
        while True:
            place, cost, over, first = (np.zeros(size, np.int64) for _ in range(4))
            packed = np.zeros(size, np.uint64)
            found = self._search(worth.each, worth.parts, limit, place, packed, cost, over, first)[0]
            if found > room:
                return None
            if found <= size:
                break
            size = found
        order = np.lexsort((over[:found], first[:found]))
        begins = np.searchsorted(first[:found][order], np.arange(self.radix.size + 1)).astype(np.int64)
        return Listed(begins, place[order], packed[order], cost[order], over[order])

    def _bargains(self, each: Int64, parts: int) -> tuple[Int64, Int64, Int64]:
        """Return groups that cost less than their rows are worth: the worst per first and last type."""
        none = np.zeros(0, np.int64)
        _, best, place, cost = self._search(each, parts, -NEVER, none, np.zeros(0, np.uint64), none, none, none)
        low = best < 0
        return place[low], cost[low], best[low]

    def _search(
        self, each: Int64, parts: int, limit: int, *out: np.ndarray[tuple[int], np.dtype[np.integer]]
    ) -> tuple[int, Int64, Int64, Int64]:
        t = self.radix.size
        best, place, cost = np.full((t, t), NEVER, np.int64), np.zeros((t, t), np.int64), np.zeros((t, t), np.int64)
        kernel: Any = list_groups
        found = kernel(*self.rules, each, parts, limit, self.packs, *out, best, place, cost)
        return int(found), best, place, cost
