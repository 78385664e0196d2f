"""How a search ended: the one rule by which every solver names the status of its solution."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.progress import Watch
    from incrowd.tables.values import Problem, Status


def ended(
    cost: int,
    bound: int,
    watch: Watch,
    *,
    gap: float = 0.0,
    cut_short: bool | None = None,
    through: Status = "heuristic",
) -> Status:
    """Return how a search ended. The first line that is true decides.

    ================  =============================================================
    ``optimal``       the bound meets the cost
    ``interrupted``   the search was cut short, and somebody asked for that
    ``gap``           cost and bound are as near as was asked for
    ``time_limit``    the search was cut short
    ``heuristic``     the method did all it does
    ================  =============================================================

    Cost and bound are in scaled cost units, and `gap` is the relative distance of them at which the method stops.
    `cut_short` says whether the method could not do all it does; by default, whether the watch says stop now, for
    methods that would otherwise go on. `through` is what to call the end of a method that did all it does.
    """
    if cost <= bound:
        return "optimal"
    cut_short = watch.stopped if cut_short is None else cut_short
    if cut_short and watch.interrupted:
        return "interrupted"
    if cost - bound <= gap * bound:
        return "gap"
    return "time_limit" if cut_short else through


def ended_later(status: Status, watch: Watch) -> Status:
    """Return how several searches ended, the last of which said `status`.

    Where it did all it does, there may have been no time for the next: the watch says whether the time was over or an
    interruption was heard.
    """
    if status != "heuristic" or not watch.stopped:
        return status
    return "interrupted" if watch.interrupted else "time_limit"


# What every certificate begins with, and how one goes over to another release under the same bound.
def head(problem: Problem, cost: int, bound: Bound, name: str, version: int) -> dict[str, Any]:
    """Return what every certificate begins with, whatever proves its bound.

    `cost` is the scaled cost of the release, and `bound` the lower bound that the certificate proves. `name` is what
    the certificate calls itself, and `version` is that of its form.
    """
    return {
        "certificate": name,
        "version": version + 3 * bool(problem.gaps),  # [T8]
        "for": "those who hold the original: row types are numbered as they stand in the sorted table",
        "rows": problem.types.n,
        "row_types": problem.types.t,
        "k": problem.k,
        "outliers": problem.outliers,
        "scale": problem.scale,
        "cost": cost,
        "lower_bound": bound.value,
        "lower_bound_checked": bound.checked,
        "proof": bound.proof,
    }


def of_release(
    certificate: Mapping[str, Any] | None, cost: int, bound: Bound, claimed: Bound | None = None
) -> dict[str, Any] | None:
    """Return a certificate of another release under the same bound, with its cost and claims in place of the old.

    The `certificate` recounts `bound`. `claimed` is what is claimed of the release, if that is more.
    """
    if certificate is None:
        return None
    claimed = claimed or bound
    claims = {"cost": cost, "lower_bound": claimed.value, "lower_bound_checked": bound.checked}
    return {**certificate, **claims, "proof": dataclasses.replace(claimed, checked=bound.checked).proof}


# The better of two results.
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
