"""The outermost layer: it refuses by its rules, bounds what is sent, and lets no error say a word of the table."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.web.gate.headers import ALWAYS
from incrowd.web.gate.rules import Refusal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    from incrowd.web.gate.rules import Rules

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

__all__ = ["Gate", "TooLarge", "place_of"]

log = logging.getLogger("incrowd.web")


class TooLarge(Exception):
    """More was sent than the route takes."""


class Gate:
    """The gate around the whole application, an ASGI application.

    `rules` say what is refused, and `most` returns how many bytes may be sent to the path of a request.
    """

    def __init__(self, application: Application, rules: Rules, most: Callable[[Mapping[str, Any]], int]) -> None:
        self._application = application
        self._rules = rules
        self._most = most

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
            await _answer(send, refusal)
            return
        await self._passed(scope, receive, send)

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        most, heard, begun = self._most(scope), 0, False

        async def counted() -> Message:
            nonlocal heard
            message = await receive()
            heard += len(message.get("body", b""))
            if heard > most:
                raise TooLarge
            return message

        async def marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = _with_ours(message.get("headers", ()))
            await send(message)

        try:
            await self._application(scope, counted, marked)
        except TooLarge:
            if not begun:
                await _answer(send, Refusal(413, "That is more than this page takes."))
        except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
            log.error("this is our bug: %s", place_of(error))
            if not begun:
                why = f"This is our bug: {place_of(error)}. Nothing was released. Please report it."
                await _answer(send, Refusal(500, why))


def place_of(error: BaseException) -> str:
    """Return the kind of an error and where it came from, without its text, which may quote the table."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{where}"


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
