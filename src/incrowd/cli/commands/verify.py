"""``incrowd verify``: a release recounted against its original."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import POLICY, answer, asking, given, job_of, seconds
from incrowd.cli.progress import told
from incrowd.tables.source_files import refuse_missing

SHOWN = "quasi_identifiers sensitive identifiers k l t require hierarchies certificate proved policy as_json quiet"


@asking(*POLICY, "memory", "types_in_memory", shown=SHOWN)
@click.argument("original")
@click.argument("released")
@click.option("--certificate", metavar="FILE", help="recount the cost and the lower bound of this certificate too")
@click.option(
    "--proved", is_flag=True, help="recount the certificate by a program whose correctness is machine-proved, too"
)
@seconds("end the recount of the certificate after S seconds, and the program of --proved after S more")
@click.option(
    "--spreadsheet-safe", is_flag=True, help="RELEASED was written with --spreadsheet-safe: take its apostrophes off"
)
def verify(
    original: str, released: str, policy: str | None, as_json: bool, quiet: bool, certificate: str | None,
    proved: bool, time_limit: float | None, spreadsheet_safe: bool, **options: Any,
) -> int:  # fmt: skip
    """Recount RELEASED against ORIGINAL, with none of the code that made it.

    Example: incrowd verify patients.csv release.csv --qi age,sex,postcode --k 5
    """
    refuse_missing(original, released)
    from incrowd.jobs.verify import verify as run

    job = job_of(policy, options)
    if spreadsheet_safe:
        job = job.replace(spreadsheet_safe=True)
    words: dict[str, Any] = {"file": policy, "given": given(options).keys()}
    with told(quiet):
        found = run(original, released, job, certificate, proved=proved, time_limit=time_limit, **words)
    answer(found, as_json)
    return 1 if found else 0
