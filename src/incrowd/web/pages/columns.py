"""What the columns are, and the role of each: kinds, distinct values, gaps; a cell only where somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.policy.job import Job
from incrowd.settings import settings_of
from incrowd.tables.roles import Reading
from incrowd.web.pages.page import Place, column_of, form_action, fragment, page_of, sent_of, session_of, show
from incrowd.web.pages.settings import changed, fields_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.sessions.session import Session


ROLES = (
    ("quasi_identifiers", "Others may know it", "It will be blurred so far that nobody stands out."),
    ("sensitive", "Nobody may learn it", "It stays as it is; you can ask that it cannot be guessed."),
    ("identifiers", "Names people", "It is left out."),
    ("other", "None of these", "It stays as it is, outside the protection."),
)
SOME = 8


def roles_now(job: Job, columns: list[str]) -> dict[str, str]:
    """Return the role of every column under a policy."""
    policy = job.policy
    named = [(role, getattr(policy, role)) for role, _, _ in ROLES if role not in ("other", "sensitive")]
    named.append(("sensitive", policy.all_sensitive))
    return {name: next((role for role, names in named if name in names), "other") for name in columns}


@page_of("columns.html", "columns")
def _columns(request: Request, session: Session, told: dict[str, str], _: Any) -> Any:
    sent, start = sent_of(request), session.start
    if told["state"] != "done" or start is None:
        reading = fields_of(Job(), settings_of(Reading), sent)
        return show(request, "columns_wait.html", session=session, told=told, reading=reading)
    job = session.job
    roles = roles_now(job, [column.name for column in start.columns])
    roles |= {name: sent[f"role{n}"][0] for n, name in enumerate(roles) if sent.get(f"role{n}")}
    return {
        "roles": roles,
        "choices": ROLES,
        "reading": fields_of(job, settings_of(Reading), sent),
        "other_words": {"keep": "stay as they are", "drop": "are left out"},
        "other": sent["other"][0] if sent.get("other") else job.policy.other,
    }


def _save_roles(request: Request, form: Any) -> str:
    session = session_of(request)
    start = _start_of(session)
    job = session.job
    before = roles_now(job, [column.name for column in start.columns])
    after = {
        column.name: str(form.get(f"role{place}", before[column.name])) for place, column in enumerate(start.columns)
    }
    if any(role not in {name for name, _, _ in ROLES} for role in after.values()):
        raise InputError("a column has a role that there is not; reload the page and choose again")
    settings: dict[str, Any] = {}
    for role in ("quasi_identifiers", "sensitive", "identifiers"):
        now = getattr(job.policy, role)
        stay = [name for name in now if after.get(name, role) == role]
        names = (*stay, *(name for name in after if after[name] == role and name not in now and before[name] != role))
        if names != now:
            settings[role] = names
    settings |= _of_others(session, job, settings.get("quasi_identifiers", job.policy.quasi_identifiers))
    settings |= changed(job, ("other",), form)
    session.change(**settings)
    return f"/tables/{session.number}/risks"


def _of_others(session: Session, job: Job, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what follows for columns that were quasi-identifiers, and the hierarchies that suit new ones."""
    policy, start = job.policy, _start_of(session)
    found: dict[str, Any] = {}
    new = [name for name in names if name not in policy.quasi_identifiers]
    proposed = {name: start.hierarchies[name] for name in new if name in start.hierarchies}
    kept = tuple(one for one in policy.hierarchies if one[0] in names)
    if proposed or kept != policy.hierarchies:
        found["hierarchies"] = (*kept, *proposed.items())
        if proposed and not policy.complete_hierarchies:
            found["complete_hierarchies"] = True
    weights = tuple(one for one in policy.weights if one[0] in names)
    numeric = tuple(name for name in policy.numeric if name in names)
    still = {"weights": weights, "numeric": numeric}
    return found | {name: those for name, those in still.items() if those != getattr(policy, name)}


def _start_of(session: Session) -> Any:
    if session.start is None:
        raise InputError("the columns are still being looked at; wait a moment")
    return session.start


def _read_again(request: Request, form: Any) -> str:
    session = session_of(request)
    if session.start is None or not session.text:
        session.look(**changed(Job(), settings_of(Reading), form))
    else:
        session.change(**changed(session.job, settings_of(Reading), form))
        reading = session.job.policy.reading
        session.look(**{name: getattr(reading, name) for name in settings_of(Reading)})
    return f"/tables/{session.number}/columns"


def _values(request: Request, form: Any) -> Response:
    """Show some values of one column: somebody asked for them."""
    session = session_of(request)
    column = column_of(_start_of(session).columns, form)
    found = session.questions.levels(session.job, column.name, None, SOME)
    return fragment("values.html", values=found[0].some if found else ())


PLACES = (
    Place("/tables/{number}/columns", "GET", _columns),
    Place("/tables/{number}/roles", "POST", form_action(_save_roles, "/tables/{number}/columns")),
    Place("/tables/{number}/reading", "POST", form_action(_read_again, "/tables/{number}/columns")),
    Place("/tables/{number}/values", "POST", form_action(_values, "/tables/{number}/columns")),
)
