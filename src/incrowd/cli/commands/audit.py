"""``incrowd audit``: how risky a table is as it is."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import READING, answer, asking, job_on
from incrowd.cli.progress import watching

# what of a policy an audit asks for
AUDITED = "quasi_identifiers sensitive identifiers other k l t require sensitive_distance outliers suppressed star"
SHOWN = "quasi_identifiers sensitive identifiers k l t require report policy as_json quiet"


@asking(*AUDITED.split(), *READING, "memory", "report", shown=SHOWN)
@click.argument("table", nargs=-1)
def audit(table: tuple[str, ...], policy: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Say how risky TABLE is as it is: its classes, the risks, and which columns give people away.

    Without --qi every column that is no identifier and not sensitive counts as known to an attacker. The exit
    status is 1 where --k is not met.

    Example: incrowd audit patients.csv --qi age,sex,postcode --k 5
    """
    job = job_on(table, policy, options, "audit patients.csv")
    from incrowd.jobs.audit import audit as run

    with watching(job, quiet) as watch:
        found = run(job, watch)
    answer(found, as_json)
    return 0 if found.ok else 1
