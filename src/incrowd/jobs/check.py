"""The check inside a job: what a release is held to, and whether the verdict agrees with the plan."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd.errors import OurBug
from incrowd.results.release import Release
from incrowd.tables.range_columns import ranged_names
from incrowd.tables.user_units import in_units
from incrowd.tables.verify.release.groups import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.policy.job import Policy
    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.recoding.levels import Recoding
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Verdict


def rows_and_policy(released: Any, policy: Any) -> tuple[Any, Any]:
    """Return what is held against an original, and the policy it is held to.

    Of a `Release` its rows alone are held; where no policy is named, it brings its own along. `released` may also be a
    path, a frame or an Arrow table, and `policy` is a Policy, a Job, a path or None.
    """
    if not isinstance(released, Release):
        return released, policy
    return released.table, released.job if policy is None else policy


def rules_of(
    policy: Policy,
    recoding: Recoding,
    hierarchies: Mapping[str, Fitted] = MappingProxyType({}),
    counts: Mapping[str, ColumnCounts] = MappingProxyType({}),
) -> Rules:
    """Return what the check holds a release to.

    `recoding` and `hierarchies`, the latter by column and checked against the original table, are the policy's.
    `counts` are by column, for costs that look at the table.
    """
    return Rules(
        k=int(policy.k or 1),
        outliers=recoding.outliers(policy.outliers),
        mask=policy.mask.to_dict(),
        names=policy.quasi_identifiers,
        cost=policy.cost,
        weights=dict(policy.weights),
        hierarchies=dict(hierarchies),
        counts=dict(counts),
        requirements=policy.requirements,
        single=recoding.single,
        ranges=recoding.shows_ranges,
        suppression_limit=policy.suppression_limit,
        steps={} if policy.round is None else dict.fromkeys(ranged_names(policy), policy.round),
    )


def assert_verdict_matches_plan(verdict: Verdict, problem: Problem, solution: Solution) -> None:
    """Refuse our own release if the independent recount does not agree with the plan.

    The verdict is on the released rows, `problem` is what was asked, and `solution` what the solver claims. OurBug is
    raised if a rule is broken, the cost is another, or the lower bound is above it. Nothing may be written then.
    """
    claimed = in_units(problem, solution.plan.cost(problem))
    low, high = verdict.cost
    if not verdict.ok:
        broken = "; ".join(f"{v.rule} ({v.count})" for v in verdict.violations)
        raise OurBug(f"the independent check refused the release ({broken}); nothing was written. Please report this")
    if not low <= claimed <= high:
        raise OurBug(
            "the independent check counts another cost than the solver; nothing was written. Please report this"
        )
    if solution.bound.value > solution.plan.cost(problem):
        raise OurBug("the lower bound is above the cost; nothing was written. Please report this")
