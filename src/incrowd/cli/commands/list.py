"""``incrowd list``: the registered parts, by kind."""

from __future__ import annotations

import json
from typing import Any

import click

from incrowd import registry
from incrowd.cli.options import hushed, in_json


@click.command("list")
@click.argument("kind", type=click.Choice(list(registry.REGISTRIES)))
@in_json
@hushed
def list_parts(kind: str, as_json: bool, quiet: bool) -> None:
    """Name what can be asked for: models, solvers, costs, measures, hard instances, file formats or network methods.

    Example: incrowd list solvers
    """
    parts = listed(kind)
    if as_json:
        click.echo(json.dumps(parts, indent=2))
        return
    width = max(len(part["name"]) for part in parts)
    for part in parts:
        click.echo(f"{part['name']:{width}}  {part['summary']}")


def listed(kind: str) -> list[dict[str, Any]]:
    """Return what ``incrowd list`` writes about the registered parts of a kind: per part its name and summary.

    Hard instances add what `Reduction.listed` gives. `kind` is a key of `incrowd.registry.REGISTRIES`; KeyError is
    raised if there is no such kind.
    """
    parts = ((name, registry.load(kind, name)) for name in registry.names(kind))
    return [
        {"name": name, "summary": part.summary, **(part.listed() if kind == "instances" else {})}
        for name, part in parts
    ]
