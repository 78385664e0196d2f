"""Style, script and pictures of the app itself: a fixed list, read once."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from incrowd.web.pages.page import Place

if TYPE_CHECKING:
    from starlette.requests import Request


FILES = {
    "style.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


@functools.cache
def _content(name: str) -> bytes:
    return (Path(__file__).parents[1] / "static" / name).read_bytes()


def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404, "There is no such file.")
    return Response(_content(name), headers={"content-type": FILES[name]})


PLACES = (Place("/static/{name}", "GET", _file),)
