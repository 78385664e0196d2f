"""``incrowd anonymize``: a verified release of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from incrowd.cli.exit_status import INTERRUPTED
from incrowd.cli.options import GroupedCommand, job_of, with_settings
from incrowd.cli.progress import watching
from incrowd.cli.screen import show
from incrowd.errors import InputError, PolicyError
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading

__all__ = ["anonymize"]


@with_settings(settings_of(Policy), MASK_SETTINGS, settings_of(Reading), settings_of(Job))
@click.command(cls=GroupedCommand)
@click.argument("table", required=False)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--details", is_flag=True, help="tell how the search went too, in the solver's own words")
@click.option("--estimate", is_flag=True, help="say what it would take in memory, disk and time, and release nothing")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error, and no summary")
@click.option("--ledger", metavar="FILE", help="warn of earlier releases of these people, and note this one in FILE")
@click.option("--people", metavar="NAME", help="with --ledger: whose data it is, in your own words")
@click.option("--person", metavar="COLUMN", help="with --ledger: the column that says whose row it is")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key")
def anonymize(
    table: str | None, policy: str | None, as_json: bool, details: bool, estimate: bool, quiet: bool,
    ledger: str | None, people: str | None, person: str | None, **options: Any,
) -> int:  # fmt: skip
    """Release TABLE under a policy: every row looks like at least k-1 others.

    Example: incrowd anonymize patients.csv -o release.csv --qi age,sex,postcode --k 5

    \f

    Parameters
    ----------
    table : str or None
        Path or address of the table; None where the policy file names it.
    policy : str or None
        Path of the policy file.
    as_json, details, estimate, quiet : bool
        Answer in JSON; add how the search went; read and compress only, and say what the rest would take; no summary.
    ledger, people, person : str or None
        Path of the ledger, whose data it is, and the column that says whose row it is.
    **options
        Settings by name; None or empty where not given.

    Returns
    -------
    int
        0, or 130 where Ctrl-C ended the search and the best release so far was kept.

    Raises
    ------
    InputError, PolicyError
        If table or output is missing or cannot be used, or the policy does not fit the table.
    SolverDeclined
        If the named solver does not take the problem.
    Infeasible
        If no release meets the policy, or none was found.
    """  # noqa: D301
    from incrowd.jobs.anonymize import anonymize as run

    job = job_of(policy, {**options, "source": table})
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
            show(release.summary(details=details), nl=False, err=job.output == "-")
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


def _estimated(job: Job, *, as_json: bool, quiet: bool) -> int:
    from incrowd.jobs.estimate import estimate as run

    with watching(job, quiet) as watch:
        found = run(job, watch)
    click.echo(found.to_json() if as_json else found.summary(), nl=as_json)
    return 0
