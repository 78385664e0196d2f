"""All routes of the app, inside the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from incrowd.errors import IncrowdError
from incrowd.web.gate.gate import Gate, TooLarge, place_of
from incrowd.web.gate.rules import Rules
from incrowd.web.pages import (
    columns,
    files,
    labels,
    network,
    progress,
    promise,
    release,
    risks,
    search,
    settings,
    stars,
    start,
    trees,
)
from incrowd.web.pages.page import FORM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.gate.keys import Keys
    from incrowd.web.pages.page import Place
    from incrowd.web.studio.studio import Studio

__all__ = ["PLACES", "app_of", "routes_json"]

PLACES: tuple[Place, ...] = tuple(
    place
    for module in (
        files, start, columns, risks, labels, trees, stars, promise, search, release, settings, progress, network,
    )
    for place in module.PLACES
)  # fmt: skip
"""Every route there is."""


def routes_json() -> list[dict[str, Any]]:
    """Return every route with its methods, as ``incrowd serve --routes --json`` prints them."""
    methods: dict[str, list[str]] = {}
    for place in PLACES:
        methods.setdefault(place.path, []).append(place.method)
    return [{"path": path, "methods": sorted(found)} for path, found in methods.items()]


def app_of(studio: Studio, keys: Keys, port: int) -> Gate:
    """Return the whole app over what is open, to be asked on a port."""
    routes = []
    for place in PLACES:
        route = Route(place.path, place.answer, methods=[place.method])
        route.methods = {place.method}  # no HEAD beside GET
        routes.append((route, place))
    handlers: Any = {IncrowdError: _problem, HTTPException: _missing, TooLarge: _too_large, Exception: _our_bug}
    app = Starlette(routes=[route for route, _ in routes], exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.studio, app.state.keys = studio, keys

    def matching(scope: Mapping[str, Any]) -> list[Place]:
        return [place for route, place in routes if route.matches(dict(scope))[0] is not Match.NONE]

    def methods_of(scope: Mapping[str, Any]) -> frozenset[str]:
        return frozenset(place.method for place in matching(scope))

    def most(scope: Mapping[str, Any]) -> int:
        return max((place.most for place in matching(scope) if place.method == scope["method"]), default=FORM)

    return Gate(app, Rules(port, keys, methods_of), most)


async def _problem(_: Request, error: Exception) -> Response:
    return start.refused(409, str(error))


async def _missing(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return start.refused(error.status_code, error.detail)


async def _our_bug(_: Request, error: Exception) -> Response:
    return start.refused(500, f"This is our bug: {place_of(error)}. Nothing was released. Please report it.")


async def _too_large(_: Request, __: Exception) -> Response:
    return start.refused(413, "That is more than this page takes.")
