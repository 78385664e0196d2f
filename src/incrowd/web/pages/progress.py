"""Server-sent events of what goes on behind a page, and the wish to stop it."""

from __future__ import annotations

import asyncio
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from incrowd.report.text.words import at_least, at_most, plain
from incrowd.web.pages.page import Place, desk_of, form_action, network_of, studio_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.studio.work import Work

__all__ = ["LEADS_ON", "PLACES", "in_words"]

PAUSE = 0.25
LEADS_ON = "?then=release"  # of the page of a search: once it has ended, the release is shown
STAGES = {
    "read": "Reading the table",
    "compress": "Grouping equal rows",
    "solve": "Searching",
    "bound": "Proving what any release must lose",
    "expand": "Writing the rows out",
    "verify": "Counting again",
    "measure": "Measuring what was lost",
    "write": "Done",
}


def _work(request: Request) -> Work:
    desk: Any = desk_of(request) if request.path_params["kind"] == "tables" else network_of(request)
    found = desk.work(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "Nothing of this name goes on.")
    work: Work = found
    return work


def in_words(work: Work) -> dict[str, str]:
    """Return how far a piece of work is, in words by what they are about."""
    told = work.told()
    scale = int(told["scale"])
    gap = told["gap"]
    return {
        "state": told["state"],
        "stage": STAGES.get(told["stage"], work.what) + (", stopping" if told["stopping"] else ""),
        "seconds": f"{told['seconds']:.1f} s",
        "cost": "not known yet" if told["cost"] is None else plain(Fraction(told["cost"], scale)),
        "bound": "not known yet" if told["lower_bound"] is None else at_least(Fraction(told["lower_bound"], scale)),
        "gap": "not known yet"
        if gap is None
        else "nothing: it is the least"
        if gap == 0
        else f"at most {at_most(gap)}",
    }


async def _events(request: Request) -> Response:
    work, studio = _work(request), studio_of(request)

    async def told() -> AsyncIterator[str]:
        said = ""
        while not studio.closing:
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
