"""The integer program of Bredereck, Nichterlein and Niedermeier, literally: a yardstick for small tables."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.memory.process import at_hand
from incrowd.memory.size import MB, in_words
from incrowd.milp import Answer, Outcome, solve
from incrowd.progress import Behind
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.certificate_head import of_release
from incrowd.tables.solve.shared.instances import TooManyInstances, common_step, list_instances
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

    from incrowd.progress import Fact, Watch
    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.solve.shared.instances import Instances

__all__ = ["Ilp"]

# Bytes that a pair of a row type and a pattern takes in the program and in the engine, with a quarter to spare.
PAIR = 2_000
# Pairs whose entries, three each, the engine can still number.
MOST_PAIRS = 500_000_000
# Share of the memory at hand that is planned with, and what counts as at hand where the system does not say.
SHARE, UNKNOWN = 0.85, 1_000 * MB
# What is known before anything was tried.
NOTHING = (None, Bound(0, 0, "none"), None)


@dataclass(frozen=True, kw_only=True)
class Ilp:
    """Equations (5) to (8): x[type, pattern] whole, u[instance] 0 or 1, every instance of every pattern.

    Parameters
    ----------
    room_mb : int, optional
        Memory up to which it starts, in MB, at least 1; by default what the system says is at hand.
    first : bool, default True
        Whether the greedy's release and the bound by counting are made first, and the program is solved only where
        they leave a gap; False: the engine gets the program alone, as in the paper.

    Notes
    -----
    Requirements with linear rows are met (`requirement_rows`): frequency l-diversity, t-closeness, what counts
    values, and the joint kind of few combinations; the entropy and recursive kinds by cuts on groups that fail
    (`no_good_cuts`). Then only undominated instances are listed, one type is a row with its sensitive values, and what
    the engine returns is recounted in integers; prices and a tree prove the optimum wherever they close the gap
    (`bounds.under_requirements.optimum`).

    Constraint (6) is the paper's sum_i x <= n u, (7) its sum_i x >= k u, left out for the fully suppressed instance
    where outliers need no crowd. Exponential time. Memory: about 1.6 kB in the engine for a pair of a row type and a
    pattern (measured: 5.2 GB for the 3.3 million pairs of Nursery); it plans with 2 kB.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2.
    .. [2] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
    """

    room_mb: int | None = None
    first: bool = True
    name: str = field(default="ilp", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(
        default="the paper's integer program, also under l-diversity and t-closeness; small tables", init=False
    )

    def __post_init__(self) -> None:
        if self.room_mb is not None and self.room_mb < 1:
            raise PolicyError(f"room_mb must be at least 1, not {self.room_mb}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements without linear rows, or too large a program."""
        reason = reason_against_rows(problem)
        if reason is not None:
            return reason
        patterns, t = problem.patterns.count(), problem.types.t
        need, room = patterns * t * PAIR, self._room
        if need > room:
            return (
                f"its program has one variable per row type and pattern, here {t} * {patterns} = {t * patterns}, for "
                f"which it takes about {in_words(need)} of memory, and about {in_words(room)} are at hand; allow fewer "
                "patterns or take solver 'exact'"
            )
        return None

    @property
    def _room(self) -> int:
        """Bytes that the program may take; never more than the engine can number."""
        found = at_hand() if self.room_mb is None else self.room_mb * MB
        return min(UNKNOWN if found is None else int(SHARE * found), MOST_PAIRS * PAIR)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release found; its bound is the engine's word where no certificate says it.

        Raises
        ------
        Infeasible
            If there is no release, or none was found in time.
        """
        found, _ = self.attempt(problem, watch)
        if found is None:
            raise none_in_time(problem)
        return found

    def attempt(self, problem: Problem, watch: Watch) -> tuple[Solution | None, int]:
        """Return the least release found, if any was, and the lower bound reached even where there is none.

        Parameters
        ----------
        problem : Problem
            Which the solver does not decline.
        watch : Watch
            Its time limit is asked while instances are listed and by the engine.

        Returns
        -------
        Solution or None
        int
            No release costs less, in scaled costs; the engine's word.

        Raises
        ------
        Infeasible
            If there is no release.
        """
        begun = time.perf_counter()
        refuse_hopeless(problem)
        plan, bound, proof = _first(problem, watch) if self.first else NOTHING
        counted = bound
        cost = None if plan is None else plan.cost(problem)
        answer = Answer(Outcome.TIME_LIMIT, None, np.inf, -np.inf)
        if cost != bound.value and not watch.stopped:
            unit = common_step([level.cost for level in problem.levels])
            instances = _listed(problem, watch)
            if instances is not None:
                answer = _answer(problem, instances, plan, unit, watch)
            if answer.outcome is Outcome.INFEASIBLE and plan is None:
                raise none_by_program(problem)
            if instances is not None and answer.x is not None:
                rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
                if holds(instances, rows) and (cost is None or cost_of(instances, rows) < cost):
                    found = to_plan(problem, instances, rows)
                    if broken(problem, found) is None:
                        plan, cost = found, cost_of(instances, rows)
            if cost is not None and answer.outcome is Outcome.CUTOFF:
                bound = Bound(cost, bound.checked, "an integer program")
            elif np.isfinite(answer.bound):
                value = int(np.ceil(answer.bound - 1e-6)) * unit
                value = max(bound.value, value if cost is None else min(value, cost))
                bound = Bound(value, bound.checked, "the paper's integer program")
        if plan is None or cost is None:
            return None, bound.value
        status = ended(cost, bound.value, watch)
        watch.tell("solve", cost=cost, lower_bound=bound.value)
        certificate = of_release(proof, cost, counted, bound)
        solution = Solution(
            plan, bound, status, self.name, {"solve": time.perf_counter() - begun}, certificate=certificate
        )  # fmt: skip
        return (with_certificate(problem, solution, watch) if cost == bound.value else solution), bound.value


def _listed(problem: Problem, watch: Watch) -> Instances | None:
    """Return the instances of the program; None where the time was over before they were listed."""
    try:
        return list_instances(
            problem, raw=not problem.requirements, watch=_Impatient(watch, watch.deadline), most_pairs=MOST_PAIRS
        )
    except _Stopped:
        return None
    except TooManyInstances:  # memory has become less since declines() was asked
        raise Infeasible("too many instances", requirement="memory", proven=False) from None


def _answer(problem: Problem, instances: Instances, plan: Plan | None, unit: int, watch: Watch) -> Answer:
    """Return the engine's answer on the program over the instances, from a release where there is one."""
    if problem.requirements:
        cutoff = None if plan is None else plan.cost(problem) / unit - 0.5
        return _required(problem, instances, unit, cutoff, watch)
    model = strong(instances, unit=unit, whole=True, big=True)
    start = None if plan is None else model.point(as_listed(problem, instances, plan))
    return solve(model.program, start=start, abs_gap=0.999, watch=watch)


class _Stopped(Exception):
    """The time is over."""


class _Impatient(Behind):
    """A watch that ends what tells it of its progress."""

    def tell(self, stage: str, **facts: Fact) -> None:
        """Tell an event, unless it is time to stop."""
        if self.stopped:
            raise _Stopped
        super().tell(stage, **facts)


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

    Raises Infeasible if counting shows that there is none.
    """
    try:
        first = Greedy().solve(problem, watch)
    except Infeasible as error:
        if error.proven:
            raise
        return None, Bound(0, 0, "none"), None
    return (first.plan if broken(problem, first.plan) is None else None), first.bound, first.certificate
