"""``incrowd audit``: how risky a table is as it is."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import GroupedCommand, job_of, one_source, picked, with_settings
from incrowd.cli.progress import watching
from incrowd.errors import InputError
from incrowd.policy.job import Job, Policy
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading

# what of a policy an audit asks for, as far as there is such a setting
AUDITED = (
    "quasi_identifiers",
    "sensitive",
    "identifiers",
    "other",
    "k",
    "l",
    "t",
    "require",
    "sensitive_distance",
    "outliers",
    "suppressed",
    "star",
)

SHOWN = "quasi_identifiers sensitive identifiers k l t require report policy as_json quiet"


@with_settings(picked(Policy, AUDITED), settings_of(Reading), picked(Job, ("memory", "report")))
@click.command(cls=GroupedCommand, shown=SHOWN)
@click.argument("table", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key or joins its table")
def audit(table: tuple[str, ...], policy: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Say how risky TABLE is as it is: its classes, the risks, and which columns give people away.

    Without --qi every column that is no identifier and not sensitive counts as known to an attacker. The exit
    status is 1 where --k is not met.

    Example: incrowd audit patients.csv --qi age,sex,postcode --k 5
    """
    job = job_of(policy, {**options, "source": one_source(table)})
    from incrowd.jobs.audit import audit as run

    if job.source is None:
        raise InputError("no table is given: say which, for example `incrowd audit patients.csv`")
    with watching(job, quiet) as watch:
        found = run(job, watch)
    if as_json:
        click.echo(found.to_json())
    else:
        show(found.summary(), nl=False)
    return 0 if found.ok else 1
