"""A template filled in, and what every page needs: the open table, the form, and an error as a sentence."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import secrets
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse

from incrowd.errors import IncrowdError, InputError, count_of
from incrowd.report.document import templates
from incrowd.report.words import at_least, percent, plain, visible
from incrowd.version import __version__
from incrowd.web.authentication import REPORT_POLICY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    import jinja2
    from starlette.requests import Request

    from incrowd.web.sessions.session import Session
    from incrowd.web.sessions.sessions import NetworkSession, Sessions
    from incrowd.web.sessions.work import Work

    Tell = Callable[[Request, Session, dict[str, str], Any], Any]

Chosen = TypeVar("Chosen")

STEPS = (
    ("columns", "Columns"),
    ("risks", "Risks now"),
    ("labels", "Coarser labels"),
    ("stars", "Stars"),
    ("promise", "Promise"),
    ("search", "Search"),
    ("release", "Release"),
)
FORM, MOST_FILE = 1 << 20, 64 << 20
NO_FILE = "There is no such file."
MOST_FIELDS = 20_000
MOST_SAID = 20


@dataclass(frozen=True, slots=True)
class Place:
    """One route. `method`: ``GET`` or ``POST``. `most`: bytes that may be sent."""

    path: str
    method: str
    answer: Callable[..., Any]
    most: int = FORM


@functools.cache
def _templates() -> jinja2.Environment:
    made: jinja2.Environment = templates("incrowd.web")
    made.filters |= {
        "percent": percent,
        "plain": plain,
        "at_least": at_least,
        "visible": visible,
        "thousands": "{:,}".format,
    }
    made.globals |= {"count_of": count_of, "version": __version__, "steps": STEPS, "same": same}
    return made


def fill(template: str, **context: Any) -> str:
    """Return a template, named by its file, filled in with what it asks for; every text in it is escaped."""
    return _templates().get_template(template).render(**context)


def show(request: Request, template: str, **context: Any) -> Response:
    """Return a page: a template, filled in with what it asks for."""
    problem, sent = sessions_of(request).said.get(request.query_params.get("said", ""), ("", {}))
    return fragment(template, **{"problem": problem, "sent": sent, "path": request.url.path, **context})


def fragment(template: str, **context: Any) -> Response:
    """Return a part of a page: a template, filled in with what it asks for."""
    return HTMLResponse(fill(template, **context))


def page_of(template: str, work: str = "") -> Callable[[Tell], Callable[[Request], Response]]:
    """Return a decorator that makes a page of what is to be told of a table, or of why its policy cannot be used.

    The function is called with the request, its table, how far the piece of `work` is and, once that is done, what was
    found; it returns what the template asks for, or another answer. The template says `why`.
    """

    def made(tell: Tell) -> Callable[[Request], Response]:
        @functools.wraps(tell)
        def shown(request: Request) -> Response:
            session = session_of(request)
            now = session.work(work)
            told = in_words(now)
            try:
                found = tell(
                    request, session, told, now.result if now is not None and told["state"] == "done" else None
                )
            except IncrowdError as error:  # of a policy of the user's own; the page says what to mend
                found = {"why": str(error)}
            if isinstance(found, Response):
                return found
            return show(request, template, **{"session": session, "told": told, "why": "", **found})

        return shown

    return made


def report_of(path: Path) -> Response:
    """Return a report as the browser shows it, where nothing of it can run."""
    return FileResponse(path, media_type="text/html; charset=utf-8", headers={"content-security-policy": REPORT_POLICY})


def chosen(of: Sequence[Chosen], place: Any, otherwise: Exception) -> Chosen:
    """Return what a place counts to, as a form or a path says it; raise what is given where it counts to nothing."""
    said = str(place)
    if not (said.isascii() and said.isdecimal() and int(said) < len(of)):
        raise otherwise
    return of[int(said)]


def column_of(of: Sequence[Chosen], form: Any) -> Chosen:
    """Return what a form has to say of a column; raise an `InputError` where there is none."""
    return chosen(of, form.get("column"), InputError("there is no such column; reload the page"))


def back(path: str) -> Response:
    """Return the answer to a form: the page to go on with."""
    return RedirectResponse(path, 303)


def sessions_of(request: Request) -> Sessions:
    """Return what is open."""
    found: Sessions = request.app.state.sessions
    return found


def session_of(request: Request) -> Session:
    """Return the table that a path names; raise an `HTTPException` with 404 where it is not open."""
    return _open(sessions_of(request).tables, request, "table")


def network_of(request: Request) -> NetworkSession:
    """Return the network that a path names; raise an `HTTPException` with 404 where it is not open."""
    return _open(sessions_of(request).networks, request, "network")


def _open(held: Mapping[str, Chosen], request: Request, what: str) -> Chosen:
    found = held.get(request.path_params["number"])
    if found is None:
        raise HTTPException(404, f"This {what} is not open any more; open it again.")
    return found


def sent_of(request: Request) -> Mapping[str, list[str]]:
    """Return what a form was sent with that could not be used: this page shows it again."""
    return sessions_of(request).said.get(request.query_params.get("said", ""), ("", {}))[1]


def not_taken(request: Request, path: str, error: IncrowdError, form: Any) -> Response:
    """Return the answer to a form that could not be used: a page that says why, with what was sent.

    `path` is that of the page. The page is asked for by a word of its own, so that no other page shows it.
    """
    said = sessions_of(request).said
    sent = {name: [one for one in form.getlist(name) if isinstance(one, str)] for name in form}
    word = secrets.token_hex(8)
    said[word] = (str(error), sent)
    for old in list(said)[:-MOST_SAID]:
        said.pop(old, None)
    return back(f"{path}?said={word}")


def form_action(
    act: Callable[[Request, Any], str | Response | Awaitable[str]], otherwise: str
) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers a form: it acts in a thread and goes on to a page; a mistake is said where it was sent.

    `act` is called with the request and the form, and returns the path to go on with, or an answer; one that takes
    files is a coroutine. `otherwise` is the path to go on with after a mistake, with ``{number}`` for the table's.
    """
    call: Any = act if inspect.iscoroutinefunction(act) else lambda *given: run_in_threadpool(act, *given)

    @functools.wraps(act)
    async def answer(request: Request) -> Response:
        async with request.form(max_files=20, max_fields=MOST_FIELDS, max_part_size=4 * FORM) as form:
            try:
                found = await call(request, form)
            except IncrowdError as error:
                return not_taken(request, otherwise.format(**request.path_params), error, form)
        return back(found) if isinstance(found, str) else found

    return answer


# Server-sent events of what goes on behind a page, and the wish to stop it.
PAUSE = 0.25
LEADS_ON = "?then=release"  # of the page of a search: once it has ended, the release is shown


def _work(request: Request) -> Work:
    session = session_of(request) if request.path_params["kind"] == "tables" else network_of(request)
    found = session.work(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "Nothing of this name goes on.")
    return found


def in_words(work: Work | None) -> dict[str, str]:
    """Return how far a piece of work is, in words by what they are about; of none its state is ``none``.

    It goes on meanwhile: a page reads this once, and asks it nothing more.
    """
    return {"state": "none", "why": ""} if work is None else work.told()


async def _events(request: Request) -> Response:
    work, sessions = _work(request), sessions_of(request)

    async def told() -> AsyncIterator[str]:
        said = ""
        while not sessions.closing:
            words = in_words(work)
            line = json.dumps(words)
            if line != said:
                yield f"data: {line}\n\n"
                said = line
            if words["state"] != "working":
                return
            await asyncio.sleep(PAUSE)

    return StreamingResponse(told(), headers={"content-type": "text/event-stream; charset=utf-8"})


def _stop(request: Request, form: Any) -> str:
    work = _work(request)
    work.stop()
    on = str(form.get("on", ""))
    kind, number = request.path_params["kind"], request.path_params["number"]
    leads_on = LEADS_ON if on == "search" else ""
    return f"/{kind}/{number}/{on}{leads_on}" if on.isalpha() else f"/{kind}/{number}"


PLACES = (
    Place("/{kind}/{number}/tasks/{name}/events", "GET", _events),
    Place("/{kind}/{number}/tasks/{name}/stop", "POST", form_action(_stop, "/")),
)


# The same in the shell and in Python: what a step does, as somebody would write it.
@dataclass(frozen=True, slots=True)
class Same:
    """One step in two languages. `shell`, `python`: lines to be copied."""

    shell: str
    python: str


def same(step: str, table: str, policy: str, ks: str = "2, 5, 10") -> Same:
    """Return one of the app's steps in the shell and in Python.

    `table` and `policy` are names of the files; what is made is called after the table, as a browser saves it. `ks` are
    the k that a curve is drawn for, with commas between.
    """
    stem = table.split(".")[0]
    release, certificate, report = (f"{stem}-{name}" for name in ("release.csv", "certificate.json", "report.html"))
    by, numbers = f"{table!r}, {policy!r}", ",".join(part.strip() for part in ks.split(","))
    under = (table, "--policy", policy)
    said = {
        "columns": (f"{_line('init', table)} > {shlex.quote(policy)}", f"incrowd.Policy.load({policy!r})"),
        "risks": (_line("audit", *under), f"print(incrowd.audit({by}).summary())"),
        "promise": (
            _line("tradeoff", *under, "--ks", numbers),
            f"print(incrowd.tradeoff({by}, ks=[{ks}]).summary())",
        ),
        "search": (
            _line("anonymize", *under, "-o", release, "--certificate", certificate, "--report", report),
            f"release = incrowd.anonymize({by})\nrelease.save({release!r})\nrelease.certificate({certificate!r})",
        ),
        "release": (
            _line("verify", table, release, "--policy", policy, "--certificate", certificate),
            f"incrowd.verify({table!r}, {release!r}, {policy!r}, certificate={certificate!r})",
        ),
    }
    return Same(*said.get(step, (_line("anonymize", *under, "--dry-run"), f"print(incrowd.anonymize({by}).summary())")))


def tree_same(table: str, policy: str, column: str) -> Same:
    """Return what the page of a column's groups does, in the shell and in Python; names are those of files."""
    file, then = "hierarchy1.csv", same("labels", table, policy)
    made = _line("hierarchy", column, table, "--prefix", "--lengths", "1", "-o", file)
    return Same(
        f"{made}\n# edit the file, name it in the policy, and see what follows\n{then.shell}",
        f"# edit {file}, name it in the policy, and see what follows\n{then.python}",
    )


def network_same(graph: str) -> Same:
    """Return what the page of a network asks, in the shell and in Python; `graph` is the name of its file."""
    return Same(
        f"{_line('network', graph, '--profile')}\n{_line('network', graph, '--risks', '1')}",
        f"print(incrowd.networks.profile({graph!r}).summary())\n"
        f"print(incrowd.networks.risks({graph!r}, attackers=1).summary())",
    )


def _line(*words: str) -> str:
    return shlex.join(["incrowd", *words])
