"""The main jobs, one screen each: they read as sentences."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.jobs import check_certificate, stages
from incrowd.jobs.prepare import prepare
from incrowd.policy.job import DEFAULT_COST
from incrowd.progress import Watch
from incrowd.report.facts.history import History
from incrowd.report.facts.release import facts_of
from incrowd.report.pages.html import check_report
from incrowd.results.release import Release
from incrowd.tables.engine.base import open_engine
from incrowd.tables.measures.kept_columns import kept_columns
from incrowd.tables.read import open_source
from incrowd.tables.solve.shared.lowest_levels import lowest_levels
from incrowd.tables.write import check_output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction
    from pathlib import Path

    from incrowd.policy.job import Job
    from incrowd.tables.values import Violation

__all__ = ["Checked", "anonymize", "verify"]


def anonymize(job: Job, watch: Watch | None = None) -> Release:
    """Read a table, release it under its policy, have it recounted, and write it.

    Parameters
    ----------
    job : Job
    watch : Watch, optional
        Hears events, and can stop the search for a better release.

    Returns
    -------
    Release
        Verified. Its table lives in the engine until the release is closed or forgotten.

    Raises
    ------
    IncrowdError
        One sentence; nothing was written then.
    """
    history = History(watch or Watch())
    watch = history.watch
    clock = Clock(watch)
    policy = stages.complete(job.policy)
    if job.output is not None and not job.dry_run:
        check_output(job.output, job.source)
        if job.certificate is not None:
            check_output(job.certificate, job.source, job.output, any_ending=True)
    if job.report is not None and not job.dry_run:
        check_report(job.report, job.source, job.output, job.certificate)
    engine = open_engine(job.engine, job.memory, job.source)
    with contextlib.ExitStack() as undo:
        undo.callback(engine.close)
        made = prepare(engine, job.source, policy, clock)
        problem = made.problem(policy)
        solution = stages.solve(problem, job, watch)
        if policy.cost != DEFAULT_COST and policy.recoding == "levels":
            solution = lowest_levels(problem, solution)
        ended = watch.seconds
        with clock("expand"):
            expanded = stages.expanded(policy, made.table, made.types, problem, solution, job.seed)
        with clock("verify"):
            verdict = stages.recounted(policy, expanded, made.hierarchies)
            stages.refuse_ours(verdict, problem, solution)
        with clock("measure"):
            facts = facts_of(
                expanded=expanded, problem=problem, solution=solution, verdict=verdict,
                measures=stages.measure(policy, expanded, problem), kept=kept_columns(made.table),
                mask=policy.mask.describe(), settings=stages.told(job), seconds=solution.seconds,
            )  # fmt: skip
            facts |= stages.told_of_ranges(policy, expanded)
        release = Release(job, expanded, problem, solution, verdict, facts)
        facts["progress"] = history.points(problem, solution, ended)
        facts["seconds"] = clock.report(solution.seconds)  # as far as a report can know them
        with clock("write"):
            if not job.dry_run:
                release.write()
        facts["seconds"] = clock.report(solution.seconds)
        undo.pop_all()
    return release


def verify(
    original: Any, released: Any, job: Job, certificate: str | Path | Mapping[str, Any] | None = None
) -> Checked:
    """Recount a release from the original and the released table alone, and its certificate if there is one.

    Parameters
    ----------
    original, released : path, frame or Arrow table
        `original` is read as the policy says, `released` as `incrowd` writes it.
    job : Job
        Its policy says what to hold the release to.
    certificate : path or mapping, optional
        What `Release.certificate` wrote.

    Returns
    -------
    Checked

    Raises
    ------
    IncrowdError
        If a table or the certificate cannot be read, or the question is above the limit stated in the message.
    """
    policy = stages.complete(job.policy)
    claims = None if certificate is None else check_certificate.read_certificate(certificate)
    if claims is not None and policy.recoding == "ranges":
        raise PolicyError("a release of ranges comes without a certificate; verify it without --certificate")
    with open_engine(job.engine, job.memory, original, released) as engine:
        before = open_source(engine, original, policy.reading)
        after = open_source(engine, released, stages.as_we_write())
        policy.roles.check(before.names, quotable=before.quotable)
        hierarchies = stages.hierarchies_of(policy, engine, before)
        found = stages.recounted_tables(policy, engine, before, after, hierarchies)
        told = before.notes_on(policy.roles.kept(before.names))
        if claims is None:
            return Checked(found, notes=told)
        again = check_certificate.recheck(engine, before, after, policy, hierarchies, claims)
    return Checked(
        (*found, *again.violations), again.cost, again.lower_bound, again.proven, again.question, again.k, told
    )


@dataclass(frozen=True, slots=True)
class Checked:
    """What a stranger's recount found.

    Attributes
    ----------
    violations : tuple of Violation
        Empty when the release is good.
    cost, lower_bound : Fraction, optional
        In the user's units, recounted; only with a certificate.
    proven : bool, optional
        Whether the whole claimed bound was recounted; only with a certificate.
    question, k : str, int, optional
        What the bound is about: ``"k-anonymity"`` with that k, or ``"2-diversity"`` (no sensitive value in more than
        half of a class); only with a certificate.
    notes : tuple of str
        What the reader of the original has to tell; names and counts only.
    """

    violations: tuple[Violation, ...]
    cost: Fraction | None = None
    lower_bound: Fraction | None = None
    proven: bool | None = None
    question: str | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()


class Clock:
    """Wall seconds per stage, told as they end."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time a stage."""
        began = time.perf_counter()
        yield
        self.seconds[stage] = time.perf_counter() - began
        self.watch.tell(stage, seconds=round(self.seconds[stage], 3))

    def report(self, solving: Mapping[str, float]) -> dict[str, float]:
        """Return the seconds of every stage, the solver's own, and the total."""
        seconds = {**self.seconds, **solving, "total": time.perf_counter() - self.began}
        return {name: round(value, 4) for name, value in seconds.items()}
