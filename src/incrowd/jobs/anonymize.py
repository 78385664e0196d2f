"""The main job: read, compress, solve, expand, verify, write."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.jobs.check import assert_verdict_matches_plan
from incrowd.jobs.check_certificate import with_recounted_bound
from incrowd.jobs.large.choice import Counted, check_disk, limit_engine_memory, prepare_within, stays_in_engine
from incrowd.jobs.reductions import kernel_facts
from incrowd.jobs.shares import Clock, memory_kept
from incrowd.jobs.solver_choice import seconds_of, solve
from incrowd.jobs.stars_alone import stars_alone
from incrowd.policy.document import to_toml
from incrowd.policy.keys import DEFAULT_COST
from incrowd.policy.questions import complete
from incrowd.policy.words import proposed_facts
from incrowd.progress import Watch
from incrowd.report.facts.release import History, facts_of, recoding_facts, settings_facts
from incrowd.report.pages.page import check_report
from incrowd.results.release import Release
from incrowd.settings import fraction_text
from incrowd.tables.attack.by_plan import gives_away
from incrowd.tables.attack.column_ties import changed_columns, column_ties
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.engine.open import on_spark, open_engine, refuse_remote
from incrowd.tables.measures import measure_all
from incrowd.tables.measures.context import kept_columns
from incrowd.tables.solve.last_pass import lowest_levels
from incrowd.tables.solve.last_pass import settled as settled_plan
from incrowd.tables.source_files import are_paths
from incrowd.tables.write import check_folder, check_output, kind_of, refuse_unsafe, try_place

if TYPE_CHECKING:
    from incrowd.jobs.prepare import Prepared
    from incrowd.jobs.shares import MemoryShare
    from incrowd.policy.job import Job
    from incrowd.tables.recoding.protocol import Recoding
    from incrowd.tables.values import Problem, Solution


BY_THE_WAY = 0.5  # seconds that the look at what is given away has at any rate


def anonymize(job: Job, watch: Watch | None = None) -> Release:
    """Read a table, release it under its policy, have it recounted, and write it.

    `watch` hears events, and can stop the search for a better release. The release is verified, and its table lives in
    the engine until the release is closed or forgotten. An IncrowdError is one sentence; nothing was written then.
    """
    history = History(watch or Watch())
    watch = history.watch
    clock = Clock(watch)
    policy = complete(job.policy)
    _check_outputs(job)
    with contextlib.ExitStack() as undo, memory_kept(job, watch) as memory:
        engine: Any = open_engine(job.engine, memory.engine, job.source)
        undo.push(engine)
        if job.output is not None and not job.dry_run and engine.files is not engine:
            try_place(engine, job.output)
        made = prepare_within(
            engine, job.source, policy, clock, lambda one, t: stays_in_engine(job, one, t, engine, memory)
        )
        policy = made.fitted.policy  # with what was proposed spelled out
        job = dataclasses.replace(job, policy=policy)
        if isinstance(made, Counted):
            return _beyond_memory(made, job, history, clock, memory, undo)
        recoding = made.fitted.recoding
        job_left, steps = job, dict[str, Any]()
        if made.ranges and policy.round is None:
            made, steps, job_left = _with_steps(made, job, watch)
        problem = made.problem()
        with memory.solving(engine, problem):
            solution = solve(problem, job_left, recoding, watch)
        ended = watch.seconds
        grids = {name: fraction_text(grid.step) for name, grid in made.ranges.items()}
        if made.ranges:
            from incrowd.tables.recoding.grid import settled  # with a solver's libraries

            made, problem, solution = settled(made, problem, solution)
        if policy.cost != DEFAULT_COST and recoding.lowers_levels:
            solution = lowest_levels(problem, solution)
        seed = job.seed
        if job.blunt is not None:
            from incrowd.tables.solve.blunt import (
                SystemRandomness,
                blunted,  # with a solver's libraries
            )

            solution = blunted(problem, solution, job.blunt, watch)
            seed = SystemRandomness().whole()
        with clock("expand"):
            expanded = made.expand(solution.plan, seed)
        with clock("verify"):
            verdict = recoding.recount(expanded, made.fitted.rules)
            assert_verdict_matches_plan(verdict, problem, solution)
        with clock("recount"):
            solution = with_recounted_bound(made, expanded, problem, solution, watch)
        with clock("measure"):
            context = recoding.measure_context(problem, policy.numeric)
            measures = measure_all(expanded, dataclasses.replace(context, numbers=made.numbers()))
            facts = facts_of(
                expanded=expanded, problem=problem, solution=solution, verdict=verdict, measures=measures,
                kept=kept_columns(made.table), mask=policy.mask.describe(),
                settings=settings_facts(job) | kernel_facts(problem, job), seconds=solution.seconds,
            )  # fmt: skip
            facts |= recoding.facts(expanded) | recoding_facts(policy, problem, solution)
            facts |= _given_away(job, recoding, problem, solution, facts, watch)
            facts |= column_ties(made.table, changed_columns(facts), watch).facts()
            facts |= {"grid": grids} if grids else {}
            facts |= {"grid_steps": steps} if steps else {}
            if made.fitted.proposals:
                facts["proposed_hierarchies"] = proposed_facts(made.fitted.proposals)
            elif (alone := stars_alone(made, problem, solution, watch)) is not None:
                facts["stars_alone"] = alone
        release = Release(job, expanded, problem, solution, verdict, facts, made.fitted.rules)
        facts["progress"] = history.points(problem, solution, ended)
        return _written(release, solution, clock, undo)


def _written(release: Release, solution: Solution, clock: Clock, undo: contextlib.ExitStack) -> Release:
    """Write a release as its job asks; its engine lives on from here."""
    facts, job = release.facts, release.job
    facts["seconds"] = clock.report(solution.seconds)  # as far as a report can know them
    with clock("write"):
        if not job.dry_run:
            release.write()
    facts["seconds"] = clock.report(solution.seconds)
    undo.pop_all()
    return release


def _with_steps(made: Prepared, job: Job, watch: Watch) -> tuple[Prepared, dict[str, Any], Job]:
    """Return what was prepared with the steps of its grids chosen, how they were, and the job with the time left."""
    from incrowd.tables.recoding.grid_step import SHARE, choose_steps  # with a solver's libraries

    limit = seconds_of(job)
    begun = watch.seconds
    watch.report("solve", choosing="the steps of the grids")
    watch.limit(limit, asked=job.time_limit is not None)
    found, told = choose_steps(made, seed=job.seed, watch=watch.share(SHARE))
    watch.limit(None)
    if job.time_limit is None:
        return found, told, job
    return found, told, dataclasses.replace(job, time_limit=max(job.time_limit - (watch.seconds - begun), 0.001))


def _beyond_memory(
    made: Counted, job: Job, history: History, clock: Clock, memory: MemoryShare, undo: contextlib.ExitStack
) -> Release:
    """Release a table whose row types stay in the engine."""
    from incrowd.jobs.large.release import release_in_engine  # with a solver's libraries

    disk = check_disk(made, memory)
    limit_engine_memory(made.table.engine, memory)
    clock.watch.report("compress", row_types=made.grouped.t, **disk)
    release, problem, solution, ended = release_in_engine(made, job, clock, disk, memory)
    release.facts["progress"] = history.points(problem, solution, ended)
    return _written(release, solution, clock, undo)


def _given_away(
    job: Job, recoding: Recoding, problem: Problem, solution: Solution, facts: dict[str, Any], watch: Watch
) -> dict[str, Any]:
    """Return whether the release is settled, and what simple rules find in it, in a tenth of the time taken so far."""
    # rows stand where the rules say they cannot: on purpose, or as a star and a missing value look the same
    if job.blunt is not None or problem.gaps:
        return {"settled": False, "gives_away": None}
    hurried = watch.without_deadline()
    hurried.limit(max(BY_THE_WAY, watch.seconds / 10))
    levels = recoding.name == "levels" and not problem.ranges
    settled = job.blunt is None and (facts["optimal"] or (levels and settled_plan(problem, solution.plan, hurried)))
    found = None
    if levels and job.blunt is None and not looks_at_table(job.policy.cost):
        found = gives_away(problem, solution.plan, settled=settled, watch=hurried)
    return {"settled": settled, "gives_away": found}


def _check_outputs(job: Job) -> None:
    """Refuse files that could not be written, or would replace one another, before any work."""
    if job.keep_order and job.engine == "spark" and (isinstance(job.source, (str, Path)) or are_paths(job.source)):
        raise PolicyError("keep_order: files that Spark's executors read have no order; leave it out")
    if job.dry_run:
        return
    if job.output is not None and on_spark(job.engine, job.source):
        refuse_remote(job.source)
        check_folder(job.output, spreadsheet_safe=job.spreadsheet_safe)
        if job.certificate is not None:
            check_output(job.certificate, job.source, any_ending=True)
    elif job.output is not None:
        check_output(job.output, job.source)
        if job.spreadsheet_safe and job.output != "-":
            refuse_unsafe(kind_of(Path(job.output)))
        if job.certificate is not None:
            check_output(job.certificate, job.source, job.output, any_ending=True)
    if job.report is not None:
        check_report(job.report, job.source, job.output, job.certificate)
    if job.save_policy is not None:
        check_output(job.save_policy, job.source, job.output, job.certificate, job.report, any_ending=True)
        to_toml(job.policy, None, Path())  # a hierarchy in memory alone has no name in a file
