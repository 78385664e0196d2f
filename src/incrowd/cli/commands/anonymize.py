"""``incrowd anonymize``: a verified release of a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from incrowd.cli.each import jobs_of_each
from incrowd.cli.exit_status import INTERRUPTED, say
from incrowd.cli.options import GroupedCommand, job_of, one_source, with_settings
from incrowd.cli.progress import watching
from incrowd.cli.screen import show
from incrowd.errors import IncrowdError, InputError, PolicyError
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading

__all__ = ["anonymize"]


@with_settings(settings_of(Policy), MASK_SETTINGS, settings_of(Reading), settings_of(Job))
@click.command(cls=GroupedCommand)
@click.argument("table", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--details", is_flag=True, help="tell how the search went too, in the solver's own words")
@click.option("--estimate", is_flag=True, help="say what it would take in memory, disk and time, and release nothing")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error, and no summary")
@click.option("--each", is_flag=True, help="release every file by itself; -o, --report and --certificate name folders")
@click.option("--ledger", metavar="FILE", help="warn of earlier releases of these people, and note this one in FILE")
@click.option("--people", metavar="NAME", help="with --ledger: whose data it is, in your own words")
@click.option("--person", metavar="COLUMN", help="with --ledger: the column that says whose row it is")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key or joins its table")
def anonymize(
    table: tuple[str, ...], policy: str | None, as_json: bool, details: bool, estimate: bool, quiet: bool, each: bool,
    ledger: str | None, people: str | None, person: str | None, **options: Any,
) -> int:  # fmt: skip
    """Release TABLE under a policy: every row looks like at least k-1 others.

    Several files, a pattern like '2024-*.csv' or a folder are one table; with --each every file is one of its own.

    Example: incrowd anonymize patients.csv -o release.csv --qi age,sex,postcode --k 5

    \f

    Parameters
    ----------
    table : tuple of str
        Paths of the table's files; none where the policy file names them.
    policy : str or None
        Path of the policy file.
    as_json, details, estimate, quiet, each : bool
        Answer in JSON; add how the search went; read and compress only, and say what the rest would take; no summary;
        a release for every file.
    ledger, people, person : str or None
        Path of the ledger, whose data it is, and the column that says whose row it is.
    **options
        Settings by name; None or empty where not given.

    Returns
    -------
    int
        0, or 130 where Ctrl-C ended the search and the best release so far was kept; with ``--each`` that of the first
        table that could not be released.

    Raises
    ------
    InputError, PolicyError
        If table or output is missing or cannot be used, or the policy does not fit the table.
    SolverDeclined
        If the named solver does not take the problem.
    Infeasible
        If no release meets the policy, or none was found.
    """  # noqa: D301
    if each:
        if estimate:
            raise InputError("--estimate does not go with --each: ask for one table at a time")
        if ledger is not None:
            raise PolicyError("--ledger does not go with --each: release the tables one after the other")
        return _released_each(job_of(policy, options), table, as_json=as_json, details=details, quiet=quiet)
    job = job_of(policy, {**options, "source": one_source(table)})
    from incrowd.jobs.anonymize import anonymize as run

    if job.source is None:
        raise InputError("no table is given: say which, for example `incrowd anonymize patients.csv -o release.csv`")
    if estimate:
        return _estimated(job.replace(dry_run=True), as_json=as_json, quiet=quiet)
    if job.output is None and not job.dry_run:
        raise InputError("no output is given: say with -o where the release goes, or --dry-run to only try")
    if job.output == "-" and as_json:
        raise InputError("-o - and --json both want standard output; write the release to a file")
    entry = _warned(job, ledger, people, person, quiet=quiet)
    with watching(job, quiet) as watch, run(job, watch) as release:
        if entry is not None and not job.dry_run:
            from incrowd.jobs.several.ledger import add

            add(Path(str(ledger)), entry)
        if as_json:
            click.echo(release.to_json())
        elif not quiet:
            show(release.shell_summary(details=details), nl=False, err=job.output == "-")
            if job.output not in (None, "-") and not job.dry_run:
                told = f", its report in '{Path(str(job.report)).name}'" if job.report else ""
                show(f"\nThe release is in '{Path(str(job.output)).name}'{told}.")
        return INTERRUPTED if watch.interrupted else 0


def _warned(
    job: Job, ledger: str | None, people: str | None, person: str | None, *, quiet: bool
) -> dict[str, Any] | None:
    """Warn of earlier releases of the same people, before this one is made; return what the ledger is to hold of it."""
    if ledger is None:
        if people is not None or person is not None:
            raise PolicyError("--people and --person go with --ledger FILE")
        return None
    if people is None:
        raise PolicyError("--ledger needs --people NAME: whose data it is, in your own words")
    if job.source == "-":
        raise InputError("--ledger reads the table twice, and standard input can be read once; name a file")
    from incrowd.jobs.several.ledger import earlier, entry_of

    release = "a dry run" if job.output is None else job.output
    entry = entry_of(Path(ledger), people, release, job.policy, job.source, person)
    if not quiet:
        for line in earlier(Path(ledger), entry):
            show(
                f"Before you hand this out: {line['sentence']} (incrowd attack --others says what both tell).", err=True
            )
    return entry


def _released_each(job: Job, tables: tuple[str, ...], *, as_json: bool, details: bool, quiet: bool) -> int:
    """Release every table by itself; one that cannot be released is told, and the others go on."""
    from incrowd.jobs.anonymize import anonymize as run

    jobs = jobs_of_each(job, tables)
    answers: list[Any] = []
    status = 0
    for one in jobs:
        name = Path(one.source).name
        try:
            with watching(one, quiet) as watch, run(one, watch) as release:
                if as_json:
                    answers.append({"table": name, **release.facts})
                elif not quiet:
                    show(f"{name}\n\n{release.shell_summary(details=details)}")
                interrupted = watch.interrupted
        except IncrowdError as error:
            failed = say(f"'{name}' is not released: {error}", error.exit_status)
            answers.append({"table": name, "error": str(error), "exit_status": failed})
            status, interrupted = status or failed, False
        if interrupted:
            return INTERRUPTED
    if as_json:
        click.echo(json.dumps(answers, indent=2, ensure_ascii=False))
    elif not quiet and len(jobs) > 1:
        show(
            "Each table was released by itself: somebody who is in several of them is not protected against a reader "
            "who joins the releases."
        )
    return status


def _estimated(job: Job, *, as_json: bool, quiet: bool) -> int:
    from incrowd.jobs.estimate import estimate as run

    with watching(job, quiet) as watch:
        found = run(job, watch)
    click.echo(found.to_json() if as_json else found.summary(), nl=as_json)
    return 0
