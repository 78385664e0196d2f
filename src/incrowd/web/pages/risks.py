"""The audit: who can be told apart in the table as it is, and which columns do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import IncrowdError
from incrowd.web.pages.page import Place, in_words, session_of, show

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def _risks(request: Request) -> Response:
    session = session_of(request)
    try:
        work = session.audit()
    except IncrowdError as error:
        told = in_words(None) | {"why": str(error)}
    else:
        work.wait(0.5)
        told = in_words(work)
        if told["state"] == "done":
            return show(request, "risks.html", session=session, document=work.result.document())
    return show(request, "wait.html", session=session, step="risks", title="Risks now", told=told)


PLACES = (Place("/tables/{number}/risks", "GET", _risks),)
