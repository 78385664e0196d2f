"""``incrowd serve``: the local web app."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from incrowd.cli.options import hushed
from incrowd.cli.signals.handlers import leave, soft_interrupt
from incrowd.errors import InputError
from incrowd.recovery import end_process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


ENDED = "the app has ended, and what was sent to it is removed."
NEEDED = ("starlette", "uvicorn", "jinja2", "python-multipart", "tomlkit")


@click.command()
@click.argument("table", required=False)
@click.option("--root", metavar="FOLDER", help="tables below this folder can be opened (default: TABLE's folder alone)")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="where to listen (default: any free one)"
)
@click.option("--no-browser", is_flag=True, help="open no browser, print the address alone")
@click.option("--routes", is_flag=True, help="list what can be asked, and end")
@click.option("--json", "as_json", is_flag=True, help="with --routes: in JSON")
@hushed
def serve(
    table: str | None, root: str | None, port: int, no_browser: bool, routes: bool, as_json: bool, quiet: bool
) -> None:
    """Open incrowd in a browser, on this machine alone: from a table to a verified release by clicking.

    The address on standard output opens it once; nothing listens to other machines, and nothing is sent anywhere.
    Ctrl-C ends it, with exit status 0, and removes what was sent to it.

    Example: incrowd serve patients.csv
    """
    if not all(importlib.util.find_spec(name.replace("-", "_")) for name in NEEDED):
        install = f"pip install {' '.join(NEEDED)}"
        raise InputError(f"incrowd serve needs what is not installed (the extra web): {install}")
    if routes:
        from incrowd.web.server import routes_json

        listed = routes_json()
        plain = "\n".join(f"{', '.join(route['methods']):10} {route['path']}" for route in listed)
        click.echo(json.dumps(listed, indent=2) if as_json else plain)
        return
    if as_json:
        raise InputError("--json goes with --routes; the app itself answers in pages")
    from incrowd.web.server import serve as run
    from incrowd.web.sessions.work import THREAD as WORK

    def say(address: str) -> None:
        click.echo(address)
        sys.stdout.flush()
        if not quiet:
            click.echo("incrowd: open this address in a browser; it works once. Ctrl-C ends it.", err=True)

    with ended_by_ctrl_c() as until:
        run(
            None if table is None else Path(table),
            None if root is None else Path(root),
            port,
            browser=not no_browser,
            say=say,
            until=until,
        )
    if any(thread.name == WORK for thread in threading.enumerate()):  # it heard no wish to stop, and would be cut off
        end_process(0, None if quiet else lambda: ENDED, flush=True)
    if not quiet:
        click.echo(f"incrowd: {ENDED}", err=True)


@contextlib.contextmanager
def ended_by_ctrl_c() -> Iterator[Callable[[], object]]:
    """Let Ctrl-C be the app's good end; a second one ends the process at once.

    The callable that it gives returns once Ctrl-C came.
    """
    over = threading.Event()

    def hear(*came: Any) -> None:
        if over.is_set():
            leave(*came)
        over.set()

    before = signal.signal(signal.SIGINT, hear)
    try:
        with soft_interrupt():
            yield over.wait
    finally:
        signal.signal(signal.SIGINT, before)
