"""Work that a page waits for: the audit, and the run with its cost, bound and gap, and a stop that keeps the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError
from incrowd.web.pages.page import LEADS_ON, Place, back, form_action, in_words, page_of, sent_of, session_of, show
from incrowd.web.pages.settings import changed, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.policy.job import Job
    from incrowd.web.sessions.session import Session


SETTINGS = ("time_limit", "solver", "gap", "seed")


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


@page_of("search.html", "run")
def _search(request: Request, session: Session, told: dict[str, str], _: Any) -> Any:
    if told["state"] == "done" and request.query_params.get("then") == "release":
        return back(f"/tables/{session.number}/release")  # it ended before this page was asked for
    job = session.job
    return {"asked": list(_asked(job)), "fields": fields_of(job, SETTINGS, sent_of(request))}


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
    Place("/tables/{number}/risks", "GET", _risks),
    Place("/tables/{number}/search", "GET", _search),
    Place("/tables/{number}/search", "POST", form_action(_run, "/tables/{number}/search")),
)
