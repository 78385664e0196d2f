"""Choose a file: dropped in, or below the root; what is open; style, script and pictures of the app itself."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from incrowd.errors import InputError
from incrowd.web.authentication import ENTRANCE
from incrowd.web.files import LIMITS
from incrowd.web.pages.page import FORM, NO_FILE, Place, fill, form_action, sessions_of, show
from incrowd.web.sessions.sessions import GRAPHS, table_endings

if TYPE_CHECKING:
    from starlette.requests import Request


def _start(request: Request) -> Response:
    sessions = sessions_of(request)
    root = sessions.root
    return show(
        request, "start.html", tables=list(sessions.tables.values()), networks=list(sessions.networks.values()),
        folder=None if root is None else root.folder.name,
        files=[] if root is None else root.names(table_endings()),
        graphs=[] if root is None else root.names(GRAPHS),
        endings=", ".join(table_endings()), graph_endings=", ".join(GRAPHS),
    )  # fmt: skip


async def _upload(request: Request, form: Any) -> str:
    """Take a file, and open it as what the form says it is."""
    sessions = sessions_of(request)
    path = await sessions.uploads.keep(form.get("file"), sessions.uploads.room())
    return _opened(sessions, path, str(form.get("as", "table")))


def _choose(request: Request, form: Any) -> str:
    sessions = sessions_of(request)
    if sessions.root is None:
        raise InputError("incrowd serve was started without a folder; send the file instead")
    path = sessions.root.path(str(form.get("file", "")))
    return _opened(sessions, path, str(form.get("as", "table")))


def _opened(sessions: Any, path: Any, kind: str) -> str:
    if kind == "network":
        return f"/networks/{sessions.open_network(path).number}"
    return f"/tables/{sessions.open_table(path).number}/columns"


def _shut(request: Request, _: Any) -> str:
    sessions_of(request).shut(request.path_params["number"])
    return "/"


def _enter(request: Request) -> Response:
    """Exchange the token for a cookie; the page goes on by itself.

    A redirect would arrive without the cookie where the link stood on another site.
    """
    tokens = request.query_params.getlist("token")
    cookie = request.app.state.keys.enter(tokens[0]) if len(tokens) == 1 else None
    if cookie is None:
        return refused(403, "This address was used already, or it is not the one that incrowd serve printed.")
    return HTMLResponse(fill("enter.html"), headers={"set-cookie": cookie})


def refused(status: int, why: str) -> Response:
    """Return a page that says what is wrong, in one sentence."""
    return HTMLResponse(fill("refused.html", why=why, status=status), status)


# Style, script and pictures of the app itself: a fixed list, read once.
STATIC = {
    "style.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


@functools.cache
def _content(name: str) -> bytes:
    return (Path(__file__).parents[1] / "static" / name).read_bytes()


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404, NO_FILE)
    return Response(_content(name), headers={"content-type": STATIC[name]})


PLACES = (
    Place("/static/{name}", "GET", _static),
    Place(ENTRANCE, "GET", _enter),
    Place("/", "GET", _start),
    Place("/upload", "POST", form_action(_upload, "/"), most=LIMITS.upload + FORM),
    Place("/choose", "POST", form_action(_choose, "/")),
    Place("/{kind}/{number}/close", "POST", form_action(_shut, "/")),
)
