"""``incrowd anonymize``: a verified release of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from incrowd.cli.exit_status import INTERRUPTED, show
from incrowd.cli.options import POLICY, QUIET_TOO, answer, asking, job_on
from incrowd.cli.progress import watching
from incrowd.errors import InputError
from incrowd.policy.job import Job
from incrowd.settings import settings_of

SHOWN = (
    "quasi_identifiers sensitive identifiers k l t require "
    "hierarchies max_stars keep output certificate report save_policy dry_run solver time_limit memory "
    "policy as_json quiet"
)


@asking(*POLICY, *settings_of(Job), shown=SHOWN, hush=QUIET_TOO)
@click.argument("table", nargs=-1)
@click.option("--details", is_flag=True, help="tell how the search went too, in the solver's own words")
@click.option("--people", metavar="NAME", help="whose data it is: warn of what the ledger has of these people")
def anonymize(
    table: tuple[str, ...], policy: str | None, as_json: bool, details: bool, quiet: bool, people: str | None,
    **options: Any,
) -> int:  # fmt: skip
    """Release TABLE under a policy: every row looks like at least k-1 others.

    Several files, a pattern like '2024-*.csv' or a folder are one table.

    A dry run without time (--dry-run --time-limit 0) says what the job would take in memory, disk and time.

    Example: incrowd anonymize patients.csv -o release.csv --qi age,sex,postcode --k 5
    """
    job = job_on(table, policy, options, "anonymize patients.csv -o release.csv")
    from incrowd.jobs.anonymize import anonymize as run

    if job.dry_run and job.time_limit == 0:
        return _estimated(job.replace(time_limit=None), as_json=as_json, quiet=quiet)
    if job.output is None and not job.dry_run:
        raise InputError("no output is given: say with -o where the release goes, or --dry-run to only try")
    if job.output == "-" and as_json:
        raise InputError("-o - and --json both want standard output; write the release to a file")
    if people is not None:
        from incrowd.jobs.ledger import released_before

        for sentence in released_before(people, job.policy, job.source):
            if not quiet:
                show(f"Before you hand this out: {sentence} (incrowd attack --others says what both tell).", err=True)
    with watching(job, quiet) as watch, run(job, watch) as release:
        if as_json:
            click.echo(release.to_json())
        elif not quiet:
            show(release.summary(details=details), nl=False, err=job.output == "-")
            if job.output not in (None, "-") and not job.dry_run:
                told = f", its report in '{Path(str(job.report)).name}'" if job.report else ""
                show(f"\nThe release is in '{Path(str(job.output)).name}'{told}.")
        return INTERRUPTED if watch.interrupted else 0


def _estimated(job: Job, *, as_json: bool, quiet: bool) -> int:
    from incrowd.jobs.estimate import estimate as run

    with watching(job, quiet) as watch:
        found = run(job, watch)
    answer(found, as_json)
    return 0
