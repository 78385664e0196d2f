"""The outermost layer: it refuses by its rules, bounds what is sent, and lets no error say a word of the table."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


log = logging.getLogger("incrowd.web")


class TooLarge(Exception):
    """More was sent than the route takes."""


class Authentication:
    """Who may ask what of the whole application, an ASGI application.

    `rules` say what is refused, and how many bytes may be sent.
    """

    def __init__(self, application: ASGIApp, rules: Rules) -> None:
        self._application = application
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; the parameters are as of ASGI."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._rules.refusal(scope)
        if refusal is not None:
            await _heard_out(receive)
            await _answer(send, refusal)
            return
        await self._passed(scope, receive, send)

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        most, heard, more, begun = self._rules.most(scope), 0, scope["method"] == "POST", False

        async def counted() -> Message:
            nonlocal heard, more
            message = await receive()
            heard, more = heard + len(message.get("body", b"")), message.get("more_body", False)
            if heard > most:
                raise TooLarge
            return message

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                if more:
                    await _heard_out(receive)
                message["headers"] = _with_ours(message.get("headers", ()))
            await send(message)

        try:
            await self._application(scope, counted, marked)
        except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
            if not isinstance(error, TooLarge):
                log.error("this is our bug: %s", place_of(error))
            if not begun:
                await _answer(marked, refusal_of(error))


def refusal_of(error: Exception) -> Refusal:
    """Return the answer to a request that led to an error; it says nothing that the error's text may hold."""
    if isinstance(error, TooLarge):
        return Refusal(413, "That is more than this page takes.")
    return Refusal(500, f"This is our bug: {place_of(error)}. Nothing was released. Please report it.")


def _with_ours(headers: Any) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer with ours beside them; its own stands where it says one of them itself."""
    own = [(bytes(name).lower(), bytes(value)) for name, value in headers]
    said = {name for name, _ in own}
    return [*own, *((n.encode(), v.encode()) for n, v in ALWAYS.items() if n.encode() not in said)]


async def _answer(send: Send, refusal: Refusal) -> None:
    """Answer with a plain sentence."""
    body = f"{refusal.why}\n".encode()
    said = {"content-type": "text/plain; charset=utf-8", "content-length": str(len(body)), "connection": "close"}
    headers = [(name.encode(), value.encode()) for name, value in (said | ALWAYS).items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _heard_out(receive: Receive) -> None:
    """Read on to the end of a request: an answer is lost where a connection is closed on bytes that nobody read."""

    async def heard() -> None:
        while (await receive()).get("more_body", False):
            pass

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(heard(), SECONDS_UNREAD)


# The reasons to refuse a request, in the order in which they are asked.
ENTRANCE = "/enter"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
MOST_QUERY = 4096
SECONDS_UNREAD = 1.0  # for what a request sends still when its answer is known


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused. `status`: of HTTP. `why`: one sentence; it repeats nothing of the request."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What a request has to be.

    `port`: on which the server listens. `places_of`: returns the routes that a request's path leads to, each with its
    method and the bytes that it takes.
    """

    port: int
    keys: Keys
    places_of: Callable[[Mapping[str, Any]], Sequence[Any]]

    def most(self, scope: Mapping[str, Any]) -> int:
        """Return how many bytes may be sent with a request that is not refused."""
        return int(max(place.most for place in self.places_of(scope) if place.method == scope["method"]))

    def refusal(self, scope: Mapping[str, Any]) -> Refusal | None:
        """Return why an HTTP request is refused, or None where nothing is against it; `scope` is as ASGI has it."""
        return next(self._against(scope), None)

    def _against(self, scope: Mapping[str, Any]) -> Iterator[Refusal]:
        method, host, entering = scope["method"], header(scope, "host"), scope["path"] == ENTRANCE
        if host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):  # another name is somebody's trick
            yield Refusal(421, "This address is not the one that incrowd serve printed.")
        if len(scope["query_string"]) > MOST_QUERY:
            yield Refusal(414, "The address is too long.")
        if method not in ("GET", "POST") or (entering and method != "GET"):
            yield Refusal(405, "Pages are read with GET and changed with POST; there is no other way.")
        if not entering:
            yield from self._of_sender(scope, f"http://{host}", posts=method == "POST")
        methods = {place.method for place in self.places_of(scope)}
        if not methods:
            yield Refusal(404, "There is no such page.")
        if method not in methods:
            yield Refusal(405, "This page is not asked in this way.")

    def _of_sender(self, scope: Mapping[str, Any], own: str, *, posts: bool) -> Iterator[Refusal]:
        """Refuse what another site sent, and whoever has no cookie."""
        origin, site = header(scope, "origin"), header(scope, "sec-fetch-site")
        foreign = origin != own if posts else origin not in ("", own)
        if foreign or site not in (("", "same-origin") if posts else ("", "same-origin", "none")):
            yield Refusal(403, "This request comes from another site.")
        if not self.keys.knows(header(scope, "cookie")):
            yield Refusal(403, "Open the address that incrowd serve printed; it works once, in one browser.")
        if posts and header(scope, "content-type").partition(";")[0].strip().lower() not in FORMS:
            yield Refusal(415, "Only forms are taken.")


def header(scope: Mapping[str, Any], name: str) -> str:
    """Return a header of a request; empty where it is missing, and a line end, which none holds, where it came twice.

    `scope` is that of an HTTP request, as ASGI has it, and `name` is in lower case.
    """
    found = [value for key, value in scope["headers"] if key.lower() == name.encode()]
    if name == "cookie":  # HTTP/2 may split it; here one is usual
        return "; ".join(value.decode("latin-1") for value in found)
    return "\n" if len(found) > 1 else found[0].decode("latin-1") if found else ""


# The one-time token that stands in the address, and the cookie that it is exchanged for.
BYTES = 32


class Keys:
    """The secrets of one run of the server; both are drawn anew for every run.

    The server listens on `port`. Browsers share cookies between the ports of a machine, so its name holds the port.
    `token`: opens the door once.
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(BYTES)
        self.cookie_name = f"incrowd-{port}"
        self._session = secrets.token_urlsafe(BYTES)
        self._used = False
        self._lock = threading.Lock()

    def enter(self, token: str) -> str | None:
        """Return the cookie's line for a token that is right and was not used yet, else None.

        The token is as it came; it is used up if it was right.
        """
        right = secrets.compare_digest(token.encode(), self.token.encode())
        with self._lock:
            if not right or self._used:
                return None
            self._used = True
        return f"{self.cookie_name}={self._session}; Path=/; HttpOnly; SameSite=Strict"

    def knows(self, cookies: str) -> bool:
        """Return whether the cookies of a request, the header as it came, hold ours."""
        found = [part.strip().partition("=") for part in cookies.split(";")]
        ours = [value for name, _, value in found if name == self.cookie_name]
        return len(ours) == 1 and secrets.compare_digest(ours[0].encode(), self._session.encode())


# What every answer carries: nothing from elsewhere, in no frame, kept by no cache.
POLICY = (
    "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'"
)
"""For every page of the app: scripts and styles are files of ours, none stands in a page."""

REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action 'none'; "
    "base-uri 'none'; sandbox"
)
"""For a report, which is one file with its style inside: no script, no form, no origin."""

ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # no-referrer would take the Origin from forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Each stands in every answer, refusals too; an answer may say a stricter one of its own."""
