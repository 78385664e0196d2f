"""What lies between the stages of a job: the policy turned into what each stage asks for."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import InputError, OurBug, PolicyError, SolverDeclined, count_of
from incrowd.jobs.reductions import reducing
from incrowd.policy.job import DEFAULT_COST
from incrowd.tables import costs
from incrowd.tables.expand import expand, expand_ranges
from incrowd.tables.measures import MeasureContext
from incrowd.tables.measures.range_values import count_stars
from incrowd.tables.models.parse import names_of
from incrowd.tables.read.hierarchies import fit_hierarchies
from incrowd.tables.roles import Reading
from incrowd.tables.values import Domain, Int64, Levels, Problem, RowTypes, Solution, Solver, Verdict
from incrowd.tables.verify.release.costs import reading_of
from incrowd.tables.verify.release.faithful import verify_by_key
from incrowd.tables.verify.release.groups import Rules
from incrowd.tables.verify.release.pairing import verify_tables
from incrowd.tables.verify.release.range_rows import verify_ranged_by_key, verify_ranged_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.policy.job import Job, Policy
    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted, Hierarchy
    from incrowd.tables.mask import Patterns
    from incrowd.tables.table import Compressed, Expanded, Opened, Table
    from incrowd.tables.values import Violation

AUTO_SECONDS = 60.0


def complete(policy: Policy) -> Policy:
    """Refuse a policy that does not say enough to release a table."""
    if not policy.quasi_identifiers:
        _ = policy.roles  # says so
    if policy.k is None:
        raise PolicyError("no k is given: say with --k how many rows must look alike, for example --k 5")
    return policy


def hierarchies_of(policy: Policy, engine: Engine, opened: Opened) -> dict[str, Fitted]:
    """Return the hierarchies of a policy, checked against the values of the original table, by column."""
    return fit_hierarchies(
        engine, opened, policy.hierarchies,
        complete=policy.complete_hierarchies, star=star_of(policy), encoding=policy.reading.encoding,
    )  # fmt: skip


def patterns_of(policy: Policy, hierarchies: Mapping[str, Fitted]) -> Patterns:
    """Return the mask over the quasi-identifiers' levels."""
    columns = policy.quasi_identifiers
    return policy.mask.compile(columns, [hierarchies[name].height if name in hierarchies else 1 for name in columns])


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
        raise InputError(f"k={policy.k} is more than the table's {count_of(rows, 'row')}; choose a smaller k")


def pose(
    policy: Policy,
    types: RowTypes,
    patterns: Patterns,
    places: tuple[Int64 | None, ...] = (),
    nodes: Mapping[str, tuple[Hierarchy, Int64]] = MappingProxyType({}),
    domain: Domain | None = None,
) -> Problem:
    """Return the problem a solver is asked; `places` as in `Problem`, `nodes` as `nodes_of` gives them.

    Requirements are bound to `domain`, the sensitive values of the whole table.
    """
    levels, scale = cost_levels(policy, types.sizes, types.n, nodes)
    return Problem(
        types=types,
        levels=levels,
        patterns=patterns,
        k=int(policy.k or 1),
        outliers=policy.outliers,
        scale=scale,
        columns=policy.quasi_identifiers,
        places=places,
        requirements=() if domain is None else tuple(model.bind(domain) for model in policy.requirements),
        sensitive=None if domain is None else domain.sensitive,
    )


def judged_columns(policy: Policy) -> tuple[str, ...]:
    """Return the sensitive columns that a requirement judges."""
    return names_of(policy.requirements)


def nodes_of(
    policy: Policy, hierarchies: Mapping[str, Fitted], lines: Sequence[Int64 | None]
) -> dict[str, tuple[Hierarchy, Int64]]:
    """Return by column the hierarchy and the line of every value code in it."""
    return {
        name: (hierarchies[name].hierarchy, line)
        for name, line in zip(policy.quasi_identifiers, lines, strict=True)
        if line is not None
    }


def cost_levels(
    policy: Policy, sizes: Sequence[int], rows: int, nodes: Mapping[str, tuple[Hierarchy, Int64]]
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale."""
    reading_of(policy.cost)  # what the check cannot count is refused before any work
    return costs.cost_levels(
        policy.cost, policy.quasi_identifiers, sizes, rows=rows, nodes=nodes, weights=dict(policy.weights)
    )


def solve(problem: Problem, job: Job, watch: Watch) -> Solution:
    """Let the solver the job names (or the first that takes the problem) make a plan."""
    limit = job.time_limit
    if limit is None and job.solver == "auto":
        limit = AUTO_SECONDS
    solver = choose(problem, job)
    watch.limit(limit, asked=job.time_limit is not None)
    watch.tell("solve", solver=solver.name, row_types=problem.types.t, k=problem.k)
    try:
        found = solver.solve(problem, watch)
        further = problem.requirements and limit is not None and job.policy.recoding != "ranges"
        return raised(problem, found, watch) if further and job.solver != "auto" else found
    finally:
        watch.limit(None)


def raised(problem: Problem, found: Solution, watch: Watch) -> Solution:
    """Return a solution under requirements with what is left of the time spent on its bound: that of k alone."""
    from incrowd.tables.solve.improve.bound_of_k import k_bound
    from incrowd.tables.solve.shared.better import better

    if watch.stopped or found.status in ("optimal", "gap"):
        return found
    best = better(problem, found, k_bound(problem, found, watch), watch, 0.0)
    return best if best.status == "optimal" else dataclasses.replace(best, status=found.status)


def choose(problem: Problem, job: Job) -> Solver:
    """Return the solver for a job; ``exact`` takes the first registered exact one that does not decline.

    Raises
    ------
    SolverDeclined
        With the reason (for ``exact`` and named solvers).
    """
    options = {name: getattr(job, name) for name in ("work", "seed", "gap") if getattr(job, name) is not None}
    options["certificate"] = job.certificate is not None
    ranges = job.policy.recoding == "ranges"
    if ranges:
        options["ranges"] = True
    several = {"exact": registry.EXACT}
    reasons = []
    for name in several.get(job.solver, (job.solver,)):
        kind = registry.load("solvers", name)
        known = {option.name for option in dataclasses.fields(kind) if option.init}
        made = kind(**{name: value for name, value in options.items() if name in known})
        solver: Solver = made if ranges else reducing(made)
        reason = solver.declines(problem)
        if ranges and "ranges" not in known:
            reason = "it shows levels, no ranges; for recoding=ranges name a solver that makes them, like mondrian"
        if reason is None:
            return solver
        reasons.append(reason)
    told = "; ".join(dict.fromkeys(reasons))
    raise SolverDeclined(job.solver, told or "no exact solver is in this version; use auto")


def expanded(
    policy: Policy, table: Table, types: Compressed, problem: Problem, solution: Solution, seed: int
) -> Expanded:
    """Return the released rows: levels, or ranges where the policy says so."""
    if policy.recoding == "ranges":
        return expand_ranges(table, types, solution.plan, star=policy.star, seed=seed)
    return expand(table, types, solution.plan, star=star_of(policy), seed=seed)


def recounted(policy: Policy, release: Expanded, hierarchies: Mapping[str, Fitted]) -> Verdict:
    """Return the verdict on a release by its row keys."""
    check = verify_ranged_by_key if policy.recoding == "ranges" else verify_by_key
    return check(release, rules_of(policy, hierarchies))


def recounted_tables(
    policy: Policy, engine: Engine, before: Opened, after: Opened, hierarchies: Mapping[str, Fitted]
) -> tuple[Violation, ...]:
    """Return what is wrong with a release, from the two tables alone."""
    text, rules = text_columns(policy, patterns_of(policy, hierarchies)), rules_of(policy, hierarchies)
    if policy.recoding == "ranges":
        return verify_ranged_tables(engine, before, after, policy.roles, rules, text=text, star=policy.star)
    return verify_tables(engine, before, after, policy.roles, rules, text=text, star=star_of(policy))


def rules_of(policy: Policy, hierarchies: Mapping[str, Fitted] = MappingProxyType({})) -> Rules:
    """Return what the check holds a release to."""
    return Rules(
        k=int(policy.k or 1),
        outliers="forbid" if policy.recoding == "ranges" else policy.outliers,  # every class of ranges has k rows
        mask=policy.mask,
        names=policy.quasi_identifiers,
        weights=dict(policy.weights),
        cost=policy.cost,
        hierarchies=dict(hierarchies),
        requirements=policy.requirements,
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
    context = MeasureContext.of(problem, numeric=policy.numeric, ranges=policy.recoding == "ranges")
    return {name: registry.load("measures", name)().measure(release, context) for name in registry.MEASURES}


def told_of_ranges(policy: Policy, release: Expanded) -> dict[str, Any]:
    """Return the facts that are others where cells show ranges: those of stars (none where they show levels)."""
    if policy.recoding != "ranges":
        return {}
    stars, full = count_stars(release)
    rows = release.table.rows
    return {
        "suppressed_cells": sum(stars),
        "suppressed_fraction": sum(stars) / (rows * len(stars)),
        "fully_suppressed_rows": full,
        "stars_per_column": [
            {"name": c.name, "suppressed": n, "fraction": n / rows}
            for c, n in zip(release.table.quasi_identifiers, stars, strict=True)
        ],
    }


def as_we_write() -> Reading:
    """Return how a released CSV is read: exactly as `incrowd` writes it."""
    return Reading(header=True, delimiter=",", encoding="utf-8", strip=False)


def told(job: Job) -> dict[str, Any]:
    """Return what the facts say of the job's other settings."""
    return {
        "suppressed": job.policy.suppressed,
        "recoding": job.policy.recoding,
        "keep_order": job.keep_order,
        "dry_run": job.dry_run,
        "seed": job.seed,
        **({"cost_name": job.policy.cost} if job.policy.cost != DEFAULT_COST else {}),
    }
