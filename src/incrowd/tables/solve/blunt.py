"""A release drawn at random among those near the best one found, so that what a cheapest release excludes is possible.

Who knows that a release is the cheapest excludes of a coarser cell every value that an existing class shows there at
less cost: its rows could have been shown. Here rows are drawn at random and shown in such a coarser class all the same,
as many as the excluded value's share of the table asks for, until a budget is spent. How far that goes is counted by
class and value: of the rows that a value would have if nothing were known, a share theta is brought back in the mean,
for theta in steps up to 1.5 (``docs/papers/composition.md``, D1 and D2). Randomness is the system's and is kept
nowhere.
"""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.crowds import meet
from incrowd.tables.classes_by_vector import ClassesByVector
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.shared.requirement_check import meets
from incrowd.tables.solve.shared.status import of_release
from incrowd.tables.user_units import offset_of
from incrowd.tables.values import Advice, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Problem, Solution, Status

BUDGETS: Mapping[int, Fraction] = MappingProxyType({1: Fraction(1, 100), 2: Fraction(3, 100), 3: Fraction(1, 10)})
"""How much more a release may cost, by ``blunt``."""
STEP = 0.05  # by which the share brought back rises, so that a spent budget leaves every value about the same share
MOST_SHARE = 1.5  # more than 1, since some values are shown by classes without a row to spare
APART = 3  # how many columns more a class may show that gives rows for one without any to spare


def classes_above(problem: Problem, plan: Plan, most: int = 1) -> tuple[Int64, Int64]:
    """Return the pairs of classes of which the second shows a few columns at a higher level and the others alike.

    They differ in at most `most` columns. The answer is the lower and the higher class of each pair, both (e,).
    """
    ups = [level.up for level in problem.levels]
    by = ClassesByVector.of(plan.levels, plan.nodes(problem), ups)
    higher = by.vectors[:, None, :] - by.vectors[None, :, :]
    apart = (higher > 0).sum(axis=2)
    pairs = np.argwhere((higher >= 0).all(axis=2) & (apart >= 1) & (apart <= most)).astype(np.int64)
    keys, high, at_high, low, at_low = meet(
        pairs.reshape(-1, 2), by.vectors, by.vectors, by.offsets, by.nodes, by.nodes, by.start, by.start, 0
    )
    of_key = np.zeros(keys, np.int64)
    of_key[at_high] = high  # a key at the higher vector is one class
    above, below = by.order[of_key[at_low]], by.order[low]
    order = np.lexsort((above, below))
    return below[order].astype(np.int64), above[order].astype(np.int64)


def blunted(problem: Problem, solution: Solution, level: int, watch: Watch) -> Solution:
    """Return a release drawn at random, at a cost at most so much above the given one's.

    `solution` is the best release of the run, and `level` allows at most +1, +3 or +10 % for 1, 2 or 3. The watch says
    when to stop. The release stands under the same lower bound. Rows moved from class to class alone; every class still
    has its rows and meets the requirements. O(classes times level vectors) to find the pairs of classes, then about the
    rows that are moved.
    """
    plan = solution.plan
    best = plan.cost(problem)
    budget = int(BUDGETS[level] * (best - offset_of(problem)))
    draw = _Draw(problem, plan, budget)
    for step in range(1, round(MOST_SHARE / STEP) + 1):
        if draw.spent >= budget or watch.stopped:
            break
        draw.fill(step * STEP)
        if step * STEP == 1.0:
            draw.top_up()
    made = draw.rows.plan()
    cost = made.cost(problem)
    most = f"{float(100 * BUDGETS[level]):g} %"
    said = (
        f"blunted: drawn at random among releases that cost at most {most} more than the best one of this run; two "
        "runs differ, and values that a cheapest release rules out are possible here"
        if cost > best
        else f"not blunted: no row could be shown coarser within {most} of the best release of this run, which is this"
    )
    ended: Status = "optimal" if cost <= solution.bound.value and not problem.unsure else "heuristic"
    status = ended if solution.status in ("optimal", "gap", "heuristic") else solution.status
    proof = of_release(solution.certificate, cost, solution.bound)
    notes = (*solution.notes, Advice(said))
    return dataclasses.replace(solution, plan=made, status=status, certificate=proof, notes=notes)


class _Draw:
    """One draw: which rows are shown in a coarser class than they could be."""

    def __init__(self, problem: Problem, plan: Plan, budget: int) -> None:
        self.drawn = SystemRandomness()
        self.budget = budget
        self.spent = 0
        self.rows = MovableRows(problem, plan)
        self.costs = plan.paid(problem)[plan.first()]
        low, high = classes_above(problem, plan)
        column = (plan.levels[low] != plan.levels[high]).argmax(axis=1)
        top = (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
        sizes = self.rows.sizes
        self.free = top & (problem.outliers == "suppress")  # classes that need no k rows
        cheaper = self.costs[high] > self.costs[low]
        if problem.most_suppressed is not None:
            cheaper &= ~top[high]
        low, high, column = low[cheaper], high[cheaper], column[cheaper]
        claimed = (sizes[high] > problem.k) | self.free[high]
        self.low, self.high, self.column = low[claimed], high[claimed], column[claimed]
        self.share = _shares(problem, plan, self.low, self.high, self.column)
        self.tried, self.owed = np.zeros(len(self.low)), np.zeros(len(self.low), np.int64)
        self.k, self.asked = problem.k, (problem, plan)

    def open(self) -> NDArray[np.bool_]:
        """Return which pairs still let a value be excluded."""
        sizes = self.rows.sizes
        there, crowded = sizes[self.low] > 0, sizes[self.high] > self.k
        return np.asarray(there & (crowded | (self.free[self.high] & (sizes[self.high] > 0))))

    def fill(self, theta: float) -> None:
        """Move rows up until each excluded value has a share theta of the rows it would have, in the mean."""
        wanted = np.where(self.open(), theta * self.share * self.rows.sizes[self.high] - self.tried, 0.0).clip(0)
        self.tried += wanted
        count = self._rounded(wanted)
        for i in self.drawn.order(len(wanted)).tolist():
            if not count[i]:
                continue
            g, h = int(self.low[i]), int(self.high[i])
            spare = max(int(self.rows.sizes[g]) - self.k, 0)
            if count[i] >= self.rows.sizes[g] > 0:  # then the value is not shown beside the class any more
                self._move_all(g, h)
                continue
            for _ in range(min(int(count[i]), spare)):
                self._move(g, h)
            self.owed[i] += max(int(count[i]) - spare, 0)

    def top_up(self) -> None:
        """Where classes had no rows to spare, take as many of finer ones."""
        owing = np.flatnonzero(self.open() & (self.owed > 0))
        if not owing.size:
            return
        low, high = classes_above(*self.asked, APART)
        wanted = np.isin(high, self.low[owing])
        finer: dict[int, list[int]] = {}
        for giver, g in zip(low[wanted].tolist(), high[wanted].tolist(), strict=True):
            finer.setdefault(g, []).append(giver)
        for i in owing[self.drawn.order(owing.size)].tolist():
            g, h = int(self.low[i]), int(self.high[i])
            for _ in range(int(self.owed[i])):
                spare = [c for c in (g, *finer.get(g, ())) if self.rows.sizes[c] > self.k]
                if not spare:
                    break
                least = min(self.costs[h] - self.costs[c] for c in spare)
                cheap = [c for c in spare if self.costs[h] - self.costs[c] == least]
                self._move(cheap[int(self.drawn.uniform(1)[0] * len(cheap))], h)

    def _rounded(self, wanted: NDArray[np.float64]) -> Int64:
        """Return whole numbers that are these in the mean."""
        return (np.floor(wanted + self.drawn.uniform(len(wanted)))).astype(np.int64)

    def _move(self, g: int, h: int) -> None:
        price = int(self.costs[h] - self.costs[g])
        if self.rows.sizes[g] <= self.k or self.spent + price > self.budget:
            return
        if self.rows.move(g, h, float(self.drawn.uniform(1)[0])):
            self.spent += price

    def _move_all(self, g: int, h: int) -> None:
        price = int(self.costs[h] - self.costs[g]) * int(self.rows.sizes[g])
        if self.spent + price <= self.budget and self.rows.move_all(g, h):
            self.spent += price


def _shares(problem: Problem, plan: Plan, low: Int64, high: Int64, column: Int64) -> NDArray[np.float64]:
    """Return the share that the finer node has among the table's rows that the coarser one covers, by pair."""
    nodes, out = plan.nodes(problem), np.zeros(len(low))
    for j, level in enumerate(problem.levels):
        weight = added_up(problem.types.codes[:, j], problem.types.counts, level.up.shape[1])
        held = [np.bincount(line, weights=weight) for line in level.up]
        for i in np.flatnonzero(column == j).tolist():
            g, h = low[i], high[i]
            out[i] = held[plan.levels[g, j]][nodes[g, j]] / held[plan.levels[h, j]][nodes[h, j]]
    return out


# The rows of a plan's classes, for methods that move one row at a time from class to class.
class MovableRows:
    """Which rows of which types each class holds; changed by moves, and a plan again at the end.

    `sizes`: (g,) int64, rows of each class.
    """

    def __init__(self, problem: Problem, plan: Plan) -> None:
        self._problem = problem
        self._levels = plan.levels
        order = np.argsort(plan.part_class, kind="stable")
        start = np.concatenate(([0], np.cumsum(np.bincount(plan.part_class, minlength=plan.classes))))
        self._parts = (plan.part_type[order], plan.part_rows[order], start)
        self._held: dict[int, dict[int, int]] = {}
        self.sizes = plan.sizes()

    def held(self, class_: int) -> dict[int, int]:
        """Return the rows by type of a class."""
        found = self._held.get(class_)
        if found is None:
            types, rows, start = self._parts
            here = slice(start[class_], start[class_ + 1])
            found = self._held[class_] = dict(zip(types[here].tolist(), rows[here].tolist(), strict=True))
        return found

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
        class_ = np.repeat(np.arange(len(self.sizes)), np.diff(start))
        stay = ~np.isin(class_, list(self._held))
        moved = [(one, g, count) for g, held in self._held.items() for one, count in held.items() if count]
        more = np.array(moved, np.int64).reshape(len(moved), 3)
        types = np.concatenate((types[stay], more[:, 0]))
        class_ = np.concatenate((class_[stay], more[:, 1]))
        rows = np.concatenate((rows[stay], more[:, 2]))
        kept, class_ = np.unique(class_, return_inverse=True)
        class_ = class_.reshape(-1)
        order = np.lexsort((class_, types))
        return Plan(
            np.ascontiguousarray(self._levels[kept]), types[order].astype(np.int32), class_[order].astype(np.int32),
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

    def _meets(self, class_: int) -> bool:
        if not self._problem.requirements or not self.sizes[class_]:
            return True
        held = {one: rows for one, rows in self.held(class_).items() if rows}
        types = np.fromiter(held.keys(), np.int64, len(held))
        rows = np.fromiter(held.values(), np.int64, len(held))
        return bool(meets(self._problem, np.zeros(len(held), np.int64), types, rows, 1).all())


# The system's randomness, for what nobody may repeat.
class SystemRandomness:
    """Numbers from 128 bits of the system's randomness, spread by SHAKE-256; nobody else holds the bits.

    `bits` are 16 bytes, for tests; by default they are the system's.
    """

    def __init__(self, bits: bytes | None = None) -> None:
        self._bits = secrets.token_bytes(16) if bits is None else bits
        self._asked = 0

    def uniform(self, count: int) -> NDArray[np.float64]:
        """Return numbers from 0 up to below 1, of 53 random bits each."""
        self._asked += 1
        told = hashlib.shake_256(self._bits + self._asked.to_bytes(8, "big")).digest(8 * count)
        return (np.frombuffer(told, "<u8") >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def order(self, count: int) -> NDArray[np.intp]:
        """Return a random order."""
        return np.argsort(self.uniform(count), kind="stable")

    def whole(self) -> int:
        """Return a number of 62 bits."""
        return int(self.uniform(1)[0] * 2**31) << 31 | int(self.uniform(1)[0] * 2**31)
