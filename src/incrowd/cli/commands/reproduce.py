"""``incrowd reproduce``: a table of a paper, beside what we get."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from incrowd.atomic_file import together, write_whole
from incrowd.cli.exit_status import INTERRUPTED
from incrowd.cli.progress import watching
from incrowd.errors import InputError

if TYPE_CHECKING:
    from incrowd.progress import Watch

__all__ = ["reproduce"]

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
@click.option(
    "--mondrian",
    "cuts",
    type=click.Choice(["toolbox", "medians", "beside", "relaxed"]),
    help="for Tables 1 to 5, what it cuts: as the paper's toolbox does (default), at medians alone, beside them too, "
    "or in the middle of the rows",
)
@click.option(
    "--numeric",
    type=click.Choice(["declared", "all", "none"]),
    help="which columns are numbers for Mondrian and usefulness (the paper does not say; default: by the table)",
)
@click.option(
    "--texts",
    type=click.Choice(["appearance", "frequency", "sorted"]),
    help="in which order Mondrian has the texts of a column (the paper does not say; default: by the table)",
)
@click.option(
    "--made",
    is_flag=True,
    help="for canada: take an extract that is made up here, where the published one is not at hand",
)
@click.option("--csv", "as_csv", metavar="FILE", help="write the table as CSV too")
@click.option(
    "--figure", metavar="FILE", help="draw running time and usefulness over k, .svg or .png (needs incrowd[report])"
)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def reproduce(name: str | None, listed: bool, as_json: bool, quiet: bool, **options: Any) -> int:
    """Run an experiment of a paper again: its table with our figures, each claim of its text with a verdict.

    Example: incrowd reproduce cmc --data FOLDER --figure cmc.svg

    \f

    Parameters
    ----------
    name : str or None
        The experiment; None with `listed`.
    listed : bool
        Only name the experiments.
    as_json, quiet : bool
        Answer in JSON; nothing but errors on standard error.
    **options
        The other options by name; None where not given.

    Returns
    -------
    int
        0, or 130 where Ctrl-C ended a search.

    Raises
    ------
    InputError
        If no experiment of that name is there, an option does not go with it, or a file cannot be read or written.

    Notes
    -----
    An exact solution is sought once for each k, up to ``--time-limit`` seconds (60 by default).
    """  # noqa: D301
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
    from incrowd.reproduce import find, made, words
    from incrowd.reproduce import reproduce as run
    from incrowd.reproduce.figure import check_figure, draw

    experiment = find(name)
    if options["made"]:
        experiment = made(experiment)
    if options["figure"]:
        check_figure(Path(options["figure"]))
    given: dict[str, Any] = {"ks": _ks(options["ks"])} if options["ks"] else {}
    if options["time_limit"] is not None:
        given["time_limit"] = _seconds(options["time_limit"])
    given |= {name: options[name] for name in ("numeric", "texts", "cuts", "solver") if options[name] is not None}
    if experiment.against == "exact" and (options["cuts"] or options["texts"]):
        raise InputError(f"--{'mondrian' if options['cuts'] else 'texts'} goes with Tables 1 to 5, which have Mondrian")
    found = run(experiment, watch, data=options["data"], **given)
    with together():
        if options["as_csv"]:
            write_whole(Path(options["as_csv"]), words.table_csv(found))
        if options["figure"]:
            draw(found, Path(options["figure"]))
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else words.text_of(found), nl=as_json)


def _seconds(asked: float) -> float:
    if not asked >= 0:
        raise InputError("--time-limit must be at least 0 seconds")
    return asked


def _refuse(options: dict[str, Any], name: str, why: str, *, but: tuple[str, ...] = ()) -> None:
    """Refuse every option that does not go with an experiment without k."""
    shown = {"as_csv": "csv", "time_limit": "time-limit", "cuts": "mondrian"}
    for flag, value in options.items():
        if value not in (None, False) and flag not in ("data", *but):
            raise InputError(f"--{shown.get(flag, flag)} does not go with {name}: {why}")


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
