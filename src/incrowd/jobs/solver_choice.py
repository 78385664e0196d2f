"""Which solver makes the plan of a job: the named one, the first exact one that takes the problem, or ``auto``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, cast

from incrowd import registry
from incrowd.errors import Infeasible, InputError, PolicyError, SolverDeclined, did_you_mean
from incrowd.jobs.reductions import OnKernel
from incrowd.memory import MB
from incrowd.progress import BOUNDS, Watch
from incrowd.settings import Setting, Shape, clean, shortened
from incrowd.tables.solve.mishap import release_kept, with_mishaps
from incrowd.tables.solve.shared.partial_plan import stars_alone
from incrowd.tables.solve.shared.refusals import option_names, option_types, solver_with
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.suppression_limit import within_limit
from incrowd.tables.user_units import offset_of
from incrowd.tables.values import Advice, Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Collection

    from incrowd.policy.job import Job
    from incrowd.tables.protocols import Solver
    from incrowd.tables.recoding.levels import Recoding
    from incrowd.tables.values import Problem


AUTO = "auto"
# the time of ``auto`` where no time limit is asked
AUTO_SECONDS = 60.0
# the memory of solvers that know beforehand what they take, where nothing else is asked; their own default
MOST_MB = 1024
# more memory than any machine has
MOST_ROOM_MB = 1 << 40
# the options of a job that are options of its solver
OPTIONS = ("work", "seed", "gap")
REDUCE = "reduce"  # the option that goes with any solver
YES_NO = {"yes": True, "true": True, "no": False, "false": False}
# names that stand for several solvers, of which the first that takes the problem is taken
SEVERAL = {"exact": registry.EXACT}
# rows up to which all sets of them are looked at sooner than programs over more patterns prove the least release
FEW_ROWS = 12


def solve(problem: Problem, job: Job, recoding: Recoding, watch: Watch) -> Solution:
    """Let the solver the job names (or the first that takes the problem) make a plan.

    Of the job its solver, options and time limit are used, and `recoding` is the policy's. The watch is given the time
    limit, hears events, and can stop the search. The solution has the plan, a lower bound and a status.
    `SolverDeclined` is raised if no solver that is named takes the problem, `Infeasible` when no release exists, or
    none was found, and `InputError` if there was none yet when memory was nearly used up. Without a time limit every
    solver but ``auto`` (60 seconds) runs until it is done, which can be exponential time.
    """
    if job.gap and problem.gaps:
        raise PolicyError(
            f"gap={job.gap:g} does not go with suppressed=null where quasi-identifiers miss values, whose searches "
            "count what these cost besides; limit the time instead, or take suppressed=text"
        )
    limit = seconds_of(job)
    room = None if watch.memory_budget is None else watch.within_memory(MOST_ROOM_MB, MB)
    solver = choose_solver(problem, job, recoding, room)
    from incrowd.tables.solve.bounds import counting  # with a solver's libraries

    watch.limit(limit, asked=job.time_limit is not None)
    watch.short, watch.untold = False, BOUNDS if problem.unsure else ()
    watch.failures.clear()
    unit = {"scale": problem.scale, "offset": offset_of(problem)}  # of the costs and bounds that it tells
    watch.report("solve", solver=solver.name, row_types=problem.types.t, k=problem.k, limit=limit, **unit)
    try:
        found = solver.solve(problem, watch)
        watch.report("solve", cost=found.plan.cost(problem))
        time_left = limit is not None and job.solver_name != AUTO
        found = raise_bound(problem, found, watch) if time_left and recoding.plain else found
        if watch.short and found.status != "optimal":
            said = Advice(f"the search ended early, for memory came near its limit (memory {job.memory})")
            found = dataclasses.replace(found, notes=(*found.notes, said))
        found = with_mishaps(found, watch)
        if problem.unsure:
            found = counting.with_bound(problem, found, counting.bound_of_complete_rows(problem, found, watch))
        return found
    except Infeasible as caught:
        error = counting.not_proven(caught) if problem.unsure else caught
        if error.proven or not watch.short:
            late = watch.stopped and not error.proven and recoding.option is None
            stars = stars_for(problem, solver.name, watch) if late else None
            if stars is None:
                raise error from None
            return stars
        raise InputError(f"no release was found before memory came near its limit ({job.memory}); give more") from None
    finally:
        watch.limit(None)
        watch.short, watch.untold = False, ()


def stars_for(problem: Problem, solver: str, watch: Watch) -> Solution | None:
    """Return the release of stars alone, for a solver that had no other when it was stopped.

    `solver` is its name, and `watch` the one that stopped it. None is returned where stars alone are no release.
    """
    plan = stars_alone(problem)
    if plan is None:
        return None
    cost = plan.cost(problem)
    said = Advice(f"{solver} had no release of its own when it was stopped: every row is suppressed whole")
    status = ended(cost, 0, watch, cut_short=True)
    return Solution(plan, Bound(0, 0, "none"), status, solver, {"solve": watch.seconds}, (said,))


def seconds_of(job: Job) -> float | None:
    """Return the limit on solving and bounding in seconds, None for none; ``auto`` without ``work`` has one always."""
    usual = AUTO_SECONDS if job.solver_name == AUTO and job.work is None else None
    return usual if job.time_limit is None else job.time_limit


def choose_solver(problem: Problem, job: Job, recoding: Recoding, most_mb: int | None = None) -> Solver:
    """Return the solver for a job, with its options set; ``exact`` takes the first exact one that does not decline.

    Exact solvers are tried in the order in which they are registered. Of the job its solver by name, options, and
    whether a certificate is asked for are used. The policy's `recoding` may decline a solver or add options. `most_mb`
    is the memory left below the job's limit, for solvers that know beforehand what they take; None: no limit.
    `SolverDeclined` is raised, with the reasons, if none of the named solvers takes the problem; `PolicyError`, if
    there is no solver of that name, or it refuses a value.
    """
    options = {name: getattr(job, name) for name in OPTIONS}
    options["room_mb"] = None if most_mb is None else max(most_mb, 1)
    options["most_mb"] = MOST_MB if most_mb is None else min(max(most_mb, 1), MOST_MB)
    options["certificate"] = job.certificate is not None
    if recoding.option is not None:
        options[recoding.option] = True
    reasons = []
    options |= own_options(job, taken=options)
    own = recoding.own_solver if job.solver_name in (AUTO, *SEVERAL) else None
    named = SEVERAL.get(job.solver_name, (job.solver_name,))
    few = problem.types.n <= FEW_ROWS and 1 << problem.types.n <= problem.patterns.count()
    if len(named) > 1 and problem.requirements and few:
        named = ("matching", "subset_dp", *named)
    for name in (own,) if own else named:
        solver = solver_with(name, options)
        if job.reduce == "kernel":
            solver = cast("Solver", OnKernel(solver, recoding, job.certificate is not None))
        solver = within_limit(solver, problem, job.policy.mask)
        reason = recoding.declines(option_names(name)) or solver.declines(problem)
        if reason is None:
            return solver
        reasons.append(reason)
    told = "; ".join(dict.fromkeys(reasons))
    raise SolverDeclined(job.solver_name, told or "no exact solver is in this version; use auto")


def own_options(job: Job, taken: Collection[str]) -> dict[str, Any]:
    """Return the options behind the name of a job's solver, in the types that the solver's own fields have.

    PolicyError is raised for one that the solver does not have, or that is `taken`: an option of the job; for a value
    of another type; and for a ``reduce`` that is not ``kernel``.
    """
    name, found = job.solver_name, dict[str, Any]()
    for key, text in job.solver_options.items():
        if key == REDUCE:
            if text not in ("kernel", "none"):
                raise PolicyError(f"solver {name}: reduce must be kernel or none, not {shortened(text)}")
            continue
        known = {} if name in (AUTO, *SEVERAL) else option_types(name)
        names = sorted(set(known) - set(taken))
        if key not in names:
            there = f"it has {', '.join([*names, REDUCE])}"
            if key in taken:
                there = f"give it as an option of the job ({key} = {text})"
            elif not known:
                there = f"{name} stands for several; name one of `incrowd list solvers`"
            raise PolicyError(f"solver {name} has no option {shortened(key)}{did_you_mean(key, names)}; {there}")
        found[key] = _typed(known[key], text, f"solver {name}: {key}")
    return found


def _typed(kind: str, text: str, what: str) -> Any:
    """Return a text as a value of a field whose annotation is `kind`."""
    if "bool" in kind:
        if text not in YES_NO:
            raise PolicyError(f"{what} must be yes or no, not {shortened(text)}")
        return YES_NO[text]
    shapes: dict[str, Shape] = {"int": "integer", "float": "number"}
    shape = shapes.get(kind.partition(" ")[0])
    return text if shape is None else clean(Setting(help="", shape=shape), what, text)


def raise_bound(problem: Problem, found: Solution, watch: Watch) -> Solution:
    """Return a solution under requirements with the lower bound for k alone, if that is higher.

    Every release that meets the requirements is k-anonymous, so a bound for all k-anonymous ones holds for it too. What
    is left of the watch's time is spent on the bound. `found` itself is returned where nothing was gained.
    """
    from incrowd.tables.solve.improve.bound_of_requirements import k_bound
    from incrowd.tables.solve.shared.status import better

    if not problem.requirements or watch.stopped or found.status in ("optimal", "gap"):
        return found
    with release_kept(watch):
        best = better(problem, found, k_bound(problem, found, watch), watch, 0.0)
        return best if best.status == "optimal" else dataclasses.replace(best, status=found.status)
    return found
