"""``incrowd checker``: the check as one page for a browser."""

from __future__ import annotations

from pathlib import Path

import click

from incrowd.atomic_file import write_whole


@click.command()
@click.option("-o", "--output", metavar="FILE", help="where the page goes (default: standard output)")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def checker(output: str | None, quiet: bool) -> None:
    """Write a page that checks a release in a browser: offline, and nothing leaves the tab.

    Give it to whoever holds the original, the release, the policy and the certificate, and has no Python.

    Example: incrowd checker -o check.html
    """
    from incrowd.checker import checker_page
    from incrowd.tables.write import check_output

    if output is None or output == "-":
        click.echo(checker_page(), nl=False)
        return
    check_output(output, any_ending=True)
    write_whole(Path(output), checker_page())
