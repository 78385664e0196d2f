"""``incrowd usefulness``: what a release is still good for."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import GroupedCommand, job_of, picked, with_settings
from incrowd.cli.progress import watching
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import refuse_missing

SHOWN = "quasi_identifiers sensitive identifiers k hierarchies target policy as_json quiet seed"


@with_settings(
    settings_of(Policy),
    MASK_SETTINGS,
    settings_of(Reading),
    picked(Job, ("seed", "memory", "spreadsheet_safe")),
)
@click.command(cls=GroupedCommand, shown=SHOWN)
@click.argument("original")
@click.argument("released")
@click.option("--target", metavar="COLUMN", help="let a model learn this column from the release (needs scikit-learn)")
@click.option(
    "--time-limit", metavar="S", type=click.FloatRange(min=0), help="limit on the questions, once both tables are read"
)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key or joins its table")
def usefulness(
    original: str, released: str, target: str | None, time_limit: float | None, policy: str | None,
    as_json: bool, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Say how far analyses of RELEASED are from those of ORIGINAL, beside what another sample would give.

    Example: incrowd usefulness patients.csv release.csv --policy policy.toml --target diagnosis
    """
    refuse_missing(original, released)
    from incrowd.jobs.usefulness import usefulness as run

    job = job_of(policy, options)
    with watching(job, quiet) as watch:
        found = run(original, released, job, target=target, time_limit=time_limit, watch=watch)
    if as_json:
        click.echo(found.to_json())
    else:
        show(found.summary(), nl=False)
