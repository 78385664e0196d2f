"""``incrowd instance``: hard instances with a known answer, one command a registered construction."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from incrowd import registry
from incrowd.cli.options import option_of
from incrowd.cli.screen import show
from incrowd.errors import InputError
from incrowd.settings import settings_of

__all__ = ["instance"]


class Constructions(click.Group):
    """A group with one command per construction of the registry, each made when it is first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the registered names, in the order of registration.

        Parameters
        ----------
        ctx : click.Context
            Not used.
        """
        return registry.names("instances")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a construction; its options are the construction's parameters.

        Parameters
        ----------
        ctx : click.Context
            Not used.
        cmd_name : str
            The construction's registered name.

        Raises
        ------
        PolicyError
            If there is no such construction.
        """
        kind = registry.load("instances", cmd_name)
        return click.Command(
            cmd_name,
            callback=lambda **given: _write(cmd_name, **given),
            params=[
                *_options(kind),
                click.Option(["-o", "--output", "folder"], metavar="DIR", help="where the files go"),
                click.Option(["--quiet"], is_flag=True, help="nothing but errors on standard error, and no answer"),
            ],
            help=f"{kind.summary[0].upper()}{kind.summary[1:]}.\n\n{kind.paper}, {kind.theorem}.",
            short_help=kind.summary,
        )


def _options(kind: Any) -> list[click.Option]:
    defaults = {field.name: field.default for field in dataclasses.fields(kind)}
    options = {name: option_of(name, spec) for name, spec in settings_of(kind).items()}
    for name, option in options.items():
        if defaults[name] is not None and defaults[name] is not False:
            option.help = f"{option.help} (default: {defaults[name]})"
    return list(options.values())


@click.command(cls=Constructions, no_args_is_help=False, subcommand_metavar="NAME [OPTIONS] -o DIR")
def instance() -> None:
    """Write a hard instance with a known answer: table.csv or graph.txt, policy.toml, answer.json.

    `incrowd instance NAME --help` shows the parameters of a construction, `incrowd list instances` names them all.

    Example: incrowd instance set-cover --size 9 --seed 1 -o hard
    """


def _write(name: str, folder: str | None, quiet: bool, **given: Any) -> int:
    from incrowd.hardness import instance as build
    from incrowd.hardness.files import write

    if folder is None:
        raise InputError(f"no output is given: say with -o where the files go, for example -o {name}")
    made = build(name, **{key: value for key, value in given.items() if value is not None})
    files = write(made, Path(folder))
    if quiet:
        return 0
    known = "" if made.optimum is None else f" The optimum is {made.optimum}."
    answer = f"Threshold {made.threshold}: {'yes' if made.yes else 'no'}.{known}"
    show(f"{made.question[0].upper()}{made.question[1:]} {answer}\nIn {Path(folder).name}/: {', '.join(files)}.")
    return 0
