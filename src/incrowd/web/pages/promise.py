"""What is promised: k, l and t with what they mean for this table, and the curve to choose k by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import PolicyError
from incrowd.policy.keys import SECTIONS
from incrowd.report.drawings import DASHES, Line, lines
from incrowd.settings import settings_of, split
from incrowd.web.pages.page import Place, form_action, page_of, sent_of, session_of
from incrowd.web.pages.settings import changed, fields_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from incrowd.policy.job import Job
    from incrowd.web.sessions.session import Session


SETTINGS = SECTIONS["What is promised"]
FIRST = ("k", "l", "t")
USUAL = (2, 3, 5, 10, 20, 50)


@page_of("promise.html", "curve")
def _promise(request: Request, session: Session, _: dict[str, str], curve: Any) -> Any:
    job, rows = session.job, session.start.rows if session.start else None
    fields = fields_of(job, SETTINGS, sent_of(request))
    points = [] if curve is None else curve.points
    ks = [point["k"] for point in points] or _ks(rows or 50)
    return {
        "first": [one for one in fields if one.name in FIRST],
        "more": [one for one in fields if one.name not in FIRST],
        "meaning": list(_meaning(job, rows)),
        "points": points,
        "drawing": lines(_lines(points), "k", "cost") if points else "",
        "fresh": session.fresh("curve"),
        "ks": ", ".join(map(str, ks)),
        "typed": sent_of(request).get("ks"),
        "models": [(name, list(settings_of(registry.load("models", name)))) for name in registry.names("models")],
    }


def _meaning(job: Job, rows: int | None) -> Any:
    """Yield what the thresholds mean, in sentences."""
    policy = job.policy
    if policy.k is None:
        yield "No k is given yet. 5 is usual inside an organisation, 10 or more for the public."
    else:
        share = f" At most {rows // policy.k:,} such crowds fit into the {rows:,} rows." if rows else ""
        yield (
            f"k = {policy.k}: whoever knows all the columns that others may know still finds {policy.k} rows or more "
            f"that look alike, so a guess is right with a chance of 1 in {policy.k} at most.{share}"
        )
    names = ", ".join(policy.all_sensitive)
    if not policy.all_sensitive:
        yield "No column is marked as one that nobody may learn, so l and t have nothing to protect."
    elif policy.l is None and policy.t is None and not policy.require:
        yield (
            f"Nothing is asked of {names}: where all who look alike share one value, it is known of each of them. "
            "l = 2 is the least that helps."
        )
    if policy.l is not None:
        least = _number(policy.l)
        yield f"l = {least}: among those who look alike no value of {names} belongs to more than 1 in {least}."
    if policy.t is not None:
        yield (
            f"t = {_number(policy.t)}: among those who look alike the values of {names} spread nearly as in the whole "
            f"table; at most {_number(100 * policy.t)} % would have to be moved from one value to another."
        )


def _number(value: Any) -> str:
    return f"{float(value):g}"


def _ks(rows: int) -> list[int]:
    return [k for k in USUAL if 4 * k <= rows] or [1]


def _lines(points: Any) -> list[Line]:
    solved, bounded = ([p for p in points if p[key] is not None] for key in ("cost", "lower_bound"))
    return [
        Line("lost by the best release found", [(p["k"], p["cost"]) for p in solved], "star"),
        Line("no release can lose less", [(p["k"], p["lower_bound"]) for p in bounded], "main", DASHES[1]),
    ]


def _save(request: Request, form: Any) -> str:
    session = session_of(request)
    session.change(**changed(session.job, SETTINGS, form))
    return f"/tables/{session.number}/{'search' if form.get('next') else 'promise'}"


def _curve(request: Request, form: Any) -> str:
    session = session_of(request)
    try:
        ks = [int(part) for part in split(str(form.get("ks", "")))]
    except ValueError:
        raise PolicyError("the k to try are whole numbers with commas between, such as 2, 5, 10") from None
    if not 1 <= len(ks) <= 20:
        raise PolicyError("name 1 to 20 k to try, such as 2, 5, 10")
    session.change(**changed(session.job, SETTINGS, form))  # what else was typed on the page
    session.curve(ks)
    return f"/tables/{session.number}/promise"


PLACES = (
    Place("/tables/{number}/promise", "GET", _promise),
    Place("/tables/{number}/promise", "POST", form_action(_save, "/tables/{number}/promise")),
    Place("/tables/{number}/curve", "POST", form_action(_curve, "/tables/{number}/promise")),
)
