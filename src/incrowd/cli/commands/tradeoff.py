"""``incrowd tradeoff``: loss over k in the shell."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import POLICY, answer, asking, job_on
from incrowd.cli.progress import watching
from incrowd.errors import PolicyError
from incrowd.settings import split

# what a trade-off asks for; no k, and nothing that writes a release
ASKED = [name for name in POLICY if name not in ("k", "cost")]
SEARCH = ("report", "time_limit", "gap", "work", "seed", "memory")

SHOWN = "quasi_identifiers sensitive identifiers l t require hierarchies ks costs time_limit report policy as_json"


@asking(*ASKED, *SEARCH, shown=SHOWN)
@click.argument("table", nargs=-1)
@click.option("--ks", required=True, metavar="2,5,10", help="the k to try")
@click.option("--ls", metavar="2,3", help="the l to try, in place of the policy's")
@click.option("--ts", metavar="0.2,0.4", help="the t to try, in place of the policy's")
@click.option(
    "--cost", "costs", multiple=True, metavar="NAME",
    help="what a changed cell costs (`incrowd list costs`); of several each has a line",
)  # fmt: skip
def tradeoff(table: tuple[str, ...], policy: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Say what TABLE loses for every k, and what any release must lose: people choose k by this curve.

    The table is read once; nothing is released. --time-limit is each point's: one k, one cost.

    Example: incrowd tradeoff patients.csv --qi age,sex,postcode --ks 2,5,10 --report tradeoff.html
    """
    asked: dict[str, Any] = {"ks": [_whole(text) for text in split(options.pop("ks"))]}
    asked |= {name: split(value) for name in ("ls", "ts") if (value := options.pop(name)) is not None}
    if costs := options.pop("costs"):
        asked["costs"] = list(costs)
    job = job_on(table, policy, options, "tradeoff patients.csv --ks 2,5,10")
    from incrowd.jobs.tradeoff import tradeoff as run

    with watching(job, quiet) as watch:
        found = run(job, watch=watch, **asked)
    answer(found, as_json)
    return 0


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PolicyError(f"ks must be whole numbers such as 2,5,10, not {text!r}") from None
