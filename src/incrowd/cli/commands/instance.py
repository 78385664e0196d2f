"""``incrowd instance``: hard instances with a known answer, one command a registered construction; and the way back."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from incrowd import registry
from incrowd.cli.exit_status import show
from incrowd.cli.options import option_of
from incrowd.errors import InputError


class Constructions(click.Group):
    """A group with one command per construction of the registry, each made when it is first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the registered names, in the order of registration."""
        return registry.names("instances")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a construction; its options are the construction's parameters.

        `cmd_name` is the construction's registered name; PolicyError is raised if there is no such construction.
        """
        kind = registry.load("instances", cmd_name)
        return click.Command(
            cmd_name,
            callback=lambda **given: _write(cmd_name, **given),
            params=[
                *_options(kind),
                *_of_source(kind),
                click.Option(["-o", "--output", "folder"], metavar="DIR", help="where the files go"),
                click.Option(["--quiet"], is_flag=True, help="nothing but errors on standard error, and no answer"),
            ],
            help=f"{kind.summary[0].upper()}{kind.summary[1:]}.\n\n{kind.paper}, {kind.theorem}.",
            short_help=kind.summary,
        )


def _options(kind: Any) -> list[click.Option]:
    defaults = {field.name: field.default for field in dataclasses.fields(kind)}
    options = {name: option_of(name, spec) for name, spec in kind.options().items()}
    for name, option in options.items():
        if not any(defaults[name] is bare for bare in (None, False, True)):
            option.help = f"{option.help} (default: {defaults[name]})"
    return list(options.values())


def _of_source(kind: Any) -> list[click.Option]:
    if kind.source is None:
        return []
    given = f"your own {kind.source.problem} in place of a drawn one, as JSON that --example prints"
    example = "print a drawn source problem as JSON for --source, and write nothing"
    return [
        click.Option(["--source"], metavar="FILE", help=given),
        click.Option(["--example"], is_flag=True, help=example),
    ]


@click.command(
    cls=Constructions, no_args_is_help=False, invoke_without_command=True,
    subcommand_metavar="NAME [OPTIONS] -o DIR",
)  # fmt: skip
@click.option(
    "--back", nargs=2, metavar="DIR RELEASE",
    help="say what RELEASE, a release of the table in DIR or a node set of its network, answers",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="with --back: answer in JSON")
@click.option("--quiet", is_flag=True, help="with --back: nothing but errors on standard error, and the status")
@click.pass_context
def instance(context: click.Context, back: tuple[str, str] | None, as_json: bool, quiet: bool) -> int:
    """Write a hard instance with a known answer: table.csv or graph.txt, policy.toml, answer.json, source.json.

    `incrowd instance NAME --help` shows the parameters of a construction, `incrowd list instances` names them all.
    NAME takes a source problem of your own with --source FILE, JSON as NAME --example prints it. --back maps a release
    to that problem's answer: 0 where it is yes, 1 where the release does not tell.

    Example: incrowd instance set-cover --size 9 --seed 1 -o hard
    """
    if context.invoked_subcommand is not None:
        if back or as_json or quiet:
            raise click.UsageError("--back, --json and --quiet before a name go with --back alone", context)
        return 0
    if back is None:
        raise click.UsageError("Missing command: a construction's name, or --back DIR RELEASE.", context)
    return _back(*back, as_json=as_json, quiet=quiet)


def _back(folder: str, given: str, *, as_json: bool, quiet: bool) -> int:
    from incrowd.hardness import back

    found = back(folder, given)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    elif not quiet:
        show("\n".join([found.sentence(), *(found.told.lines if found.told else ())]))
    return 0 if found.reached else 1


def _write(
    name: str, folder: str | None, quiet: bool, source: str | None = None, example: bool = False, **given: Any
) -> int:
    from incrowd.hardness import example as text_of
    from incrowd.hardness import instance as build
    from incrowd.hardness import write

    if folder is None and not example:
        raise InputError(f"no output is given: say with -o where the files go, for example -o {name}")
    made = build(name, source, **{key: value for key, value in given.items() if value is not None})
    if example or folder is None:
        click.echo(text_of(made), nl=False)
        return 0
    files = write(made, Path(folder))
    if quiet:
        return 0
    known = "" if made.optimum is None else f" The optimum is {made.optimum}."
    answer = "not solved" if made.yes is None else "yes" if made.yes else "no"
    show(
        f"{made.question[0].upper()}{made.question[1:]} Threshold {made.threshold}: {answer}.{known}\n"
        f"In {Path(folder).name}/: {', '.join(files)}."
    )
    return 0
