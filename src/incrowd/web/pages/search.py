"""The run: what cost, bound and gap are by now, and a stop that keeps the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError
from incrowd.web.pages.fields import changed, fields_of
from incrowd.web.pages.page import Place, back, desk_of, form_action, show
from incrowd.web.pages.progress import LEADS_ON, in_words

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["PLACES"]

SETTINGS = ("time_limit", "solver", "gap", "seed")


def _search(request: Request) -> Response:
    desk = desk_of(request)
    why, fields, policy = "", [], None
    try:
        job = desk.job
        policy = job.policy
        fields = fields_of(job, SETTINGS)
    except IncrowdError as error:
        why = str(error)
    work = desk.work("run")
    if work is not None and work.state == "done" and request.query_params.get("then") == "release":
        return back(f"/tables/{desk.number}/release")  # it ended before this page was asked for
    return show(
        request,
        "search.html",
        desk=desk,
        fields=fields,
        work=work,
        told=work and in_words(work),
        why=why,
        policy=policy,
    )


def _run(request: Request, form: Any) -> str:
    desk = desk_of(request)
    desk.change(**changed(desk.job, SETTINGS, form))
    desk.run()
    return f"/tables/{desk.number}/search{LEADS_ON}"


PLACES = (
    Place("/tables/{number}/search", "GET", _search),
    Place("/tables/{number}/search", "POST", form_action(_run, "/tables/{number}/search")),
)
