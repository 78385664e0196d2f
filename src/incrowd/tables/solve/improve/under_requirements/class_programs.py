"""Better releases by small integer programs: neighbourhoods of a release are exchanged for cheaper ones.

The idea of searching large neighbourhoods by programs:
P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems", CP 1998.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Linear, Outcome, Rows, solve, stacked
from incrowd.tables.row_numbers import places_in_runs
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.shared.instances import Instances, common_step
from incrowd.tables.solve.shared.requirement_check import count_rules_of, kinds_meet, kinds_of
from incrowd.tables.solve.shared.requirement_rows import (
    SEPARABLE,
    all_rows,
    broken_rows,
    cost_at_most,
    stated,
    value_counts,
)
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.values import Int64, Problem


def can_be_stated(problem: Problem) -> bool:
    """Whether rows of programs are known for every requirement."""
    for requirement in problem.requirements:
        rules = requirement.count_rules()
        if not rules or not all(rule.family in SEPARABLE for rule in rules):
            return False
    return True


class ClassPrograms:
    """A release over a list of instances that gets cheaper by programs.

    The problem is one whose requirements `can_be_stated`. `rows` is (p,): a release that meets everything. `rows`,
    `cost`: the best release so far, and its scaled cost. `programs`: solved.
    """

    def __init__(self, problem: Problem, instances: Instances, rows: Int64, seed: int) -> None:
        self.problem, self.instances = problem, instances
        self.rows, self.cost = rows, cost_of(instances, rows)
        self.random = np.random.default_rng([seed, 3])
        self.rules = count_rules_of(problem)
        self.kinds = kinds_of(problem)
        self.unit = common_step([level.cost for level in problem.levels])
        self.programs = 0
        self.limit = float(tuning.DEFAULT.program_rows)
        self._failed: set[int] = set()

    def run(
        self,
        near: NDArray[np.bool_],
        watch: Watch,
        *,
        seconds: float | None,
        most: int | None,
        heard: Callable[[int], None],
    ) -> None:
        """Look at the neighbourhoods of all classes, in any order, again and again until none is new.

        `near` is (g,): the instances that rows may move to. One program may take `seconds`; with None it has so many
        nodes of its tree as the tuning says. Where `most` is given, at most so many programs are solved. `heard` is
        told the cost reached.
        """
        while not watch.stopped:
            begun, held = self.programs, self._held()
            for g in self.random.permutation(np.flatnonzero((held > 0) & (self.instances.needs > 0))).tolist():
                if watch.stopped or (most is not None and self.programs >= most):
                    return
                if not self._held()[g]:
                    continue
                before = self.cost
                chosen = around(self.instances, near, self.rows, g, int(self.limit), self.random)
                if self.exchange(chosen, near, watch, seconds):
                    self.limit = min(self.limit * 1.02, 4.0 * tuning.DEFAULT.program_rows)
                else:
                    self.limit = max(self.limit * 0.9, 4.0 * self.problem.k)
                if self.cost < before:
                    heard(self.cost)
            if self.programs == begun:
                return

    def _held(self) -> Int64:
        """Return the rows in every instance."""
        held: Int64 = np.bincount(self.instances.owners, weights=self.rows, minlength=self.instances.size).astype(
            np.int64
        )
        return held

    def exchange(self, chosen: Int64, near: NDArray[np.bool_], watch: Watch, seconds: float | None) -> bool:
        """Exchange some classes for cheaper ones, if their program finds such; return whether it came to its end."""
        part = freed(self.instances, near, self.rows, chosen)
        if part.instances.pairs > tuning.DEFAULT.program_pairs:
            return False
        key = hash((part.places.tobytes(), part.rows.tobytes()))
        if key in self._failed:
            return True
        program = NeighbourhoodProgram(
            part.instances, self.kinds[part.types], self.rules, self._staying(part), part.rows, self.unit
        )
        self.programs += 1
        rows = program.best(lambda rows: self._met(part, rows), watch, seconds)
        if rows is None:
            if program.ended:
                self._failed.add(key)
            return program.ended
        fresh = self.rows.copy()
        fresh[part.places] += rows - part.rows
        self.rows, self.cost = fresh, cost_of(self.instances, fresh)
        return program.ended

    def _staying(self, part: Neighbourhood) -> list[Int64]:
        """Return for each rule the rows of each value that stay in each instance of a part."""
        J = self.instances
        left = self.rows.copy()
        left[part.places] -= part.rows
        found = []
        for rule in self.rules:
            held = np.zeros((part.classes.size, rule.values), np.int64)
            for x in np.flatnonzero(part.instances.needs == 0).tolist():
                g = part.classes[x]
                mine = slice(J.begins[g], J.begins[g + 1])
                np.add.at(held[x], rule.code[self.kinds[J.members[mine]]], left[mine])
            found.append(held)
        return found

    def _met(self, part: Neighbourhood, rows: Int64) -> bool:
        """Whether the classes of a part meet every requirement with these rows and those that stay."""
        J = self.instances
        fresh = self.rows.copy()
        fresh[part.places] += rows - part.rows
        inside = np.zeros(J.size, np.bool_)
        inside[part.classes] = True
        used = np.flatnonzero(inside[J.owners] & (fresh > 0))
        classes, number = np.unique(J.owners[used], return_inverse=True)
        kinds = self.kinds[J.members[used]]
        return bool(kinds_meet(self.problem, number.reshape(-1), kinds, fresh[used], classes.size).all())


# The integer program over the free rows of a neighbourhood: they get cheaper, and every class meets its rules.
#
# Rows of the requirements are added as points break them, so what comes out may still break one; the caller asks.
class NeighbourhoodProgram:
    """One program.

    The `instances` are over the types of the free rows, and `rows` is (p,): where the free rows are now. `kinds` is
    (t,): the combination of sensitive values of each type. The `rules` are of families that rows are known for. `stay`
    has for each rule the rows of each value that stay in each instance, shape (g, v); only an instance that needs no
    crowd has some. All costs are multiples of `unit`. Exponential time in the worst case; memory O(pairs) for the
    program. `ended`: whether the program said that there is nothing better, or found the best.
    """

    def __init__(
        self,
        instances: Instances,
        kinds: NDArray[np.integer],
        rules: Sequence[CountRule],
        stay: Sequence[Int64],
        rows: Int64,
        unit: int,
    ) -> None:
        self.instances, self.rules, self.stay, self.rows = instances, rules, stay, rows
        self.codes = [rule.code[kinds[instances.members]] for rule in rules]
        self.model = strong(instances, unit=unit, whole=True)
        self.ended = False
        self.known: set[tuple[int, int, bytes]] = set()
        pairs = instances.pairs
        self.limit = cost_of(instances, rows) // unit - 1
        self.more = [cost_at_most(self.model.program, pairs, self.limit + 0.5)]
        self._state()

    def best(self, met: Callable[[Int64], bool], watch: Watch, seconds: float | None) -> Int64 | None:
        """Return rows per pair that cost less and meet everything, or None.

        `met` decides exactly whether rows per pair meet every requirement. One solution may take `seconds`; with None
        it has so many nodes of the tree as the tuning says.
        """
        pairs = self.instances.pairs
        if not self._value(watch):
            return None
        nodes = tuning.DEFAULT.program_nodes if seconds is None else None
        for _ in range(tuning.DEFAULT.program_rounds):
            program = dataclasses.replace(self.model.program, rows=stacked([self.model.program.rows, *self.more]))
            answer = solve(program, abs_gap=0.999, seconds=seconds, nodes=nodes, watch=watch)
            self.ended = answer.outcome in (Outcome.OPTIMAL, Outcome.INFEASIBLE, Outcome.CUTOFF)
            if answer.x is None:
                return None
            rows: Int64 = np.rint(answer.x[:pairs]).astype(np.int64)
            if holds(self.instances, rows) and met(rows):
                return rows
            u = self._open(rows)
            if watch.stopped or not self._break(rows.astype(np.float64), u, 1e-6):
                return None
        return None

    def _value(self, watch: Watch) -> bool:
        """Whether the linear program, with rows that its points break, allows for less than now."""
        linear = Linear(self.model.program)
        linear.add(stacked(self.more))
        pairs, crowd = self.instances.pairs, self.model.crowd
        for _ in range(tuning.DEFAULT.program_cuts):
            answer = linear.solve(watch)
            if answer.x is None:
                self.ended = answer.outcome is Outcome.INFEASIBLE
                return False
            u = self._open(answer.x[:pairs])
            u[crowd] = answer.x[pairs:]
            fresh = self._break(answer.x[:pairs], u, tuning.DEFAULT.program_violation)
            if not fresh:
                break
            for some in fresh:
                linear.add(some)
        return not watch.stopped

    def _open(self, rows: NDArray[np.number]) -> NDArray[np.float64]:
        """Return for every instance whether it holds rows, free ones or such as stay."""
        held = np.bincount(self.instances.owners, weights=rows, minlength=self.instances.size)
        for stay in self.stay[:1]:
            held = held + stay.sum(axis=1)
        return (held > 1e-6).astype(np.float64)

    def _state(self) -> None:
        """State all rows of the rules that have few."""
        crowd = self.model.crowd
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            if rule.values * crowd.size > tuning.DEFAULT.stated_rows:
                continue
            for need in np.unique(self.instances.needs[crowd]).tolist():
                rows = all_rows(rule, need)
                if rows is None:
                    continue
                some = crowd[self.instances.needs[crowd] == need]
                classes = np.repeat(some, len(rows[1]))
                values, opens = np.tile(rows[0], (some.size, 1)), np.tile(rows[1], some.size)
                present = np.zeros((self.instances.size, rule.values), np.bool_)
                present[self.instances.owners, code] = True
                here = ((values > 0) & present[classes]).any(axis=1) | (opens > 0)
                self._add(number, classes[here], values[here], opens[here])

    def _break(self, x: NDArray[np.float64], u: NDArray[np.float64], least: float) -> list[Rows]:
        """Add the rows of the rules that a point breaks, and return them."""
        fresh = []
        J = self.instances
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            counts = value_counts(J, code, x, rule.values) + self.stay[number]
            some = np.flatnonzero(counts.sum(axis=1) > 1e-6)
            classes, values, opens = broken_rows(
                rule, counts[some], u[some], needs=np.maximum(J.needs[some], 1), least=least
            )  # fmt: skip
            fresh += self._add(number, some[classes], values, opens)
        return fresh

    def _add(
        self, number: int, classes: NDArray[np.integer], values: NDArray[np.float64], opens: NDArray[np.float64]
    ) -> list[Rows]:
        """Add rows that are not known yet, and return them."""
        names = [
            (number, g, np.append(np.round(v, 9), b).tobytes())
            for g, v, b in zip(classes.tolist(), values, opens, strict=True)
        ]
        new = [y for y, name in enumerate(names) if name not in self.known]
        self.known.update(names)
        if not new:
            return []
        classes, values, opens = classes[new], values[new], opens[new]
        # an instance without a u of its own is open for the rows that stay
        own = self.model.column[classes] >= 0
        upper = -(values * self.stay[number][classes]).sum(axis=1) - np.where(own, 0.0, opens)
        rows = stated(self.model, classes, values, np.where(own, opens, 0.0), self.codes[number])
        rows = dataclasses.replace(rows, upper=upper + 1e-9)
        self.more.append(rows)
        return [rows]


# Some classes of a release that share near instances, and what their rows may do while all other rows stay.
@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Rows that are free to move, and the instances that may hold them.

    `instances`: over the types of the free rows; an instance that holds rows which stay needs no more of them. `types`:
    (t',) int64, number of each type in the whole list. `classes`: (g',) int64, number of each instance there. `places`:
    (p',) int64, place of each pair there. `rows`: (p',) int64, where the free rows are now.
    """

    instances: Instances
    types: Int64
    classes: Int64
    places: Int64
    rows: Int64


def around(
    instances: Instances, near: NDArray[np.bool_], rows: Int64, first: int, limit: int, random: np.random.Generator
) -> Int64:
    """Return classes that share near instances with a first one, or with one another, until their rows reach a limit.

    `near` is (g,): what rows may move to. `rows` is (p,): a release. `first` is an open instance that needs a crowd.
    `random` draws among the classes that share most. O(members of the near instances of the rows) time for each class.
    """
    begins, which, _ = instances.by_type
    type_begins, holding = _held(instances, rows)
    sizes = np.bincount(instances.owners, weights=rows, minlength=instances.size)
    chosen, score = [first], np.zeros(instances.size)
    total = sizes[first]
    while total < limit:
        g = chosen[-1]
        own = np.arange(instances.begins[g], instances.begins[g + 1])
        types = instances.members[own[rows[own] > 0]]
        reached = which[_spans(begins, types)]
        reached = reached[near[reached]]
        others, times = np.unique(reached, return_counts=True)
        spread = _spans(instances.begins, others)
        weight = np.repeat(times, instances.begins[others + 1] - instances.begins[others])
        members = instances.members[spread]
        counts = np.bincount(members, weights=weight, minlength=instances.t)
        met = np.flatnonzero(counts)
        lengths = type_begins[met + 1] - type_begins[met]
        score += np.bincount(
            instances.owners[holding[_spans(type_begins, met)]], weights=np.repeat(counts[met], lengths),
            minlength=instances.size,
        )  # fmt: skip
        score[chosen] = 0.0
        score[instances.needs == 0] = 0.0
        best = np.argsort(-score, kind="stable")[: tuning.DEFAULT.drawn_classes]
        best = best[(score[best] > 0) & (total + sizes[best] <= 1.5 * limit)]
        if not best.size:
            break
        chosen.append(int(best[random.integers(best.size)]))
        total += sizes[chosen[-1]]
    return np.array(chosen, np.int64)


def freed(instances: Instances, near: NDArray[np.bool_], rows: Int64, chosen: Int64) -> Neighbourhood:
    """Return what the rows of some classes may do.

    They may go to near instances without rows, to any of the classes themselves, and into the free instance; rows of
    that one which a near instance could hold are free, too. `near` is (g,): the instances that may open. `rows` is
    (pairs,): the rows of the pair's type in the pair's instance. `chosen` is (c,): the instances whose classes are
    taken apart. O(pairs) time.
    """
    J = instances
    inside = np.zeros(J.size, np.bool_)
    inside[chosen] = True
    loose = inside[J.owners] & (rows > 0)
    holding = np.bincount(J.owners, weights=rows, minlength=J.size) > 0
    allowed = inside | (near & ~holding)
    free = J.needs == 0
    if free.any():
        touched = np.zeros(J.t, np.bool_)
        touched[J.members[loose]] = True
        shared = np.bincount(J.owners, weights=touched[J.members], minlength=J.size) > 0
        able = np.zeros(J.t, np.bool_)
        able[J.members[(allowed & shared & ~free)[J.owners]]] = True
        loose |= free[J.owners] & (rows > 0) & able[J.members]
        allowed |= free
    counts = np.bincount(J.members, weights=rows * loose, minlength=J.t).astype(np.int64)
    part, places, classes, types = J.part(allowed, J.needs, counts)
    return Neighbourhood(part, types, classes, places, (rows * loose)[places])


def _held(instances: Instances, rows: Int64) -> tuple[Int64, Int64]:
    """Return the pairs with rows by type: where those of each type begin, and the pairs."""
    used = np.flatnonzero(rows)
    types = instances.members[used]
    order = np.argsort(types, kind="stable")
    begins = np.searchsorted(types[order], np.arange(instances.t + 1)).astype(np.int64)
    return begins, used[order]


def _spans(begins: Int64, which: NDArray[np.integer]) -> Int64:
    """Return the places from begins[x] to begins[x + 1] for every x of `which`, one behind the other."""
    return places_in_runs(begins[which], begins[which + 1] - begins[which])
