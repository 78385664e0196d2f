"""Choose a file: dropped in, or below the root; and what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from incrowd.errors import InputError
from incrowd.web.authentication import ENTRANCE
from incrowd.web.files import LIMITS
from incrowd.web.pages.page import FORM, Place, fill, form_action, sessions_of, show
from incrowd.web.sessions.sessions import GRAPHS, table_endings

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


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
    sessions, sent = sessions_of(request), form.get("file")
    if sent is None or isinstance(sent, str):
        raise InputError("no file was chosen; choose one first")
    path = await sessions.uploads.keep(sent, sessions.uploads.room())
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


PLACES = (
    Place(ENTRANCE, "GET", _enter),
    Place("/", "GET", _start),
    Place("/upload", "POST", form_action(_upload, "/"), most=LIMITS.upload + FORM),
    Place("/choose", "POST", form_action(_choose, "/")),
    Place("/{kind}/{number}/close", "POST", form_action(_shut, "/")),
)
