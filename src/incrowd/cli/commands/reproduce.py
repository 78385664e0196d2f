"""``incrowd reproduce``: a table of a paper, beside what we get."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from incrowd.cli.exit_status import INTERRUPTED
from incrowd.cli.options import hushed, in_json
from incrowd.cli.progress import watching
from incrowd.errors import InputError

if TYPE_CHECKING:
    from incrowd.progress import Watch


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
@in_json
@hushed
def reproduce(name: str | None, listed: bool, as_json: bool, quiet: bool, **options: Any) -> int:
    """Run an experiment of a paper again: its table with our figures, each claim of its text with a verdict.

    Example: incrowd reproduce cmc --data FOLDER --ks 2,5,10
    """
    if listed:
        return _list(as_json)
    if name is None:
        raise InputError("no experiment is named; `incrowd reproduce --list` names them")
    options["data"] = options["data"] or os.environ.get("INCROWD_DATA")
    if options["time_limit"] is not None and not options["time_limit"] >= 0:
        raise InputError("--time-limit must be at least 0 seconds")
    with watching(None, quiet) as watch:
        held, text = _found(name, {key: value for key, value in options.items() if value is not None}, watch)
        click.echo(json.dumps(held, indent=2) + "\n" if as_json else text, nl=False)
        return INTERRUPTED if watch.interrupted else 0


NETWORKS = "networks"


def _list(as_json: bool) -> int:
    from incrowd.reproduce import CATALOGUE
    from incrowd.reproduce.examples import EXAMPLES

    rows = [(e.name, e.title(e.against), e.data.file, e.data.source) for e in CATALOGUE]
    rows += [(name, summary, None, "nowhere: it is in the package") for name, (summary, _) in EXAMPLES.items()]
    words = "metric antidimension of eight published networks, beside reference values"
    rows.append((NETWORKS, words, "networks/*.edges.gz", "the publications that --json names"))
    if as_json:
        keys = ("name", "summary", "file", "source")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
        return 0
    width = max(len(name) for name, *_ in rows)
    for name, summary, file, _ in rows:
        click.echo(f"{name:{width}}  {summary}{f' (needs {file})' if file else ''}")
    return 0


def _found(name: str, options: dict[str, Any], watch: Watch) -> tuple[dict[str, Any], str]:
    """Run an experiment; return it as plain values and as text."""
    from incrowd.reproduce import examples, experiment, networks

    takes = ("data",) if name in examples.EXAMPLES else ("data", "time_limit")
    if name in (NETWORKS, *examples.EXAMPLES):
        for key in options:
            if key not in takes:
                raise InputError(f"--{key.replace('_', '-')} does not go with {name}: it has no table by k")
    if name == NETWORKS:
        found = networks.reproduce_networks(watch, **options)
        return {"name": name, "networks": [one.to_json() for one in found]}, networks.text_of(found)
    if name in examples.EXAMPLES:
        example = examples.EXAMPLES[name][1](watch)
        return example.to_json(), examples.text_of(example)
    if "ks" in options:
        options["ks"] = _ks(options["ks"])
    made = experiment.reproduce(experiment.find(name), watch, **options)
    return made.to_json(), experiment.text_of(made)


def _ks(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() for part in parts):
        raise InputError("--ks must be whole numbers with commas between, for example --ks 2,5,10")
    return [int(part) for part in parts]
