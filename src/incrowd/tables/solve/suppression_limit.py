"""The limit on fully suppressed rows, kept around solvers that do not know it."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import numpy as np

from incrowd.errors import Infeasible, count_of
from incrowd.tables.mask import Mask, Patterns
from incrowd.tables.row_numbers import first_of
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.solve.shared.status import ended, of_release
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.mask import PatternMask
    from incrowd.tables.protocols import PatternSet, Solver
    from incrowd.tables.values import Int64, Plan, Problem


# Choices of the rows that stay fully suppressed that are tried until one finds a release.
TRIES = 12


# What solvers that stand around another one have of it.
@dataclasses.dataclass(frozen=True, slots=True)
class SolverAround:
    """A solver that asks another one, or asks it something else, under that one's name."""

    solver: Solver

    @property
    def name(self) -> str:
        """Name of the solver."""
        return self.solver.name


@dataclasses.dataclass(frozen=True, slots=True)
class WithinLimit(SolverAround):
    """A solver that knows no limit on fully suppressed rows, whose release is replaced where it breaks that.

    The limit takes releases away and adds none, so the solver's bound and certificate hold as they are. Its release is
    kept where it keeps the limit. Else two others are made and the cheaper is taken: one without any fully suppressed
    row, and one in which as many of the solver's fully suppressed rows stay so as may; where neither is found, others
    in which some other rows stay. With a limit of 0 the first is asked the very question, so its bound holds too. The
    `solver` is asked without the limit. The `patterns` are those of the mask without stars alone.
    """

    patterns: PatternSet

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start without the limit, or None."""
        return self.solver.declines(dataclasses.replace(problem, most_suppressed=None))

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return a release within the limit.

        The watch hears events, and can stop the search; half of its time is kept for a replacement. Raises Infeasible
        when no release exists, or none was found; with the share of suppressed rows that was reached.
        """
        free = dataclasses.replace(problem, most_suppressed=None)
        easier = watch.share(0.5)
        easier.untold += ("cost",)  # of releases that may break the limit
        found = self.solver.solve(free, easier)
        full = _suppressed(problem, found.plan)
        lost, most = int(full.sum()), problem.most_suppressed or 0
        if lost <= most:
            return found
        stays = [np.zeros_like(full)]
        if most and (problem.outliers == "suppress" or most >= problem.k):
            order, counts = np.argsort(full == 0, kind="stable"), np.where(full > 0, full, problem.types.counts)
            stays += [_held(counts if turn else full, most, np.roll(order, -turn)) for turn in range(TRIES)]
        made: list[Solution] = []
        two = len(stays) > 1
        proven = not two
        for turn, stay in enumerate(stays):
            if turn > 1 and (made or watch.stopped):
                break
            try:
                part = watch.share(0.5 if two and not turn else 1.0)
                other = self._without(free, stay, part.silent() if two else part)
            except Infeasible as error:
                proven = proven and error.proven
                continue
            made.append(other)
        if not made:
            raise _over_limit(problem, lost, proven)
        best = min(made, key=lambda one: one.plan.cost(problem))
        cost = best.plan.cost(problem)
        below = 0 if two else best.bound.value  # else the very question
        bound = Bound(max(found.bound.value, below), found.bound.checked, found.bound.method)
        said = f"{count_of(lost, 'row')} fully suppressed without the limit of {most:,}; made anew within it"
        status = ended(cost, bound.value, watch, gap=getattr(self.solver, "gap", 0.0))
        proof = of_release(found.certificate, cost, found.bound, bound)
        notes = (*found.notes, said)
        return Solution(best.plan, bound, status, best.solver, found.seconds, notes, proof)

    def _without(self, free: Problem, stay: Int64, watch: Watch) -> Solution:
        """Return a release in which exactly some rows of each type are fully suppressed, over the types left."""
        from incrowd.tables.solve.greedy.greedy import Greedy  # with its libraries, which few jobs need here

        types = free.types
        left = np.flatnonzero(types.counts > stay)
        kinds = None if types.kinds is None else types.kinds[left]
        small = dataclasses.replace(
            free,
            types=dataclasses.replace(types, codes=types.codes[left], counts=(types.counts - stay)[left], kinds=kinds),
            patterns=self.patterns,
        )
        if small.types.n < free.k:
            raise _over_limit(free, int(stay.sum()), proven=False)
        solver = self.solver if self.solver.declines(small) is None else cast("Solver", Greedy())
        found = solver.solve(small, watch)
        plan = found.plan
        parts = [
            (plan.levels[g], left[plan.part_type[o]], plan.part_rows[o]) for g, o in enumerate(plan.parts_by_class())
        ]
        whole = as_plan(free, [*parts, (free.top, np.arange(types.t), stay)])
        if broken(free, whole):
            raise _over_limit(free, int(stay.sum()), proven=False)
        return dataclasses.replace(found, plan=whole, certificate=None)


def within_limit(solver: Solver, problem: Problem, mask: PatternMask) -> Solver:
    """Return a solver whose releases keep the problem's limit on fully suppressed rows; the solver itself without one.

    A solver that keeps the limit by itself says so by an attribute ``keeps_suppression_limit`` that is true. The `mask`
    is the policy's.
    """
    if problem.most_suppressed is None or getattr(solver, "keeps_suppression_limit", False):
        return solver
    if not problem.patterns.allows_full_suppression:
        return solver
    patterns = Patterns.of((mask & Mask(full_suppression=False)).to_dict(), problem.columns, problem.top)
    return cast("Solver", WithinLimit(solver, patterns))


def _held(rows: Int64, most: int, order: Int64) -> Int64:
    """Return how many rows of each type are the first `most`, types in that order."""
    held = np.zeros_like(rows)
    held[order] = first_of(rows[order], most)
    return held


def _suppressed(problem: Problem, plan: Plan) -> Int64:
    """Return the fully suppressed rows of each type, shape (t,)."""
    full = (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    rows = np.zeros(problem.types.t, np.int64)
    here = full[plan.part_class]
    np.add.at(rows, plan.part_type[here], plan.part_rows[here])
    return rows


def _over_limit(problem: Problem, rows: int, proven: bool) -> Infeasible:
    most = 0 if problem.most_suppressed is None else problem.most_suppressed
    why = "no release keeps" if proven else "no release was found that keeps"
    return Infeasible(
        f"{why} the suppression limit: at most {count_of(most, 'row')} may be fully suppressed, and the nearest "
        f"release suppresses {count_of(rows, 'row')} (suppression_limit {Fraction(rows, problem.types.n)} would do)",
        requirement="suppression_limit",
        proven=proven,
    )
