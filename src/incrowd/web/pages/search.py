"""The run: what cost, bound and gap are by now, and a stop that keeps the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError
from incrowd.web.pages.page import LEADS_ON, Place, back, form_action, in_words, sent_of, session_of, show
from incrowd.web.pages.settings import changed, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.policy.job import Job


SETTINGS = ("time_limit", "solver", "gap", "seed")


def _search(request: Request) -> Response:
    session = session_of(request)
    why, fields, asked = "", [], []
    try:
        job = session.job
        asked = list(_asked(job))
        fields = fields_of(job, SETTINGS, sent_of(request))
    except IncrowdError as error:
        why = str(error)
    work = session.work("run")
    told = in_words(work)
    if told["state"] == "done" and request.query_params.get("then") == "release":
        return back(f"/tables/{session.number}/release")  # it ended before this page was asked for
    return show(request, "search.html", session=session, fields=fields, told=told, why=why, asked=asked)


def _asked(job: Job) -> Iterator[tuple[str, str]]:
    """Yield what the search is about to do, in words: what is asked, and of which columns."""
    policy = job.policy
    yield "k", "none yet: say it under Promise" if policy.k is None else f"{policy.k:,} rows or more look alike"
    yield from ((f"{name}", f"{float(value):g}") for name in ("l", "t") if (value := getattr(policy, name)) is not None)
    yield from (("required", model.rule) for model in policy.require)
    for words, names in (
        ("others may know", policy.quasi_identifiers), ("nobody may learn", policy.all_sensitive),
        ("left out", policy.identifiers),
    ):  # fmt: skip
        yield words, ", ".join(names) or "no column"
    for line in policy.mask.describe() or ["they may stand everywhere"]:
        yield "stars", line
    if job.time_limit is not None:
        yield "time", f"at most {job.time_limit:g} seconds"


def _run(request: Request, form: Any) -> str:
    session = session_of(request)
    session.change(**changed(session.job, SETTINGS, form))
    session.run()
    return f"/tables/{session.number}/search{LEADS_ON}"


PLACES = (
    Place("/tables/{number}/search", "GET", _search),
    Place("/tables/{number}/search", "POST", form_action(_run, "/tables/{number}/search")),
)
