"""``incrowd usefulness``: what a release is still good for."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import POLICY, answer, asking, job_of, seconds
from incrowd.cli.progress import watching
from incrowd.tables.source_files import refuse_missing

SHOWN = "quasi_identifiers sensitive identifiers k hierarchies target policy as_json quiet seed"


@asking(*POLICY, "seed", "memory", "spreadsheet_safe", shown=SHOWN)
@click.argument("original")
@click.argument("released")
@click.option("--target", metavar="COLUMN", help="let a model learn this column from the release (needs scikit-learn)")
@seconds("limit on the questions, once both tables are read")
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
    answer(found, as_json)
