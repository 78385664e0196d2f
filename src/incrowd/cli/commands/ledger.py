"""``incrowd ledger``: whose data was released before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import READING, asking, job_of
from incrowd.errors import PolicyError, count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


SHOWN = "people ledger original person quasi_identifiers sensitive k header delimiter encoding policy as_json quiet"


@asking("quasi_identifiers", "sensitive", "k", *READING, shown=SHOWN)
@click.argument("what", type=click.Choice(("list", "check", "add")))
@click.argument("release", required=False)
@click.option("--people", metavar="NAME", help="whose data it is, in your own words")
@click.option("--ledger", metavar="FILE", help="the ledger (default: ledger.json in your data folder)")
@click.option("--original", metavar="TABLE", help="the table that was released, to count people in")
@click.option("--person", metavar="COLUMN", help="the column that says whose row it is (default: all that --qi names)")
def ledger(
    what: str, release: str | None, people: str | None, ledger: str | None, original: str | None, person: str | None,
    as_json: bool, quiet: bool, policy: str | None, **options: Any,
) -> int:  # fmt: skip
    """Remember whose data was released, without any of the data, and warn before the next release of the same people.

    WHAT is list, check (a RELEASE against those before it) or add (a RELEASE that was handed out).

    Example: incrowd ledger add release.csv --people 'ward 3' --original patients.csv --person patient
    """
    from incrowd.jobs.ledger import add, default_ledger, earlier, entry_of, read_ledger

    path = default_ledger() if ledger is None else Path(ledger)
    if what == "list":
        entries = read_ledger(path)
        held = [{name: value for name, value in one.items() if name != "sketch"} for one in entries]
        show(json.dumps(held, indent=2, ensure_ascii=False) if as_json else _lines(entries), nl=as_json)
        return 0
    if release is None or people is None:
        raise PolicyError(f"incrowd ledger {what} needs the release and --people NAME, in your own words")
    entry = entry_of(path, people, release, job_of(policy, options).policy, original, person)
    found = earlier(path, entry)
    if what == "add":
        add(path, entry)
    if as_json:
        click.echo(json.dumps({"earlier": found, "added": what == "add"}, indent=2, ensure_ascii=False))
    else:
        lines = [f"{line['sentence']}." for line in found] or ["Nothing was released of these people before."]
        show("\n".join(lines))
    return 1 if found and what == "check" else 0


def _lines(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the ledger as lines, one a release."""
    if not entries:
        return "The ledger is empty.\n"
    lines = []
    for one in entries:
        keys = "not counted" if one["keys"] is None else count_of(one["keys"], "key")
        by = f" by {', '.join(one['key'])}" if one["key"] else ""
        asked = "" if one.get("k") is None else f", k={one['k']}"
        lines.append(f"{one['added']}  {one['people']}: '{one['release']}'{asked}, {keys}{by}")
    return "\n".join(lines) + "\n"
