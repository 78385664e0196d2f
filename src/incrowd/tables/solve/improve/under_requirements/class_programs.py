"""Better releases by small integer programs: neighbourhoods of a release are exchanged for cheaper ones.

The idea of searching large neighbourhoods by programs:
P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems", CP 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.class_program import NeighbourhoodProgram
from incrowd.tables.solve.improve.under_requirements.neighbourhood import around, freed
from incrowd.tables.solve.shared.instances import common_step
from incrowd.tables.solve.shared.requirement_check import count_rules_of, kinds_meet, kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of
from incrowd.tables.solve.shared.under_requirements.separation import SEPARABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.improve.under_requirements.neighbourhood import Neighbourhood
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64, Problem

__all__ = ["ClassPrograms", "can_be_stated"]


def can_be_stated(problem: Problem) -> bool:
    """Whether rows of programs are known for every requirement."""
    for requirement in problem.requirements:
        rules = requirement.count_rules()
        if not rules or not all(rule.family in SEPARABLE for rule in rules):
            return False
    return True


class ClassPrograms:
    """A release over a list of instances that gets cheaper by programs.

    The problem is one whose requirements `can_be_stated`. `rows` is (p,): a release that meets everything.

    Attributes
    ----------
    rows, cost
        The best release so far, and its scaled cost.
    programs : int
        Solved.
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
            held = np.zeros((part.groups.size, rule.values), np.int64)
            for x in np.flatnonzero(part.instances.needs == 0).tolist():
                g = part.groups[x]
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
        inside[part.groups] = True
        used = np.flatnonzero(inside[J.owners] & (fresh > 0))
        groups, number = np.unique(J.owners[used], return_inverse=True)
        kinds = self.kinds[J.members[used]]
        return bool(kinds_meet(self.problem, number.reshape(-1), kinds, fresh[used], groups.size).all())
