"""``incrowd reproduce``: a table of a paper, beside what we get."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from incrowd.cli.exit_status import INTERRUPTED
from incrowd.cli.progress import watching
from incrowd.errors import InputError

if TYPE_CHECKING:
    from incrowd.progress import Watch


# The experiments that are small examples of a paper, each sentence beside what is computed.
EXAMPLES = ("liang-yuan", "blocki-williams")


@click.command()
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="name what can be reproduced, with the files it needs")
@click.option("--data", metavar="DIR", help="folder of the data sets' original files (default: INCROWD_DATA)")
@click.option("--ks", metavar="2,5,10", help="only these k (default: the paper's 13)")
@click.option(
    "--time-limit",
    type=float,
    metavar="S",
    help="seconds for an exact solution at each k (default 60), or for each network (default: no limit)",
)
@click.option(
    "--solver",
    type=click.Choice(["exact", "ilp"]),
    help="for Tables 6 to 8: the exact solver (default), or the paper's integer program in HiGHS, told beside it",
)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def reproduce(name: str | None, listed: bool, as_json: bool, quiet: bool, **options: Any) -> int:
    """Run an experiment of a paper again: its table with our figures, each claim of its text with a verdict.

    Example: incrowd reproduce cmc --data FOLDER --ks 2,5,10
    """
    if listed:
        return _list(as_json)
    if name is None:
        raise InputError("no experiment is named; `incrowd reproduce --list` names them")
    options["data"] = options["data"] or os.environ.get("INCROWD_DATA")
    with watching(None, quiet) as watch:
        if name == "networks":
            _networks(options, watch, as_json)
        elif name in EXAMPLES:
            _examples(name, options, watch, as_json)
        else:
            _table(name, options, watch, as_json)
        return INTERRUPTED if watch.interrupted else 0


def _list(as_json: bool) -> int:
    from incrowd.reproduce import CATALOGUE
    from incrowd.reproduce.examples import known_examples

    known: list[dict[str, Any]] = [
        {"name": e.name, "summary": e.title, "file": e.data.file, "source": e.data.source} for e in CATALOGUE
    ]
    known += [one | {"file": None} for one in known_examples()]
    known.append(
        {
            "name": "networks",
            "summary": "metric antidimension of eight published networks, beside reference values",
            "file": "networks/*.edges.gz",
            "source": "the publications that --json names",
        }
    )
    if as_json:
        click.echo(json.dumps(known, indent=2))
        return 0
    width = max(len(str(one["name"])) for one in known)
    for one in known:
        needs = f" (needs {one['file']})" if one["file"] else ""
        click.echo(f"{one['name']:{width}}  {one['summary']}{needs}")
    return 0


def _table(name: str, options: dict[str, Any], watch: Watch, as_json: bool) -> None:
    from incrowd.reproduce import find, words
    from incrowd.reproduce import reproduce as run

    experiment = find(name)
    given: dict[str, Any] = {"ks": _ks(options["ks"])} if options["ks"] else {}
    if options["time_limit"] is not None:
        given["time_limit"] = _seconds(options["time_limit"])
    if options["solver"] is not None:
        given["solver"] = options["solver"]
    found = run(experiment, watch, data=options["data"], **given)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else words.text_of(found), nl=as_json)


def _seconds(asked: float) -> float:
    if not asked >= 0:
        raise InputError("--time-limit must be at least 0 seconds")
    return asked


def _refuse(options: dict[str, Any], name: str, why: str, *, but: tuple[str, ...] = ()) -> None:
    """Refuse every option that does not go with an experiment without k."""
    for flag, value in options.items():
        if value is not None and flag not in ("data", *but):
            raise InputError(f"--{flag.replace('_', '-')} does not go with {name}: {why}")


def _examples(name: str, options: dict[str, Any], watch: Watch, as_json: bool) -> None:
    from incrowd.reproduce.examples import example, text_of

    _refuse(options, name, "its tables are those of the paper, and it has no k")
    found = example(name, watch)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else text_of(found), nl=as_json)


def _networks(options: dict[str, Any], watch: Watch, as_json: bool) -> None:
    from incrowd.reproduce.networks import reproduce_networks, text_of

    _refuse(options, "networks", "its table has no k", but=("time_limit",))
    limit = None if options["time_limit"] is None else _seconds(options["time_limit"])
    found = reproduce_networks(watch, data=options["data"], time_limit=limit)
    if as_json:
        click.echo(json.dumps({"name": "networks", "networks": [one.to_json() for one in found]}, indent=2))
    else:
        click.echo(text_of(found), nl=False)


def _ks(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() for part in parts):
        raise InputError("--ks must be whole numbers with commas between, for example --ks 2,5,10")
    return [int(part) for part in parts]
