"""The integer program of Bredereck, Nichterlein and Niedermeier, literally: a yardstick for small tables."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.milp import Answer, Outcome, solve
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.certificate_head import of_release
from incrowd.tables.solve.shared.instances import TooManyInstances, common_step, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import none_by_program, none_in_time
from incrowd.tables.solve.shared.requirement_check import broken, refuse_hopeless
from incrowd.tables.solve.shared.row_assignment import as_listed, cost_of, holds, to_plan
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.solve.textbook.ilp_requirements import reason_against_rows, required
from incrowd.tables.solve.textbook.no_good_cuts import cuts_against
from incrowd.tables.values import Bound, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.progress import Watch
    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.solve.shared.instances import Instances

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
    Requirements with linear rows are met (`requirement_rows`): frequency l-diversity, t-closeness, what counts
    values, and the joint kind of few combinations; the entropy and recursive kinds by cuts on groups that fail
    (`no_good_cuts`). Then only undominated instances are listed, one type is a row with its sensitive values, and what
    the engine returns is recounted in integers; prices and a tree prove the optimum wherever they close the gap
    (`bounds.under_requirements.optimum`).

    The greedy release is the first solution. Constraint (6) is the paper's sum_i x <= n u, (7) its
    sum_i x >= k u, left out for the fully suppressed instance where outliers need no crowd. Exponential time.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2.
    .. [2] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
    """

    most_pairs: int = 400_000
    name: str = field(default="ilp", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(
        default="the paper's integer program, also under l-diversity and t-closeness; small tables", init=False
    )

    def __post_init__(self) -> None:
        if self.most_pairs < 1:
            raise PolicyError(f"most_pairs must be at least 1, not {self.most_pairs}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements without linear rows, or too large a program."""
        reason = reason_against_rows(problem)
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
        """Return the least release found; its bound is the engine's word where no certificate says it.

        Raises
        ------
        Infeasible
            If there is no release, or none was found in time.
        """
        begun = time.perf_counter()
        refuse_hopeless(problem)
        plan, bound, proof = _first(problem, watch)
        counted = bound
        cost = None if plan is None else plan.cost(problem)
        if cost != bound.value and not watch.stopped:
            encoded = encode(problem)
            try:
                raw = not problem.requirements
                instances = list_instances(problem, encoded, raw=raw, watch=watch, most_pairs=self.most_pairs)
            except TooManyInstances:  # pragma: no cover  declines() counts the same pairs
                raise Infeasible("too many instances", requirement="most_pairs", proven=False) from None
            unit = common_step([level.cost for level in problem.levels])
            if problem.requirements:
                answer = _required(problem, instances, unit, None if cost is None else cost / unit - 0.5, watch)
            else:
                model = strong(instances, unit=unit, whole=True, big=True)
                start = None if plan is None else model.point(as_listed(problem, instances, plan))
                answer = solve(model.program, start=start, abs_gap=0.999, watch=watch)
            if answer.outcome is Outcome.INFEASIBLE and plan is None:
                raise none_by_program(problem)
            if answer.x is not None:
                rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
                if holds(instances, rows) and (cost is None or cost_of(instances, rows) < cost):
                    found = to_plan(problem, instances, rows)
                    if broken(problem, found) is None:
                        plan, cost = found, cost_of(instances, rows)
            if cost is not None and answer.outcome is Outcome.CUTOFF:
                bound = Bound(cost, bound.checked, "an integer program")
            elif cost is not None and np.isfinite(answer.bound):
                value = min(int(np.ceil(answer.bound - 1e-6)) * unit, cost)
                bound = Bound(max(value, bound.value), bound.checked, "the paper's integer program")
        if plan is None:
            raise none_in_time(problem)
        assert cost is not None
        status = ended(cost, bound.value, watch)
        watch.tell("solve", cost=cost, lower_bound=bound.value)
        certificate = of_release(proof, cost, counted, bound)
        solution = Solution(
            plan, bound, status, self.name, {"solve": time.perf_counter() - begun}, certificate=certificate
        )  # fmt: skip
        return with_certificate(problem, solution, watch) if cost == bound.value else solution


def _required(problem: Problem, instances: Instances, unit: int, cutoff: float | None, watch: Watch) -> Answer:
    """Return the engine's answer under the requirements, with cuts until no group fails them."""
    cuts: dict[bytes, LinearRows] = {}
    while True:
        model = required(problem, instances, unit=unit, cuts=tuple(cuts.values()))
        # On these programs the engine's presolve may go round for ever; with a cutoff it did on six rows.
        answer = solve(model.program, cutoff=cutoff, abs_gap=0.999, presolve=False, watch=watch)
        if answer.x is None or answer.outcome is Outcome.CUTOFF or watch.stopped:
            return answer
        rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
        failing = dict(cuts_against(problem, to_plan(problem, instances, rows))) if holds(instances, rows) else {}
        if not failing.keys() - cuts.keys():
            return answer
        cuts.update(failing)
        watch.tell("solve", cuts=len(cuts), lower_bound=int(np.ceil(answer.bound - 1e-6)) * unit)


def _first(problem: Problem, watch: Watch) -> tuple[Plan | None, Bound, Mapping[str, Any] | None]:
    """Return a release to start from, if the greedy finds one, and the bound by counting with its certificate.

    Raises
    ------
    Infeasible
        If counting shows that there is none.
    """
    try:
        first = Greedy().solve(problem, watch)
    except Infeasible as error:
        if error.proven:
            raise
        return None, Bound(0, 0, "none"), None
    return (first.plan if broken(problem, first.plan) is None else None), first.bound, first.certificate
