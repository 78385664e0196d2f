"""The instances worth a try by prices under requirements, and the bound that comes with them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds.column_generation import star_of
from incrowd.tables.solve.improve.bound_of_requirements import priced
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.prices_of_k import Favoured, favoured_by_k

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.improve.bound_of_requirements import RequirementsBound
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Problem, Solution

__all__ = ["prices_of_requirements"]


def prices_of_requirements(problem: Problem, encoded: ProblemArrays, solution: Solution, watch: Watch) -> Favoured:
    """Return the bound under requirements, and the instances with small reduced costs at its prices.

    Where there are no such prices, those for k alone say it. The `solution` is a release of the problem.
    """
    found, of_k, of_all = priced(problem, solution, watch)
    if of_k is None:
        return Favoured(found, None, np.zeros(0))
    if of_all is None or of_all.prices.steps == 0:
        return favoured_by_k(problem, found, of_k, watch)
    return _near(problem, encoded, found, of_all)


def _near(problem: Problem, encoded: ProblemArrays, found: Solution, bounding: RequirementsBound) -> Favoured:
    """Return the instances with the least reduced costs, up to a reduced cost and a number of pairs."""
    own = tuning.DEFAULT
    close = found.plan.cost(problem) <= own.near_large_from * found.bound.value
    share = own.near_reach_large if close and problem.types.t > own.large_types else own.near_reach
    reach = share * max(problem.k / 5.0, 1.0) * star_of(problem, encoded)
    listed, rc = bounding.prices.near(reach)
    order = np.argsort(rc, kind="stable")
    few = np.zeros(rc.size, np.bool_)
    few[order[np.cumsum(np.diff(listed.begins)[order]) <= own.candidate_pairs]] = True
    kept = listed.only(few)
    # prices have the types of an instance by sensitive value, everybody else has them by number
    members = kept.members[np.lexsort((kept.members, kept.owners))]
    return Favoured(found, dataclasses.replace(kept, members=members), rc[few])
