"""``incrowd attack``: what a release gives away by itself."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import POLICY, answer, asking, job_of, seconds
from incrowd.cli.progress import watching
from incrowd.errors import PolicyError

SHOWN = (
    "quasi_identifiers sensitive k hierarchies time_limit facts domain original others same_people policy as_json quiet"
)


@asking(*POLICY, "memory", "spreadsheet_safe", shown=SHOWN)
@click.argument("release")
@click.option("--facts", metavar="FILE.json", help="what was published: the answer of `incrowd anonymize --json`")
@click.option(
    "--knows", metavar="a,b", help="what the attacker knows: policy, bound, cost, settled, solver (default: all)"
)
@click.option(
    "--domain", "domain", metavar="COLUMN=FILE", multiple=True, help="all values possible in a column, one a line"
)
@click.option("--original", metavar="TABLE", help="count wrong inferences by it; it changes none")
@click.option("--same-order", is_flag=True, help="the rows of TABLE have the order of those of RELEASE")
@click.option(
    "--others", metavar="RELEASE2", multiple=True, help="another release of people who may be in this one (repeatable)"
)
@click.option("--same-people", is_flag=True, help="the other releases hold the same people, one row each")
@seconds("limit on the rules, once it is read")
def attack(
    release: str, facts: str | None, knows: str | None, domain: tuple[str, ...], original: str | None,
    same_order: bool, others: tuple[str, ...], same_people: bool, time_limit: float | None,
    policy: str | None, as_json: bool, quiet: bool, **options: Any,
) -> int:  # fmt: skip
    """Say what RELEASE gives away to somebody who knows how it was made.

    Example: incrowd attack release.csv --policy policy.toml --facts facts.json
    """
    from incrowd.jobs.attack import attack as run
    from incrowd.results.attack import read_facts

    job = job_of(policy, options)
    with watching(job, quiet) as watch:
        found = run(
            release, job, facts=None if facts is None else read_facts(facts),
            knows=() if knows is None else [word.strip() for word in knows.split(",")],
            domains=dict(_column_and_file(one) for one in domain), original=original, same_order=same_order,
            others=others, same_people=same_people, time_limit=time_limit, watch=watch,
        )  # fmt: skip
    answer(found, as_json)
    return 1 if found.premises["valid"] == "no" else 0


def _column_and_file(text: str) -> tuple[str, str]:
    column, equals, file = text.partition("=")
    if not (column and equals and file):
        raise PolicyError("--domain must be COLUMN=FILE, for example --domain sex=sexes.txt")
    return column, file
