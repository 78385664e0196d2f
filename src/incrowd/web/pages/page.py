"""A template filled in, and what every page needs: the open table, the form, and an error as a sentence."""

from __future__ import annotations

import functools
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse

from incrowd.errors import IncrowdError
from incrowd.report.text.characters import visible
from incrowd.report.text.words import at_least, at_most, bound_words, count_of, percent, plain
from incrowd.version import __version__
from incrowd.web.pages.commands import same

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.studio.desk import Desk
    from incrowd.web.studio.network_desk import NetworkDesk
    from incrowd.web.studio.studio import Studio

__all__ = [
    "STEPS", "Place", "back", "desk_of", "fill", "form_action", "fragment", "network_of", "not_taken", "sent_of",
    "show", "studio_of",
]  # fmt: skip

STEPS = (
    ("columns", "Columns"),
    ("risks", "Risks now"),
    ("labels", "Coarser labels"),
    ("stars", "Stars"),
    ("promise", "Promise"),
    ("search", "Search"),
    ("release", "Release"),
)
FORM = 1 << 20
MOST_FIELDS = 20_000
MOST_SAID = 20


@dataclass(frozen=True, slots=True)
class Place:
    """One route.

    Attributes
    ----------
    path : str
    method : str
        ``GET`` or ``POST``.
    answer : callable
    most : int
        Bytes that may be sent.
    """

    path: str
    method: str
    answer: Callable[..., Any]
    most: int = FORM


@functools.cache
def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "percent": percent,
        "plain": plain,
        "at_least": at_least,
        "at_most": at_most,
        "bound_words": bound_words,
        "visible": visible,
        "thousands": "{:,}".format,
    }
    made.globals |= {"count_of": count_of, "version": __version__, "steps": STEPS, "same": same}
    return made


def fill(template: str, **context: Any) -> str:
    """Return a template, named by its file, filled in with what it asks for; every text in it is escaped."""
    return _templates().get_template(template).render(**context)


def show(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """Return a page: a template, filled in with what it asks for."""
    problem, sent = studio_of(request).said.get(request.query_params.get("said", ""), ("", {}))
    return HTMLResponse(
        fill(template, **{"problem": problem, "sent": sent, "path": request.url.path, **context}), status
    )


def fragment(template: str, **context: Any) -> Response:
    """Return a part of a page: a template, filled in with what it asks for."""
    return HTMLResponse(fill(template, **context))


def back(path: str) -> Response:
    """Return the answer to a form: the page to go on with."""
    return RedirectResponse(path, 303)


def studio_of(request: Request) -> Studio:
    """Return what is open."""
    found: Studio = request.app.state.studio
    return found


def desk_of(request: Request) -> Desk:
    """Return the table that a path names; raise an `HTTPException` with 404 where it is not open."""
    found: Desk = _open(studio_of(request).tables, request, "table")
    return found


def network_of(request: Request) -> NetworkDesk:
    """Return the network that a path names; raise an `HTTPException` with 404 where it is not open."""
    found: NetworkDesk = _open(studio_of(request).networks, request, "network")
    return found


def _open(held: Mapping[str, Any], request: Request, what: str) -> Any:
    found = held.get(request.path_params["number"])
    if found is None:
        raise HTTPException(404, f"This {what} is not open any more; open it again.")
    return found


def sent_of(request: Request) -> Mapping[str, list[str]]:
    """Return what a form was sent with that could not be used: this page shows it again."""
    return studio_of(request).said.get(request.query_params.get("said", ""), ("", {}))[1]


def not_taken(request: Request, path: str, error: IncrowdError, form: Any) -> Response:
    """Return the answer to a form that could not be used: a page that says why, with what was sent.

    `path` is that of the page. The page is asked for by a word of its own, so that no other page shows it.
    """
    said = studio_of(request).said
    sent = {name: [one for one in form.getlist(name) if isinstance(one, str)] for name in form}
    word = secrets.token_hex(8)
    said[word] = (str(error), sent)
    for old in list(said)[:-MOST_SAID]:
        said.pop(old, None)
    return back(f"{path}?said={word}")


def form_action(
    act: Callable[[Request, Any], str | Response], otherwise: str
) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers a form: it acts in a thread and goes on to a page; a mistake is said where it was sent.

    `act` is called with the request and the form, and returns the path to go on with, or an answer. `otherwise` is the
    path to go on with after a mistake, with ``{number}`` for the table's.
    """

    @functools.wraps(act)
    async def answer(request: Request) -> Response:
        async with request.form(max_files=20, max_fields=MOST_FIELDS, max_part_size=4 * FORM) as form:
            try:
                found = await run_in_threadpool(act, request, form)
            except IncrowdError as error:
                return not_taken(request, otherwise.format(**request.path_params), error, form)
        return back(found) if isinstance(found, str) else found

    return answer
