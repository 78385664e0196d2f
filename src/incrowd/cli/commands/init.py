"""``incrowd init``: a policy to start from."""

from __future__ import annotations

import shlex
from typing import Any

import click

from incrowd.atomic_file import write_whole
from incrowd.cli.exit_status import show
from incrowd.cli.options import given, hushed, one_source, output_place, reading
from incrowd.errors import InputError
from incrowd.policy.job import Job
from incrowd.tables.source_files import refuse_missing


@reading
@click.command()
@click.argument("table", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="write the policy to a new file instead")
@hushed
def init(table: tuple[str, ...], output: str | None, quiet: bool, **options: Any) -> None:
    """Write a policy for TABLE to standard output: roles, hierarchies and k, each with the reason, yours to decide.

    Example: incrowd init patients.csv -o policy.toml
    """
    source = one_source(table)
    refuse_missing(*table)
    place = output_place(output, source)
    if place is not None and place.exists():
        raise InputError(f"'{place.name}' is there already, and may hold your decisions; name another file with -o")
    from incrowd.jobs.proposal import proposal

    text = proposal(Job().replace(source=source, **given(options))).text
    if place is None:
        show(text, nl=False)
    else:
        write_whole(place, text)
    if not quiet:
        words = ["incrowd", "anonymize", *table, "--policy", str(place or "policy.toml"), "-o", "release.csv"]
        begin = f"The policy is in '{place.name}'." if place else "Keep it as policy.toml (-o policy.toml)."
        show(f"{begin} Read its reasons, then: {shlex.join(words)}", err=True)
