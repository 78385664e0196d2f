"""The better of two results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.solve.shared.certificate_head import of_release
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Problem

__all__ = ["better"]


def better(problem: Problem, first: Solution, second: Solution, watch: Watch, gap: float) -> Solution:
    """Return the cheaper release under its maker's name, with the higher bound.

    Both are of the same problem; at the same cost the first is named. `watch` says which status two ended searches
    have. `gap` is the relative distance of cost and bound at which a release counts as optimal.
    """
    best = second if second.plan.cost(problem) < first.plan.cost(problem) else first
    high = second.bound if second.bound.value > first.bound.value else first.bound
    bound = Bound(high.value, max(first.bound.checked, second.bound.checked), high.method)
    cost = best.plan.cost(problem)
    status = ended(cost, bound.value, watch, gap=gap)
    notes = (*first.notes, *(note for note in second.notes if note not in first.notes))
    sure = second if second.bound.checked > first.bound.checked else first
    proof = of_release(sure.certificate, cost, sure.bound, bound)
    return Solution(best.plan, bound, status, best.solver, best.seconds, notes, proof)
