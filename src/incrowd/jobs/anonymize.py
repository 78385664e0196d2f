"""The main job: read, compress, solve, expand, verify, write."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.jobs.check import assert_verdict_matches_plan
from incrowd.jobs.large.choice import stays_in_engine
from incrowd.jobs.prepare import compressed, prepare
from incrowd.jobs.reductions import kernel_facts
from incrowd.jobs.row_types import InMemory
from incrowd.jobs.shares import Clock, memory_kept
from incrowd.jobs.stars_alone import stars_alone
from incrowd.policy.document import to_toml
from incrowd.policy.keys import DEFAULT_COST
from incrowd.policy.questions import complete
from incrowd.policy.words import proposed_facts
from incrowd.progress import Watch
from incrowd.report.document import check_report
from incrowd.results.release import Release
from incrowd.results.release_facts import History, ReleaseFacts, facts_of, recoding_facts, settings_facts
from incrowd.tables.attack.by_plan import gives_away
from incrowd.tables.attack.column_ties import changed_columns, column_ties
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.engine.open import on_spark, open_engine, refuse_remote
from incrowd.tables.measures import measure_all
from incrowd.tables.measures.context import kept_columns
from incrowd.tables.solve.last_pass import lowest_levels, settled
from incrowd.tables.source_files import are_paths
from incrowd.tables.write import check_folder, check_output, kind_of, refuse_unsafe, try_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.jobs.prepare import FittedPolicy
    from incrowd.jobs.row_types import RowTypeStore, Solved
    from incrowd.jobs.shares import MemoryShare
    from incrowd.policy.job import Job
    from incrowd.tables.table import Expanded, Grouped, Table
    from incrowd.tables.verdict import Verdict

    Facts = dict[str, Any]


BY_THE_WAY = 0.5  # seconds that the look at what is given away has at any rate


def anonymize(job: Job, watch: Watch | None = None) -> Release:
    """Read a table, release it under its policy, have it recounted, and write it.

    `watch` hears events, and can stop the search for a better release. The release is verified, and its table lives in
    the engine until the release is closed or forgotten. An IncrowdError is one sentence; nothing was written then.
    """
    history = History(watch or Watch())
    watch, clock = history.watch, Clock(history.watch)
    job = dataclasses.replace(job, policy=complete(job.policy))
    _check_outputs(job)
    with contextlib.ExitStack() as undo, memory_kept(job, watch) as memory:
        engine = undo.enter_context(open_engine(job.engine, memory.engine, job.source))
        try_place(engine, None if job.dry_run else job.output)
        store = prepare(engine, job.source, job.policy, clock, functools.partial(_row_types, job, memory))
        job = dataclasses.replace(job, policy=store.fitted.policy)  # with what was proposed spelled out
        found = store.solve(job, clock, memory)
        for change in CHANGES:
            found = change(job, found, watch)
        store, rules = found.store, found.store.fitted.rules
        with clock("expand"):
            expanded = store.expand(found)
        with clock("verify"):
            verdict = store.fitted.recoding.recount(expanded, rules)
            assert_verdict_matches_plan(verdict, found.problem, found.solution)
        found = found._replace(solution=store.recount(found, expanded, verdict, clock))
        with clock("measure"):
            facts = _measured(job, found, expanded, verdict, history)
        seconds = functools.partial(clock.report, found.solution.seconds)
        known = ReleaseFacts(**facts, seconds=seconds())  # as far as a report can know them
        release = Release(job, expanded, found.problem, found.solution, verdict, known, rules, found.lines)
        with clock("write"):
            if not job.dry_run:
                release.write()
        release.known = dataclasses.replace(release.known, seconds=seconds())
        undo.pop_all()  # the engine lives on from here
        return release


def _measured(job: Job, found: Solved, expanded: Expanded, verdict: Verdict, history: History) -> Facts:
    """Return the facts of a release, the notes among them; how long it took comes later."""
    problem, solution = found.problem, found.solution
    facts = facts_of(
        expanded=expanded, problem=problem, solution=solution, verdict=verdict,
        measures=measure_all(expanded, found.store.context(problem)), kept=kept_columns(found.store.table),
        mask=job.policy.mask.describe(), settings=settings_facts(job) | kernel_facts(problem, job),
    )  # fmt: skip
    facts |= found.facts
    for note in NOTES:
        facts |= note(job, found, expanded, facts, history.watch)
    return facts | {"progress": history.points(problem, solution, found.ended)}


def _row_types(
    job: Job, memory: MemoryShare, fitted: FittedPolicy, table: Table, ranges: Any, grouped: Grouped
) -> RowTypeStore:
    """Return the store of row types that were counted: in arrays where they fit, else left in the engine."""
    if not stays_in_engine(job, fitted, grouped.t, table.engine, memory):
        return InMemory.of(compressed(fitted, table, ranges, grouped))
    from incrowd.jobs.large.release import Counted  # with a solver's libraries

    return Counted(fitted, table, {}, grouped)


# What a user may add before anything is shown: changes of the plan.
def _lowest_levels(job: Job, found: Solved, watch: Watch) -> Solved:
    """Let every class show the lowest levels that hold for all its rows, where costs are not the usual ones."""
    del watch
    lowers = job.policy.cost != DEFAULT_COST and found.store.fitted.recoding.plain
    if not lowers or not found.store.in_memory:
        return found
    return found._replace(solution=lowest_levels(found.problem, found.solution))


def _blunted(job: Job, found: Solved, watch: Watch) -> Solved:
    """Randomize the release where that is asked."""
    if job.blunt is None:
        return found
    from incrowd.tables.solve.blunt import SystemRandomness, blunted  # with a solver's libraries

    solution = blunted(found.problem, found.solution, job.blunt, watch)
    return found._replace(solution=solution, seed=SystemRandomness().whole())


CHANGES: tuple[Callable[[Job, Solved, Watch], Solved], ...] = (_lowest_levels, _blunted)


# And afterwards: notes, which are facts alone.
def _of_recoding(job: Job, found: Solved, expanded: Expanded, facts: Facts, watch: Watch) -> Facts:
    del facts, watch
    own = found.store.fitted.recoding.facts(expanded, found.problem)
    return own | recoding_facts(job.policy, found.problem, found.solution)


def _given_away(job: Job, found: Solved, expanded: Expanded, facts: Facts, watch: Watch) -> Facts:
    """Return whether the release is settled, and what simple rules find in it, in a tenth of the time taken so far."""
    del expanded
    problem, plan = found.problem, found.solution.plan
    # rows stand where the rules say they cannot: on purpose, or as a star and a missing value look the same
    if job.blunt is not None or problem.gaps or not found.store.in_memory:
        return {"settled": False, "gives_away": None}
    hurried = watch.without_deadline()
    hurried.limit(max(BY_THE_WAY, watch.seconds / 10))
    plain = found.store.fitted.recoding.plain
    told = facts["optimal"] or (plain and settled(problem, plan, hurried))
    away = None
    if plain and not looks_at_table(job.policy.cost):
        away = gives_away(problem, plan, settled=told, watch=hurried)
    return {"settled": told, "gives_away": away}


def _column_ties(job: Job, found: Solved, expanded: Expanded, facts: Facts, watch: Watch) -> Facts:
    del job, expanded
    return column_ties(found.store.table, changed_columns(facts), watch)


def _hierarchies(job: Job, found: Solved, expanded: Expanded, facts: Facts, watch: Watch) -> Facts:
    """Return the hierarchies that were proposed, or what columns without one cost."""
    del job, expanded, facts
    store = found.store
    if store.fitted.proposals:
        return {"proposed_hierarchies": proposed_facts(store.fitted.proposals)}
    alone = None
    if isinstance(store, InMemory):
        alone = stars_alone(store.made, found.problem, found.solution, watch)
    return {} if alone is None else {"stars_alone": alone}


NOTES: tuple[Callable[[Job, Solved, Expanded, Facts, Watch], Facts], ...] = (
    _of_recoding, _given_away, _column_ties, _hierarchies,
)  # fmt: skip


def _check_outputs(job: Job) -> None:
    """Refuse files that could not be written, or would replace one another, before any work."""
    if job.keep_order and on_spark(job.engine) and (isinstance(job.source, (str, Path)) or are_paths(job.source)):
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
