"""``incrowd verify``: a release recounted against its original."""

from __future__ import annotations

import json
from typing import Any

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import GroupedCommand, job_of, picked, with_settings
from incrowd.cli.progress import told
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import refuse_missing

SHOWN = "quasi_identifiers sensitive identifiers k l t require hierarchies certificate proved policy as_json quiet"


@with_settings(settings_of(Policy), MASK_SETTINGS, settings_of(Reading), picked(Job, ("memory", "types_in_memory")))
@click.command(cls=GroupedCommand, shown=SHOWN)
@click.argument("original")
@click.argument("released")
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--certificate", metavar="FILE", help="recount the cost and the lower bound of this certificate too")
@click.option(
    "--proved", is_flag=True, help="recount the certificate by a program whose correctness is machine-proved, too"
)
@click.option(
    "--time-limit",
    metavar="S",
    type=click.FloatRange(min=0),
    help="end the recount of the certificate after S seconds, and the program of --proved after S more",
)
@click.option(
    "--spreadsheet-safe", is_flag=True, help="RELEASED was written with --spreadsheet-safe: take its apostrophes off"
)
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key or joins its table")
def verify(
    original: str, released: str, policy: str | None, as_json: bool, quiet: bool, certificate: str | None,
    proved: bool, time_limit: float | None, spreadsheet_safe: bool, **options: Any,
) -> int:  # fmt: skip
    """Recount RELEASED against ORIGINAL, with none of the code that made it.

    Example: incrowd verify patients.csv release.csv --qi age,sex,postcode --k 5
    """
    refuse_missing(original, released)
    from incrowd.jobs.verify import verify as run
    from incrowd.report.text.verify import Claim, verify_summary
    from incrowd.tables.read import label_of

    job = job_of(policy, options)
    if spreadsheet_safe:
        job = job.replace(spreadsheet_safe=True)
    with told(quiet):
        checked = run(original, released, job, certificate, proved=proved, time_limit=time_limit)
    found = checked.violations
    if as_json:
        broken = [{"rule": v.rule, "count": v.count, "example_group_size": v.example_group_size} for v in found]
        facts: dict[str, Any] = {"ok": not found, "violations": broken}
        if certificate is not None:
            cost, bound = _plain(checked.cost), _plain(checked.lower_bound)
            facts |= {"cost": cost, "lower_bound": bound, "proven": checked.proven}
            facts |= {"question": checked.question, "k": checked.k}
            if checked.requirements:
                facts["requirements"] = list(checked.requirements)
        if checked.held is not None:
            facts |= checked.held.facts()
        if checked.proved is not None:
            said = checked.proved
            facts |= {
                "proved": said.holds,
                "proved_lower_bound": _plain(said.lower_bound),
                "proved_why": said.why or None,
            }
        click.echo(json.dumps(facts, indent=2))
    else:
        judged = {model.rule: model.judged for model in job.policy.requirements}
        claim = None
        if certificate is not None:
            proven, question, k = bool(checked.proven), str(checked.question), int(checked.k or 1)
            claim = Claim(checked.cost, checked.lower_bound, proven, question, k, checked.proved)
        show(verify_summary(found, label_of(original), label_of(released), judged, claim, checked.held), nl=False)
    return 1 if found else 0


def _plain(value: Any) -> int | float | None:
    """Return a fraction as people and JSON write it."""
    return None if value is None else int(value) if value.denominator == 1 else float(value)
