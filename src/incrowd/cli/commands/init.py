"""``incrowd init``: a policy to start from."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import given, one_source, with_settings
from incrowd.cli.screen import show
from incrowd.policy.job import Job
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import refuse_missing

__all__ = ["init"]


@with_settings(settings_of(Reading))
@click.command()
@click.argument("table", nargs=-1, required=True)
@click.option("--no-sample", is_flag=True, help="do not say what to expect, which takes a quick search on some rows")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def init(table: tuple[str, ...], no_sample: bool, quiet: bool, **options: Any) -> None:
    """Write a policy for TABLE to standard output: roles, hierarchies and k, each with the reason, yours to decide.

    Example: incrowd init patients.csv > policy.toml

    \f

    Parameters
    ----------
    table : tuple of str
        Paths of the table's files.
    no_sample : bool
        Leave out what is expected to be lost.
    quiet : bool
        Accepted by every command; this one writes nothing to standard error but errors.
    **options
        How the table is read, by the name of the setting; None where not given.

    Raises
    ------
    InputError
        If the table cannot be read.
    """  # noqa: D301
    source = one_source(table)
    refuse_missing(*table)
    from incrowd.jobs.proposal.starting_policy import starting_policy

    show(starting_policy(Job().replace(source=source, **given(options)), sample=not no_sample), nl=False)
