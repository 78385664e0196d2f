"""The integer program of Bredereck, Nichterlein and Niedermeier, literally: a yardstick for small tables."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.milp import Outcome, solve
from incrowd.tables.solve.declining import beyond_k
from incrowd.tables.solve.encoded import encode
from incrowd.tables.solve.greedy import Greedy
from incrowd.tables.solve.instances import TooManyInstances, common_step, list_instances
from incrowd.tables.solve.row_assignment import as_listed, cost_of, holds, to_plan
from incrowd.tables.solve.strong import strong
from incrowd.tables.values import Bound, Plan, Problem, Solution, Status

if TYPE_CHECKING:
    from incrowd.watch import Watch

__all__ = ["Ilp"]


@dataclass(frozen=True, kw_only=True)
class Ilp:
    """Equations (5) to (8): x[type, pattern] whole, u[instance] 0 or 1, every instance of every pattern.

    Parameters
    ----------
    most_pairs : int, default 400,000
        Row types times patterns up to which it starts, at least 1.

    Notes
    -----
    The greedy release is the first solution. Constraint (6) is the paper's sum_i x <= n u, (7) its
    sum_i x >= k u, left out for the fully suppressed instance where outliers need no crowd. Exponential time.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2.
    """

    most_pairs: int = 400_000
    name: str = field(default="ilp", init=False)
    summary: str = field(default="the paper's integer program, literally; small tables", init=False)

    def __post_init__(self) -> None:
        if self.most_pairs < 1:
            raise PolicyError(f"most_pairs must be at least 1, not {self.most_pairs}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: other requirements, or too large a program."""
        reason = beyond_k(problem)
        if reason is not None:
            return reason
        patterns, t = problem.patterns.count(), problem.types.t
        if patterns * t > self.most_pairs:
            return (
                f"its program has one variable per row type and pattern, here {t} * {patterns} = {t * patterns}, "
                f"more than {self.most_pairs}; allow fewer patterns or take solver 'exact'"
            )
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release found; its bound is the engine's word beyond the counting bound.

        Raises
        ------
        Infeasible
            If there is no release, or none was found in time.
        """
        begun = time.perf_counter()
        plan: Plan | None = None
        bound = Bound(0, 0, "none")
        try:
            first = Greedy().solve(problem, watch)
            plan, bound = first.plan, first.bound
        except Infeasible as error:
            if error.proven:
                raise
        cost = None if plan is None else plan.cost(problem)
        status: Status = "optimal" if cost == bound.value else "heuristic"
        if status != "optimal" and not watch.stopped:
            encoded = encode(problem)
            try:
                instances = list_instances(problem, encoded, raw=True, watch=watch, most_pairs=self.most_pairs)
            except TooManyInstances:  # pragma: no cover  declines() counts the same pairs
                raise Infeasible("too many instances", requirement="most_pairs", proven=False) from None
            unit = common_step([level.cost for level in problem.levels])
            model = strong(instances, unit=unit, whole=True, big=True)
            start = None
            if plan is not None:
                start = model.point(as_listed(problem, instances, plan))
            answer = solve(model.program, start=start, abs_gap=0.999, watch=watch)
            if answer.outcome is Outcome.INFEASIBLE and plan is None:
                raise Infeasible(
                    f"no release meets k={problem.k} under this mask, by the word of an integer program; "
                    "allow full suppression, allow more patterns or lower k",
                    requirement=f"k={problem.k}",
                    proven=False,
                )
            if answer.x is not None:
                rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
                if holds(instances, rows) and (cost is None or cost_of(instances, rows) < cost):
                    plan, cost = to_plan(problem, instances, rows), cost_of(instances, rows)
            if cost is not None and np.isfinite(answer.bound):
                value = min(int(np.ceil(answer.bound - 1e-6)) * unit, cost)
                bound = Bound(max(value, bound.value), bound.checked, "the paper's integer program")
        if plan is None:
            raise Infeasible(
                f"no release with k={problem.k} was found in time; allow full suppression or give more time",
                requirement=f"k={problem.k}",
                proven=False,
            )
        if cost == bound.value:
            status = "optimal"
        elif watch.stopped:
            status = "interrupted" if watch.interrupted else "time_limit"
        watch.tell("solve", cost=cost, lower_bound=bound.value)
        return Solution(plan, bound, status, self.name, {"solve": time.perf_counter() - begun})
