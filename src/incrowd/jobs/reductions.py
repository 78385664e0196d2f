"""Solvers that get a smaller problem: data reduction before, the way back after."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, cast

from incrowd.tables.compress.rules.cap_copies import CapCopies

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.protocols import Solver
    from incrowd.tables.values import Problem, Solution

__all__ = ["CappedCopies", "with_capped_copies"]


def with_capped_copies(solver: Solver) -> Solver:
    """Return a solver that sees few copies of equal rows where these cost it much time, else the solver itself.

    Parameters
    ----------
    solver : Solver
        It asks for few copies by an attribute ``few_copies`` that is true.

    Returns
    -------
    Solver
        A `CappedCopies` around it, or `solver`.
    """
    return cast("Solver", CappedCopies(solver)) if getattr(solver, "few_copies", False) else solver


@dataclasses.dataclass(frozen=True, slots=True)
class CappedCopies:
    """A solver that sees at most as many copies of a row type as can matter; its solutions carry no certificate then.

    Parameters
    ----------
    solver : Solver
        The one that solves what is left.
    rule : CapCopies
        Takes copies away and puts them back.
    """

    solver: Solver
    rule: CapCopies = dataclasses.field(default_factory=CapCopies)

    @property
    def name(self) -> str:
        """Name of the solver."""
        return self.solver.name

    @property
    def summary(self) -> str:
        """What the solver does, in one line."""
        return self.solver.summary

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start on what is left, or None.

        Parameters
        ----------
        problem : Problem
            With all copies.

        Returns
        -------
        str or None
            The reason, as one sentence.
        """
        if self.rule.declines(problem) is None:
            problem = self.rule.reduce(problem).problem
        return self.solver.declines(problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the solver's release with all copies back in it; bound and status are the same.

        Parameters
        ----------
        problem : Problem
            With all copies.
        watch : Watch
            Hears events, and can stop the search.

        Raises
        ------
        Infeasible
            When no release exists, or none was found.
        """
        if self.rule.declines(problem) is not None:
            return self.solver.solve(problem, watch)
        reduced = self.rule.reduce(problem)
        found = self.solver.solve(reduced.problem, watch)
        if not reduced.removed:
            return found
        note = f"{reduced.removed} equal rows taken away and put back"
        plan = reduced.back(found.plan)
        return dataclasses.replace(found, plan=plan, certificate=None, notes=(*found.notes, note))
