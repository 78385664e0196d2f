"""The bound of a job's own release, recounted from its certificate before anything is said of it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd.errors import InputError
from incrowd.tables.solve.mishap import release_kept, with_mishaps
from incrowd.tables.solve.shared.status import of_release
from incrowd.tables.user_units import claims_in_units, offset_of
from incrowd.tables.values import Advice, Bound
from incrowd.tables.verify.certificates import on_grid, recheck

if TYPE_CHECKING:
    from incrowd.jobs.prepare import Prepared
    from incrowd.progress import Watch
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Loss

REFUTED = (
    "the independent check recounts less of the lower bound than the search claimed; what it recounts is said, and no "
    "more. Please report this"
)


def with_recounted_bound(
    made: Prepared, expanded: Expanded, problem: Problem, solution: Solution, loss: Loss, watch: Watch
) -> Solution:
    """Return a solution that calls of its bound checked what the check has recounted of the certificate in this run.

    `loss` is that of the released rows, as the check has recounted it.

    The check reads the two tables and the policy as `verify` does, a row type at a time, under no limit of time; who
    interrupts the job and keeps the best release gets it at once, and nothing of its bound is called checked.
    """
    bound, certificate = solution.bound, claims_in_units(problem, solution.certificate)
    if not bound.checked:
        return solution
    if certificate is None:
        return dataclasses.replace(solution, bound=dataclasses.replace(bound, checked=0))
    found, why = None, "the recount broke off"
    watch.failures.clear()

    def ask() -> None:
        if watch.interrupted:
            raise InputError("the job was interrupted")

    try:
        with release_kept(watch):
            ask()
            engine, (before, after) = expanded.table.engine, expanded.opened()
            rules = on_grid(engine, before, after, made.fitted.rules, certificate)
            found = recheck(engine, before, after, rules, certificate, ask, loss=loss)
    except InputError as error:  # too large to be recounted by anybody, or not waited for
        why = str(error)
    if found is None:
        unchecked = dataclasses.replace(bound, checked=0)
        return with_mishaps(_saying(solution, problem, unchecked, f"the bound was not recounted: {why}"), watch)
    value = int(found.lower_bound * problem.scale) + offset_of(problem)
    if not found.violations and value >= min(bound.checked, bound.value):
        return solution
    return lowered(solution, problem, value)


def lowered(solution: Solution, problem: Problem, value: int) -> Solution:
    """Return a solution that claims no more than the bound, scaled, that was recounted of it, and tells everybody."""
    value = min(value, solution.bound.value)
    told = _saying(solution, problem, Bound(value, value, solution.bound.method), Advice(REFUTED))
    return told if value else dataclasses.replace(told, certificate=None)


def _saying(solution: Solution, problem: Problem, bound: Bound, said: str) -> Solution:
    """Return a solution, and its certificate, with another bound and a note."""
    cost = solution.plan.cost(problem)
    status = "heuristic" if solution.status == "optimal" and bound.value < cost else solution.status
    proof = of_release(solution.certificate, cost, bound)
    return dataclasses.replace(solution, bound=bound, status=status, certificate=proof, notes=(*solution.notes, said))
