"""What is known where a star is a NULL and quasi-identifiers miss values: the per-row bound of the rows that miss none.

A missing value and a star look the same in such a release, and a class is its equal cells: a row that misses a value
is in one with the rows blanked beside it. Solvers take the two for different things, so their bounds are of fewer
releases. Of rows that miss no value the per-row bound is right: the class of one that is shown at level vector v holds
only rows that have its values where v shows them, so at least k of the table have them, and the row costs what v costs
(papers/certificates.md, [H7]).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd.errors import Infeasible
from incrowd.tables.solve.bounds.counting import ceiling, per_row
from incrowd.tables.solve.shared.certificate_head import of_release
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_limit import for_bound
from incrowd.tables.values import Advice, Bound

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Problem, Solution

__all__ = ["bound_of_complete_rows", "not_proven", "with_bound"]

SAID = Advice(
    "a NULL may be a star or a missing value here, and a row that misses a value looks like rows blanked beside it, "
    "which the search does not count: the bound is of the rows that miss no value alone, and nothing is called "
    "optimal; with --suppressed text the two are told apart"
)


def bound_of_complete_rows(problem: Problem, found: Solution, watch: Watch) -> Bound:
    """Return the per-row bound of the rows that miss no value; O(p t) for p patterns and t row types."""
    most = ceiling(problem, found.plan)
    most[(problem.types.codes[:, list(problem.gaps)] == 0).any(axis=1)] = 0  # costs nothing at least
    with Workers(None) as workers:
        return per_row(problem, encode(problem), workers, for_bound(watch), ceiling=most).bound(problem)


def with_bound(problem: Problem, found: Solution, bound: Bound) -> Solution:
    """Return a solution of a problem with gaps under a bound that is right there; no certificate recounts any of it."""
    unchecked = dataclasses.replace(bound, checked=0, certain=False)
    return dataclasses.replace(
        found,
        bound=unchecked,
        status="heuristic" if found.status in ("optimal", "gap") else found.status,
        notes=(*(note for note in found.notes if isinstance(note, Advice)), SAID),
        certificate=of_release(found.certificate, found.plan.cost(problem), unchecked),
    )


def not_proven(error: Infeasible) -> Infeasible:
    """Return an error that a solver of a problem with gaps raised, as one that proves nothing."""
    if not error.proven:
        return error
    return Infeasible(
        f"no release was found that meets {error.requirement} under this mask; stars are NULL and look like the "
        "missing values of the quasi-identifiers, so there may be one with both in a class, which is not looked for; "
        "allow full suppression, allow more patterns or ask for less",
        requirement=error.requirement,
        proven=False,
    )
