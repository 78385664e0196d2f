"""What lies between the stages of a job: the policy turned into what each stage asks for."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import registry
from incrowd.errors import InputError, OurBug, PolicyError, SolverDeclined
from incrowd.tables.costs.scale import scaled_levels
from incrowd.tables.measures import MeasureContext
from incrowd.tables.roles import Reading
from incrowd.tables.values import Levels, Problem, RowTypes, Solution, Solver, Verdict
from incrowd.tables.verify.groups import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.job import Job, Policy
    from incrowd.tables.mask import Patterns
    from incrowd.tables.table import Expanded
    from incrowd.watch import Watch

AUTO_SECONDS = 60.0


def complete(policy: Policy) -> Policy:
    """Refuse a policy that does not say enough to release a table."""
    if not policy.quasi_identifiers:
        _ = policy.roles  # says so
    if policy.k is None:
        raise PolicyError("no k is given: say with --k how many rows must look alike, for example --k 5")
    return policy


def patterns_of(policy: Policy) -> Patterns:
    """Return the mask over the quasi-identifiers' levels."""
    columns = policy.quasi_identifiers
    return policy.mask.compile(columns, [1] * len(columns))


def text_columns(policy: Policy, patterns: Patterns) -> tuple[str, ...]:
    """Return the quasi-identifiers that become text: those that the mask could change, unless stars are NULL."""
    if policy.suppressed == "null":
        return ()
    return tuple(name for name, level in zip(policy.quasi_identifiers, patterns.reach(), strict=True) if level)


def star_of(policy: Policy) -> str | None:
    """Return the text of a star (None: NULL)."""
    return policy.star if policy.suppressed == "text" else None


def enough_rows(policy: Policy, rows: int) -> None:
    """Refuse a k above the number of rows."""
    if policy.k is not None and policy.k > rows:
        raise InputError(f"k={policy.k} is more than the table's {rows} rows; choose a smaller k")


def pose(policy: Policy, types: RowTypes, patterns: Patterns) -> Problem:
    """Return the problem a solver is asked."""
    levels, scale = cost_levels(policy, types.sizes, types.n)
    return Problem(
        types=types,
        levels=levels,
        patterns=patterns,
        k=int(policy.k or 1),
        outliers=policy.outliers,
        scale=scale,
        columns=policy.quasi_identifiers,
    )


def cost_levels(policy: Policy, sizes: Sequence[int], rows: int) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale."""
    if policy.weights:
        cost = registry.load("costs", "weighted")(dict(policy.weights))
    else:
        cost = registry.load("costs", "suppressed_cells")()
    ups = [np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]) for d in sizes]
    return scaled_levels(cost, policy.quasi_identifiers, ups, rows=rows)


def solve(problem: Problem, job: Job, watch: Watch) -> Solution:
    """Let the solver the job names (or the first that takes the problem) make a plan."""
    limit = job.time_limit
    if limit is None and job.solver == "auto":
        limit = AUTO_SECONDS
    solver = choose(problem, job)
    watch.limit(limit)
    watch.tell("solve", solver=solver.name, row_types=problem.types.t, k=problem.k)
    try:
        return solver.solve(problem, watch)
    finally:
        watch.limit(None)


def choose(problem: Problem, job: Job) -> Solver:
    """Return the solver for a job; ``exact`` takes the first registered exact one that does not decline.

    Raises
    ------
    SolverDeclined
        With the reason (for ``exact`` and named solvers).
    """
    options = {name: getattr(job, name) for name in ("work", "seed", "gap") if getattr(job, name) is not None}
    several = {"exact": registry.EXACT}
    reasons = []
    for name in several.get(job.solver, (job.solver,)):
        kind = registry.load("solvers", name)
        known = {option.name for option in dataclasses.fields(kind) if option.init}
        solver: Solver = kind(**{name: value for name, value in options.items() if name in known})
        reason = solver.declines(problem)
        if reason is None:
            return solver
        reasons.append(reason)
    raise SolverDeclined(job.solver, "; ".join(reasons) or "no exact solver is in this version; use auto")


def rules_of(policy: Policy) -> Rules:
    """Return what the check holds a release to."""
    return Rules(
        k=int(policy.k or 1),
        outliers=policy.outliers,
        mask=policy.mask,
        names=policy.quasi_identifiers,
        weights=dict(policy.weights),
    )


def refuse_ours(verdict: Verdict, problem: Problem, solution: Solution) -> None:
    """Refuse our own release if the recount and the plan disagree.

    Raises
    ------
    OurBug
        Nothing may be written then.
    """
    claimed = Fraction(solution.plan.cost(problem), problem.scale)
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


def measure(policy: Policy, release: Expanded, problem: Problem) -> dict[str, Any]:
    """Return every registered measure of a release by its name."""
    context = MeasureContext.of(problem, numeric=policy.numeric)
    return {name: registry.load("measures", name)().measure(release, context) for name in registry.MEASURES}


def as_we_write() -> Reading:
    """Return how a released CSV is read: exactly as `incrowd` writes it."""
    return Reading(header=True, delimiter=",", encoding="utf-8", strip=False)


def told(job: Job) -> dict[str, Any]:
    """Return what the facts say of the job's other settings."""
    return {
        "suppressed": job.policy.suppressed,
        "keep_order": job.keep_order,
        "dry_run": job.dry_run,
        "seed": job.seed,
    }
