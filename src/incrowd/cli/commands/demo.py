"""``incrowd demo``: a bundled table of an invented hospital, released."""

from __future__ import annotations

from pathlib import Path

import click

from incrowd.cli.exit_status import show
from incrowd.cli.options import QUIET_TOO
from incrowd.cli.progress import watching
from incrowd.policy.job import Job


@click.command()
@click.option("-o", "--output", "folder", default="incrowd-demo", metavar="FOLDER", help="where the files go")
@click.option("--quiet", is_flag=True, help=QUIET_TOO)
def demo(folder: str, quiet: bool) -> None:
    """Release a bundled table of an invented hospital, and say what happened.

    Example: incrowd demo
    """
    from incrowd.jobs.demo import demo as run

    with watching(Job(), quiet) as watch:
        told = run(Path(folder), watch)
    if not quiet:
        show(told, nl=False)
