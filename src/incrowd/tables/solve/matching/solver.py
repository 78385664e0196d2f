"""The solver `matching`: optimal 2-anonymity and 2-diversity."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.kernels.matching.metric import FAR
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.matching.metric import common_divisor
from incrowd.tables.solve.matching.optimal import EXPAND, Result, optimal_classes
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import broken, refuse_hopeless, requirements_in_words
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.solve.shared.time_limit import now
from incrowd.tables.values import Bound, Int32, Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.protocols import Requirement

NAME, VERSION = "incrowd 2-anonymity bound", 11
METHOD = "simplex matching: assignment prices and odd-set cuts"


@dataclass(frozen=True, kw_only=True)
class Matching:
    """Optimal release for k = 2, and for frequency 2-diversity of one or two columns, by simplex matching.

    Parameters
    ----------
    expand : int, default 4
        Types with more copies are handled by their count. Speed only; at least 2.

    Notes
    -----
    Under masks, weights, hierarchies and both outlier rules. O(n^2 L) steps of a fraction of a nanosecond per
    round of pricing, n rows in types of few copies; what the assignment leaves over is solved by a linear
    program around it and, at the end, an integer program, for which no polynomial bound holds. Memory O(n L).

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, Theorem 2.
    .. [2] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Theorems 1.1, 3.1.
    .. [3] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 11.
    """

    name: ClassVar[str] = "matching"
    cites = ("BlockiWilliams2010",)
    summary: ClassVar[str] = "optimal 2-anonymity (certified) and 2-diversity, by matching rows in pairs and triples"
    expand: int = EXPAND

    def __post_init__(self) -> None:
        if self.expand < 2:
            raise PolicyError(f"expand must be at least 2, not {self.expand}")

    def declines(self, problem: Problem) -> str | None:
        """Return why this solver will not start on the problem, or None."""
        return reason_against(problem, diverse=True)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return an optimal plan with its bound, or the best one when the watch says stop.

        Infeasible is raised when no release exists, or none was found in time.
        """
        began = time.perf_counter()
        refuse_hopeless(problem)
        sens = sensitive_codes(problem)
        result = optimal_classes(
            problem.types.codes, problem.types.counts, problem.levels, problem.patterns,
            outliers=problem.outliers, sens=sens, watch=watch, expand=self.expand,
        )  # fmt: skip
        solved = time.perf_counter()
        plan = planned(problem, result, watch)
        cost = plan.cost(problem)
        bound = Bound(min(result.bound, cost), min(result.checked, cost), METHOD)
        watch.report("solve", cost=cost, lower_bound=bound.value)
        return Solution(
            plan, bound, ended(cost, bound.value, watch, through="gap"), self.name,
            {"solve": solved - began}, notes(result), written(problem, plan, bound, result, diverse=sens is not None),
        )  # fmt: skip


def reason_against(problem: Problem, *, diverse: bool = False) -> str | None:
    """Return why classes of two and three rows do not answer a problem, or None; `diverse`: 2-diversity is known."""
    if problem.k != 2 and not (diverse and problem.requirements and problem.k == 1):
        return f"matching is exact for k=2 only, not for k={problem.k}"
    if problem.requirements and diverse:
        reason = reason_against_requirements(problem)
        if reason is not None:
            return reason
    elif problem.requirements:
        named = ", ".join(model.describe() for model in problem.requirements)
        return f"matching covers k=2 without further requirements, not {named}"
    if any(level.cost[0].any() for level in problem.levels):
        return "matching counts what rows lose beyond themselves, and under this cost rows as they are have a cost"
    full = sum(int(level.cost[-1].max(initial=0)) for level in problem.levels)
    if full // common_divisor(problem.levels) >= FAR:
        return "the costs have too many digits for matching; round the weights"
    return None


def planned(problem: Problem, result: Result, watch: Watch) -> Plan:
    """Return the plan of a result; where the time was over before there was one, the greedy's.

    Raises Infeasible when there is nothing at all.
    """
    if result.classes is not None:
        return plan_of(problem, result.classes, result.suppressed, result.rest)
    how = "no release can meet" if result.infeasible else "no release was found within the limit for"
    if not result.infeasible:
        with contextlib.suppress(Infeasible):
            plan = Greedy().solve(problem, now(watch) if watch.stopped else watch).plan
            if broken(problem, plan) is None:
                return plan
    raise Infeasible(
        f"{how} {requirements_in_words(problem)} under this mask: some rows find no partner that a pattern of the "
        "mask lets them look like; allow full suppression or more patterns",
        requirement=requirements_in_words(problem),
        proven=result.infeasible,
    )


def notes(result: Result) -> tuple[str, ...]:
    """Return what a reader should know about the proof."""
    if result.bound > result.checked:
        return ("the last part of the bound was proved by the integer program, not by the certificate",)
    return ()


def written(problem: Problem, plan: Plan, bound: Bound, result: Result, *, diverse: bool = False) -> dict[str, Any]:
    """Return the certificate for JSON; row types go by their place in the sorted table.

    With `diverse` they are told apart, and sorted, by the judged sensitive columns after the quasi-identifiers.
    """
    return {
        **head(problem, plan.cost(problem), bound, NAME, VERSION),
        "diverse": diverse,
        "matching": result.certificate.as_dict(),
    }


# Which requirements pairs and triples can answer: frequency 2-diversity of one or two sensitive columns.
#
# A class in which no value of the column (of either column) has more than half of the rows splits into pairs and at
# most one triple of rows that differ there, at no greater cost (`split`); and such pairs and triples meet the
# requirement. Joined, where they show the same, they meet it too. So the least matching by pairs and triples of rows
# that differ is the least release (Liang, Yuan, Theorem 11), for k = 1 and k = 2 alike.
def reason_against_requirements(problem: Problem) -> str | None:
    """Return why pairs and triples do not answer a problem's requirements, or None."""
    for requirement in problem.requirements:
        if _halves(requirement) is None:
            why = ""
            rules = requirement.count_rules()
            if any(rule.family == Family.DISTINCT and rule.exact and rule.least == 2 for rule in rules):
                why = ": two rows of one value and one of another meet it, but cannot be split"
            return f"matching covers k=2 and frequency 2-diversity, not {requirement.describe()}{why}"
    columns = len(_columns(problem))
    if columns > 2:
        return (
            f"matching covers 2-diversity of one or two sensitive columns, not of {columns}: four rows can meet "
            "three together and yet not be split"
        )
    return None


def sensitive_codes(problem: Problem) -> Int32 | None:
    """Return the values that must differ within a pair or triple; None where there is no requirement.

    They have shape (t, s), for s = 1 or 2 sensitive columns.
    """
    kinds = problem.types.kinds
    columns = _columns(problem)
    if not columns or kinds is None:
        return None
    return np.stack([code[kinds] for code in columns], axis=1).astype(np.int32)


def _columns(problem: Problem) -> list[Int32]:
    """Return the value of each kind in every column judged, each column once."""
    found: list[Int32] = []
    for requirement in problem.requirements:
        code = _halves(requirement)
        if code is not None and not any(np.array_equal(code, known) for known in found):
            found.append(code)
    return found


def _halves(requirement: Requirement) -> Int32 | None:
    """Return the value of each kind if the requirement is: no value in more than half of a class."""
    return next((rule.code for rule in requirement.count_rules() if rule.limit == Fraction(1, 2)), None)


# From classes of row types to a plan: the cheapest pattern of each class, classes of one instance together.
def plan_of(problem: Problem, classes: Int64, suppressed: Int64, rest: Int64) -> Plan:
    """Return the plan of a solution.

    `classes` is (g, 3): pairs and triples of types, -1 for no third. `suppressed` is (s,): types of single fully
    suppressed rows. `rest` is (t,): rows of each type left among themselves. O((g + t) L) time and memory. Classes that
    show the same are one: a class may grow, its cost per row stays.
    """
    left, members = np.flatnonzero(rest), classes[classes >= 0]
    sizes = np.concatenate(((classes >= 0).sum(axis=1), np.ones(left.size, np.int64)))
    types = np.concatenate((members, left)).astype(np.int32)
    begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    vectors = CanonicalPattern(problem, encode(problem)).of(begins, types)
    return joined(
        problem,
        np.concatenate((vectors, np.tile(np.array(problem.top, np.int8), (suppressed.size, 1)))),
        np.concatenate((types, suppressed)),
        np.repeat(np.arange(sizes.size + suppressed.size), [*sizes, *np.ones_like(suppressed)]),
        np.concatenate((np.ones(members.size, np.int64), rest[left], np.ones(suppressed.size, np.int64))),
    )
