"""The mask in words: which cells of a row may change together, and how many patterns that allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.tables.mask import Mask
from incrowd.web.pages.page import Place, form_action, fragment, page_of, sent_of, session_of
from incrowd.web.pages.settings import changed, fields_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.sessions.session import Session


NAMES = (*MASK_SETTINGS, "weights")


@page_of("stars.html")
def _stars(request: Request, session: Session, *_: Any) -> Any:
    job, sent = session.job, sent_of(request)
    mask, names = job.policy.mask, job.policy.quasi_identifiers
    kept: Sequence[str] = mask.keep if isinstance(mask, Mask) else ()
    if sent.get("keep_shown"):
        kept = [name for place, name in enumerate(names) if str(place) in sent.get("keep", ())]
    counted = session.questions.counting(job).state == "done"  # else the page asks for it when it stands
    return {
        "fields": [one for one in fields_of(job, NAMES, sent) if one.name != "keep"],
        "said": mask.describe(),
        "count": session.questions.allowed_patterns(job) if counted else None,
        "composed": not isinstance(mask, Mask),
        "names": names,
        "kept": kept,
    }


def _save(request: Request, form: Any) -> str:
    session = session_of(request)
    job = session.job
    settings = changed(job, NAMES, form)
    if isinstance(job.policy.mask, Mask) and form.get("keep_shown"):
        names = job.policy.quasi_identifiers
        wanted = {str(place) for place in form.getlist("keep")}
        keep = [name for place, name in enumerate(names) if str(place) in wanted]
        if set(keep) != set(job.policy.mask.keep):
            settings["keep"] = keep
    session.questions.allowed_patterns(job.replace(**settings))
    session.change(**settings)
    return f"/tables/{session.number}/{'promise' if form.get('next') else 'stars'}"


def _patterns(request: Request, _: Any) -> Response:
    """Say how many patterns are allowed, once the values of the columns are counted."""
    session = session_of(request)
    try:
        return fragment("patterns.html", count=session.questions.allowed_patterns(session.job), why="")
    except IncrowdError as error:
        return fragment("patterns.html", count=None, why=str(error))


PLACES = (
    Place("/tables/{number}/stars", "GET", _stars),
    Place("/tables/{number}/stars", "POST", form_action(_save, "/tables/{number}/stars")),
    Place("/tables/{number}/patterns", "POST", form_action(_patterns, "/tables/{number}/stars")),
)
