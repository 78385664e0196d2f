"""Listens on the loopback interface until it is told to end."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
import webbrowser
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from incrowd.errors import IncrowdError, InputError
from incrowd.web.authentication import ENTRANCE, Authentication, Keys, Rules, TooLarge, refusal_of
from incrowd.web.files import Root, Uploads
from incrowd.web.pages import columns, labels, network, page, promise, release, search, settings, stars, start
from incrowd.web.sessions.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.pages.page import Place

LOOPBACK = "127.0.0.1"
GRACE = 2.0  # seconds for answers that are under way


class Running:
    """A server that answers."""

    def __init__(self, sessions: Sessions, keys: Keys, port: int) -> None:
        self.sessions, self.keys, self.port = sessions, keys, port

    @property
    def address(self) -> str:
        """The address that opens the app, once."""
        return f"http://{LOOPBACK}:{self.port}{ENTRANCE}?token={self.keys.token}"


@contextlib.contextmanager
def running(table: Path | None = None, root: Path | None = None, port: int = 0) -> Iterator[Running]:
    """Run the app in a thread of its own, and end it with everything that is private to it.

    `table` is opened at once; without `root`, below which files may be chosen, the files of its folder alone may be
    chosen. The port 0 stands for one that is free. Raise `InputError` if the port is taken, or `table` or `root` cannot
    be opened.
    """
    listening = _listening(port)
    port = listening.getsockname()[1]
    with contextlib.ExitStack() as undo:
        undo.callback(listening.close)
        chosen = _root(table, root)
        sessions = Sessions(chosen, Uploads())
        undo.callback(sessions.close)
        if table is not None and chosen is not None:
            sessions.open_table(_inside(chosen, table))
        keys = Keys(port)
        config = uvicorn.Config(
            app_of(sessions, keys, port), log_config=None, access_log=False, lifespan="off", server_header=False,
            date_header=False, ws="none", proxy_headers=False, timeout_graceful_shutdown=int(GRACE),
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), name="incrowd-web", daemon=True)
        thread.start()

        def told(_: logging.LogRecord) -> bool:
            return not sessions.closing  # of requests that are cut off at the end nothing is to be said

        log = logging.getLogger("uvicorn.error")
        log.addFilter(told)
        undo.callback(log.removeFilter, told)

        def end() -> None:
            sessions.closing = True
            server.should_exit = True
            thread.join(2 * GRACE)

        undo.callback(end)
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield Running(sessions, keys, port)


def _listening(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((LOOPBACK, port))
    except (OSError, OverflowError):
        made.close()
        raise InputError(f"port {port} cannot be used; leave out --port, and a free one is taken") from None
    return made


def _root(table: Path | None, root: Path | None) -> Root | None:
    if root is not None:
        return Root(root)
    if table is None:
        return None
    if not table.is_file():
        raise InputError(f"there is no file {table.name!r}; name a table, or none to send one in the browser")
    return Root(table.parent, deep=False)


def _inside(root: Root, table: Path) -> Path:
    if not table.resolve().is_relative_to(root.folder):
        raise InputError(f"{table.name!r} does not lie below the folder of --root; name another folder, or none")
    return root.path(table.resolve().relative_to(root.folder).as_posix())


def serve(
    table: Path | None, root: Path | None, port: int, *, browser: bool, say: Callable[[str], None],
    until: Callable[[], object],
) -> None:  # fmt: skip
    """Run the app until it is told to end.

    `table`, `root` and `port` are as of `running`, and so is the `InputError` that it raises. With `browser` the app is
    opened in the browser of this machine. `say` gets the address, and `until` returns when the app shall end.
    """
    with running(table, root, port) as server:
        say(server.address)
        if browser:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(server.address)
        until()


# All routes of the app, inside the gate.
PLACES: tuple[Place, ...] = tuple(
    place
    for module in (start, columns, labels, stars, promise, search, release, settings, page, network)
    for place in module.PLACES
)
"""Every route there is."""


def routes_json() -> list[dict[str, Any]]:
    """Return every route with its methods, as ``incrowd serve --routes --json`` prints them."""
    methods: dict[str, list[str]] = {}
    for place in PLACES:
        methods.setdefault(place.path, []).append(place.method)
    return [{"path": path, "methods": sorted(found)} for path, found in methods.items()]


def app_of(sessions: Sessions, keys: Keys, port: int) -> Authentication:
    """Return the whole app over what is open, to be asked on a port."""
    routes = []
    for place in PLACES:
        route = Route(place.path, place.answer, methods=[place.method])
        route.methods = {place.method}  # no HEAD beside GET
        routes.append((route, place))
    handlers: Any = dict.fromkeys((IncrowdError, HTTPException, TooLarge, Exception), _refused)
    app = Starlette(routes=[route for route, _ in routes], exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.sessions, app.state.keys = sessions, keys

    def places_of(scope: Mapping[str, Any]) -> list[Place]:
        return [place for route, place in routes if route.matches(dict(scope))[0] is not Match.NONE]

    return Authentication(app, Rules(port, keys, places_of))


async def _refused(_: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return start.refused(error.status_code, error.detail)
    if isinstance(error, IncrowdError):
        return start.refused(409, str(error))
    found = refusal_of(error)
    return start.refused(found.status, found.why)
