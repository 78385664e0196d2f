"""Loss over k: a table is read and grouped once, and solved for every threshold by every solver named."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, PolicyError, SolverDeclined
from incrowd.jobs.prepare import prepare
from incrowd.jobs.shares import memory_kept
from incrowd.jobs.solver_choice import AUTO, AUTO_SECONDS, solve
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.report.document import check_report
from incrowd.results.release_facts import number
from incrowd.results.tradeoff import Tradeoff
from incrowd.settings import as_fraction, fraction_text
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of
from incrowd.tables.recoding import load_recoding
from incrowd.tables.user_units import in_units
from incrowd.tables.workload import plain_cost
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.recoding.levels import Recoding
    from incrowd.tables.values import Problem, Solution


def tradeoff(
    job: Job,
    *,
    ks: Iterable[int],
    ls: Iterable[Any] = (),
    ts: Iterable[Any] = (),
    solvers: Iterable[str] = (AUTO,),
    costs: Iterable[str] = (),
    attack: bool = False,
    watch: Watch | None = None,
) -> Tradeoff:
    """Solve a table for every threshold, without releasing anything.

    Of the job its source, policy (whose k is not needed) and limits are used. Its ``time_limit`` is each point's;
    without one the points of ``auto`` share 60 seconds. Every k is at least 1 and at most the rows. `ls` and `ts` are
    thresholds for l and t in place of the policy's; every combination is solved. `solvers` are names as for ``solver``.
    `costs` are named as a policy names them and stand in place of the policy's; every one is solved by. `attack` counts
    what each release would give away, as it is and blunted. The result has one point per cost, solver and combination,
    by increasing k. A solver that declines, or finds nothing, has a point without a cost that says why. Wrong use or
    bad input raises `PolicyError` or `InputError`, in one sentence. What is k-anonymous is k'-anonymous for every
    smaller k', so a bound for a smaller k holds for a greater one, and bounds are carried over between points whose
    other thresholds are the same. Bounds of different solvers are joined alike, but for different costs. Time: one read
    and grouping a cost, and one solve a point.
    """
    watch = watch or Watch()
    told = list(dict.fromkeys(costs)) or [job.policy.cost]
    thresholds = (list(ks), list(ls), list(ts))
    by_cost = [list(_policies(dataclasses.replace(job.policy, cost=cost), *thresholds)) for cost in told]
    jobs = [dataclasses.replace(job, policy=policies[0]) for policies in by_cost]  # a gap may not go with a cost
    names = list(dict.fromkeys(solvers))
    if not names:
        raise PolicyError("solvers must name at least one solver, for example auto")
    if job.report is not None:
        check_report(job.report, job.source)
    if attack and not load_recoding(job.policy.recoding).plain:
        raise PolicyError(f"attack is about recoding=levels and does not go with recoding={job.policy.recoding}")
    first = jobs[0].policy
    began = time.perf_counter()
    points, asked = [], []
    with memory_kept(job, watch) as memory:
        with open_engine(job.engine, memory.engine, job.source) as engine:
            for policies in by_cost:
                made = prepare(engine, job.source, policies[0], lambda _: contextlib.nullcontext())
                asked += [(policy, made.problem(policy)) for policy in policies]
        preparing = time.perf_counter() - began
        for policy, problem in asked:
            for name in names:
                one = dataclasses.replace(job, solver=name, time_limit=_limit(job, name, len(asked)))
                points.append(_point(policy, problem, one, made.fitted.recoding, watch, attack=attack))
                found = {key: points[-1][key] for key in ("k", "cost", "lower_bound")}
                watch.report("tradeoff", solver=name, **found, point=len(points), points=len(asked) * len(names))
    curve = Tradeoff(
        source=label_of(job.source).strip("'"),
        rows=made.table.rows,
        quasi_identifiers=list(first.quasi_identifiers),
        row_types=made.types.types.t,
        points=_with_best_bounds(
            points, carried=not made.fitted.recoding.single, certain=not any(one.unsure for _, one in asked)
        ),
        mask=first.mask.describe(),
        outlier_rule=first.outliers,
        seconds={"prepare": round(preparing, 4), "total": round(time.perf_counter() - began, 4)},
        seed=job.seed,
        version=__version__,
    )
    if job.report is not None:
        curve.report(job.report)
    return curve


def _policies(policy: Policy, ks: Iterable[int], ls: Iterable[Any], ts: Iterable[Any]) -> Iterator[Policy]:
    """Return the policy with every combination of thresholds, the least k first."""
    sizes = sorted(set(ks))
    if not sizes:
        raise PolicyError("ks must name at least one k, for example 2,5,10")
    all_l: list[Fraction | None] = [*sorted({as_fraction(value, "ls") for value in ls})]
    all_t: list[Fraction | None] = [*sorted({as_fraction(value, "ts") for value in ts})]
    for k, l, t in itertools.product(sizes, all_l or [policy.l], all_t or [policy.t]):  # noqa: E741
        yield complete(dataclasses.replace(policy, k=k, l=l, t=t))


def _limit(job: Job, name: str, combinations: int) -> float | None:
    """Return the seconds that a solver's point may take (None: no limit)."""
    if job.time_limit is not None:
        return job.time_limit
    return AUTO_SECONDS / combinations if name == AUTO else None


def _point(
    policy: Policy, problem: Problem, job: Job, recoding: Recoding, watch: Watch, *, attack: bool
) -> dict[str, Any]:
    began = time.perf_counter()
    asked = {
        "cost_name": plain_cost(policy.cost),
        "k": problem.k,
        "l": None if policy.l is None else fraction_text(policy.l),
        "t": None if policy.t is None else fraction_text(policy.t),
        "solver": job.solver,
    }
    try:
        solution = solve(problem, job, recoding, watch)
    except (Infeasible, SolverDeclined) as error:
        nothing = dict.fromkeys(
            ("cost", "lower_bound", "stars_alone", "suppressed_fraction", "classes", "smallest", "highest_risk")
        )
        done = {**nothing, "solver_used": None, "status": "none", "why": str(error)}
    else:
        done = _solution_facts(problem, solution)
        if attack:
            from incrowd.tables.attack.by_plan import blunt_curve  # with a solver's libraries

            done["attack"] = blunt_curve(problem, solution, watch)
    return {**asked, **done, "seconds": round(time.perf_counter() - began, 4)}


def _solution_facts(problem: Problem, solution: Solution) -> dict[str, Any]:
    plan = solution.plan
    top = np.array(problem.top, np.int8)
    sizes = plan.sizes()
    starred = ((plan.levels == top) & (top > 0)).sum(axis=1)
    shown = sizes if problem.outliers == "forbid" else sizes[(plan.levels != top).any(axis=1)]
    return {
        "cost": number(in_units(problem, plan.cost(problem))),
        "lower_bound": number(in_units(problem, solution.bound.value)),
        "stars_alone": number(in_units(problem, int(problem.row_costs(problem.top) @ problem.types.counts))),
        "suppressed_fraction": int((starred * sizes).sum()) / (problem.types.n * len(problem.levels)),
        "classes": int(shown.size),
        "smallest": int(shown.min()) if shown.size else None,
        "highest_risk": 1 / int(shown.min()) if shown.size else None,
        "solver_used": solution.solver,
        "status": solution.status,
        "why": None,
    }


def _with_best_bounds(points: list[dict[str, Any]], *, carried: bool, certain: bool) -> list[dict[str, Any]]:
    """Give every point the best bound that is known for it, and its gap.

    With `carried` a bound for a smaller k counts for a greater one. Under one recoding for the whole table it does not:
    there a vector may have a release for the greater k alone, whose suppressed rows are a crowd. Nothing is called
    optimal unless `certain`.
    """
    out = []
    for point in points:
        alike = [one for one in points if all(one[name] == point[name] for name in ("cost_name", "l", "t"))]
        these = [one for one in alike if one["k"] == point["k"] or (carried and one["k"] < point["k"])]
        bound = max((one["lower_bound"] for one in these if one["lower_bound"] is not None), default=None)
        cost, gap = point["cost"], None
        if cost is not None and bound is not None:
            gap = 0.0 if cost == bound else (cost - bound) / bound if bound > 0 else None
        best_of_all = certain and cost is not None and cost == bound
        out.append({**point, "lower_bound": bound, "gap": gap, "optimal": best_of_all})
    return out
