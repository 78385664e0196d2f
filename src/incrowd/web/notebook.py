"""``incrowd.studio``: the local web app beside a notebook, opened by a link in a tab of its own."""

from __future__ import annotations

import atexit
import contextlib
import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, an

if TYPE_CHECKING:
    from collections.abc import Callable


NEEDS = "incrowd.studio needs what is not installed: pip install '.[web]'"


class OpenStudio(contextlib.AbstractContextManager["OpenStudio"]):
    """A local web app that runs until it is closed, or Python ends.

    `end` ends it, and removes what is private to it. `address`: opens the app in a browser of this machine, once: the
    browser that opened it stays in. Whoever reads the address first can open it, so share no notebook that still shows
    one.
    """

    def __init__(self, address: str, end: Callable[[], object]) -> None:
        self.address = address
        self._end: Callable[[], object] | None = end
        atexit.register(self.close)

    def close(self) -> None:
        """End the app, and remove what was sent to it."""
        end, self._end = self._end, None
        if end is not None:
            atexit.unregister(self.close)
            end()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether it was ended."""
        return self._end is None

    def __repr__(self) -> str:
        return "<Studio, closed>" if self.closed else f"<Studio at {self.address} (opens once, on this machine)>"

    def _repr_html_(self) -> str:
        if self.closed:
            return "<p>This studio is closed; <code>incrowd.studio(table)</code> opens another.</p>"
        link = html.escape(self.address, quote=True)
        return (
            f'<p><a href="{link}" target="_blank" rel="noopener noreferrer">Open incrowd in a tab of its own</a>: on '
            "this machine alone; the link works once, and <code>.close()</code> ends it.</p>"
        )


def studio(table: Any = None, *, port: int = 0) -> OpenStudio:
    """Open the local web app on a table, from a notebook or any Python program, and give a link to it.

    The app is the one of ``incrowd serve``: it runs in a thread of this process, listens to this machine alone, and
    shows the table's columns, risks, roles, hierarchies and releases.

    Parameters
    ----------
    table : path, pandas or polars frame, Arrow table, list of dicts, optional
        Opened first. A frame is written to a private folder for it, which is removed at the end. Left out, a file can
        be sent in the browser.
    port : int
        Where to listen; 0: any free one.

    Returns
    -------
    OpenStudio
        With ``address`` and ``close()``; a notebook shows it as a link.

    Raises
    ------
    InputError
        If the extra ``web`` is not installed, or table or port cannot be used.
    """
    try:
        from incrowd.web.server import running
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] == "incrowd":
            raise
        raise InputError(NEEDS) from None
    with contextlib.ExitStack() as undo:
        path = None if table is None else _file_of(table, undo)
        found = undo.enter_context(running(path, None, port))
        return OpenStudio(found.address, undo.pop_all().close)


def _file_of(table: Any, undo: contextlib.ExitStack) -> Path:
    """Return the file of a table; one in memory is written to a private folder first."""
    if isinstance(table, (str, Path)):
        return Path(table)
    from incrowd.recovery import PrivateFolder
    from incrowd.tables.engine.open import open_engine
    from incrowd.tables.formats import format_named
    from incrowd.tables.read import open_source
    from incrowd.tables.roles import Reading

    kept = PrivateFolder()
    undo.callback(kept.cleanup)
    path = Path(kept.name) / "table" / "table.parquet"
    path.parent.mkdir(mode=0o700)
    with open_engine("duckdb", None, table) as engine:
        opened = open_source(engine, table, Reading())
        if engine.files is not engine:
            raise InputError(f"{an(type(table).__name__)} lives in Spark; write it to a file and give its path")
        rows = opened.data.order_by("row_key").drop("row_key")
        with engine.guard("writing the table for the studio"):
            format_named("parquet").write(engine, rows, list(opened.names), path, packed=False)
    return path
