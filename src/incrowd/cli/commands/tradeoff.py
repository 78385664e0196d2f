"""``incrowd tradeoff``: loss over k in the shell."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import GroupedCommand, job_of, one_source, picked, with_settings
from incrowd.cli.progress import watching
from incrowd.errors import InputError, PolicyError
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import settings_of, split
from incrowd.tables.roles import Reading

# what of a job a trade-off asks for; no k, and nothing that writes a release
SEARCH = ("report", "time_limit", "gap", "work", "seed", "memory")

SHOWN = "quasi_identifiers sensitive identifiers l t require hierarchies ks costs time_limit report policy as_json"


@with_settings(
    {name: spec for name, spec in settings_of(Policy).items() if name not in ("k", "cost")},
    MASK_SETTINGS,
    settings_of(Reading),
    picked(Job, SEARCH),
)
@click.command(cls=GroupedCommand, shown=SHOWN)
@click.argument("table", nargs=-1)
@click.option("--ks", required=True, metavar="2,5,10", help="the k to try")
@click.option("--ls", metavar="2,3", help="the l to try, in place of the policy's")
@click.option("--ts", metavar="0.2,0.4", help="the t to try, in place of the policy's")
@click.option(
    "--cost", "costs", multiple=True, metavar="NAME",
    help="what a changed cell costs (`incrowd list costs`); of several each has a line",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key or joins its table")
def tradeoff(table: tuple[str, ...], policy: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Say what TABLE loses for every k, and what any release must lose: people choose k by this curve.

    The table is read once; nothing is released. --time-limit is each point's: one k, one cost.

    Example: incrowd tradeoff patients.csv --qi age,sex,postcode --ks 2,5,10 --report tradeoff.html
    """
    own = {name: options.pop(name) for name in ("ks", "ls", "ts")}
    ks = [_whole(text) for text in split(own.pop("ks"))]
    costs = options.pop("costs")
    job = job_of(policy, {**options, "source": one_source(table)})
    from incrowd.jobs.tradeoff import tradeoff as run

    if job.source is None:
        raise InputError("no table is given: say which, for example `incrowd tradeoff patients.csv --ks 2,5,10`")
    asked: dict[str, Any] = {name: split(value) for name, value in own.items() if value is not None}
    if costs:
        asked["costs"] = list(costs)
    asked["ks"] = ks
    with watching(job, quiet) as watch:
        found = run(job, watch=watch, **asked)
    if as_json:
        click.echo(found.to_json())
    else:
        show(found.summary(), nl=False)
    return 0


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PolicyError(f"ks must be whole numbers such as 2,5,10, not {text!r}") from None
