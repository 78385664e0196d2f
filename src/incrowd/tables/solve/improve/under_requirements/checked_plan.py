"""Releases made of the search's rows: every class is asked by every requirement itself, and mended where it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.greedy.with_requirements.group_state import GroupState
from incrowd.tables.solve.greedy.with_requirements.merge import grow
from incrowd.tables.solve.improve.candidates import tidy
from incrowd.tables.solve.shared.requirement_check import broken, meets
from incrowd.tables.solve.shared.row_assignment import to_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["checked", "checked_plan", "is_release"]

# Seconds for merges beyond a time limit.
MERGING = 1.0


def is_release(problem: Problem, plan: Plan) -> bool:
    """Return whether every group of a plan has its rows and meets every requirement, by the requirements' own word."""
    return bool(_crowded(problem, plan).all()) and broken(problem, plan) is None


def _crowded(problem: Problem, plan: Plan) -> NDArray[np.bool_]:
    """Return which groups have the rows they need, shape (g,)."""
    enough: NDArray[np.bool_] = plan.sizes() >= problem.k
    if problem.outliers == "suppress":
        enough |= (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    return enough


def checked_plan(
    problem: Problem, encoded: ProblemArrays, instances: Instances, rows: Int64, watch: Watch
) -> Plan | None:
    """Return a release that puts rows per pair into their instances, or None if it cannot be made one, as `checked`.

    `rows` is (pairs,): the rows of the pair's type in the pair's instance.
    """
    return checked(problem, encoded, to_plan(problem, instances, rows), watch)


def checked(problem: Problem, encoded: ProblemArrays, plan: Plan, watch: Watch) -> Plan | None:
    """Return a release that comes of a plan whose groups may fail, or None if it cannot be made one.

    Every group takes the cheapest levels at which its rows agree, if all groups then still meet everything. Groups that
    fail, for the search may end so and may know less than all of a requirement, are merged with others until they do
    not; where there is a time limit for a second at most.

    In the `plan` every row is in one group. O(parts log parts) time, and O(groups) for every merge.
    """
    closer = tidy(problem, encoded, plan)
    for one in (closer, plan):
        if is_release(problem, one):
            return one
    mended = _merged(problem, encoded, plan, watch)
    return mended if mended is not None and is_release(problem, mended) else None


def _merged(problem: Problem, encoded: ProblemArrays, plan: Plan, watch: Watch) -> Plan | None:
    """Return the plan with every failing group merged with others, or None where that fails or time is over."""
    met = meets(problem, plan.part_group, plan.part_type, plan.part_rows, plan.groups) & _crowded(problem, plan)
    late = watch.patient()
    late.deadline = None if watch.deadline is None else search_time() + MERGING
    order = np.argsort(plan.part_group, kind="stable")
    begins = np.searchsorted(plan.part_group[order], np.arange(plan.groups + 1))
    parts = np.split(order, begins[1:-1])
    crowds = [(plan.levels[g], plan.part_type[x], plan.part_rows[x]) for g, x in enumerate(parts)]
    state = GroupState(problem, encoded, watch, crowds)
    for g in np.flatnonzero(~met):
        if late.stopped:
            return None
        if (state.group == g).any() and not grow(state, int(g)):
            return None
    return state.plan()
