"""``incrowd checker``: the check as one page for a browser."""

from __future__ import annotations

import click

from incrowd.cli.options import hushed, output_place, put


@click.command()
@click.option("-o", "--output", metavar="FILE", help="where the page goes (default: standard output)")
@hushed
def checker(output: str | None, quiet: bool) -> None:
    """Write a page that checks a release in a browser: offline, and nothing leaves the tab.

    Give it to whoever holds the original, the release, the policy and the certificate, and has no Python.

    Example: incrowd checker -o check.html
    """
    from incrowd.checker import checker_page

    place = output_place(output)
    put(checker_page(), place)
