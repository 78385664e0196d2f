"""What the search under requirements may open, over row types told apart by sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.row_assignment import closed, rows_in
from incrowd.tables.solve.shared.without_requirements import merged_types

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["ClassCandidates", "gather", "told_apart"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassCandidates:
    """Instances that may be opened.

    Attributes
    ----------
    instances : Instances
        Cheapest first, free ones last.
    rc : (g,) float64
        Reduced costs at some prices: what is small is opened often.
    rows : (p,) int64
        The release to start from: rows per pair.
    """

    instances: Instances
    rc: NDArray[np.float64]
    rows: Int64


def told_apart(problem: Problem, merged: Instances) -> Instances:
    """Return instances over row types without sensitive values as instances over the problem's types.

    The `merged` instances are over the types that `merged_types` numbers.
    """
    number = merged_types(problem)
    begins = np.searchsorted(number, np.arange(merged.t + 1)).astype(np.int64)
    widths = np.diff(begins)[merged.members]
    ends = np.cumsum(widths)
    members = np.arange(int(widths.sum())) + np.repeat(begins[merged.members] - (ends - widths), widths)
    held = np.concatenate(([0], ends))[merged.begins]
    return Instances(
        merged.vectors, merged.costs, merged.needs, held.astype(np.int64), members.astype(np.int32),
        problem.types.counts, merged.hub,
    )  # fmt: skip


def gather(
    problem: Problem, encoded: ProblemArrays, plan: Plan, listed: Instances, rc: NDArray[np.float64]
) -> ClassCandidates:
    """Return the listed instances, those of a release, and the fully suppressed one.

    The `plan` is the release to start from. The `listed` instances are over the problem's types, and `rc` is (g,):
    their reduced costs. O((instances + pairs) log) time; 12 bytes a pair.
    """
    own = extents(problem, encoded, *closed(problem, plan, encoded))
    if problem.patterns.allows_full_suppression:
        top = np.array([problem.top], np.int8)
        own = own.union(extents(problem, encoded, top, np.zeros(1, np.int32)))
    far = float(rc.max(initial=0.0))
    united = listed.union(own)
    priced = np.concatenate((rc, np.full(united.size - listed.size, far)))
    order = np.lexsort((united.needs == 0, united.costs))
    instances = _ordered(united, order)
    rows = rows_in(problem, encoded, instances, plan)
    assert rows is not None, "the plan's instances are listed"
    return ClassCandidates(instances, priced[order], rows)


def _ordered(instances: Instances, order: Int64) -> Instances:
    lengths = np.diff(instances.begins)[order]
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    place = np.arange(begins[-1]) + np.repeat(instances.begins[:-1][order] - begins[:-1], lengths)
    hub = int(np.flatnonzero(order == instances.hub)[0]) if instances.hub >= 0 else -1
    return Instances(
        np.ascontiguousarray(instances.vectors[order]), instances.costs[order], instances.needs[order], begins,
        instances.members[place], instances.counts, hub,
    )  # fmt: skip
