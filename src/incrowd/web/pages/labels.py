"""Hierarchies: what a column may be coarsened to, with what every level shows."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from incrowd.errors import IncrowdError, InputError
from incrowd.settings import fraction_text, split
from incrowd.tables.hierarchy import Dates, Hierarchy, HierarchyFile, Intervals, Prefix, as_spec, option_text
from incrowd.web.pages.page import (
    FORM,
    Place,
    back,
    form_action,
    fragment,
    not_taken,
    sent_of,
    session_of,
    sessions_of,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.sessions.session import Session


KINDS = (
    ("none", "Nothing between: shown as it is, or a star"),
    ("intervals", "Bands of numbers"),
    ("dates", "Coarser dates"),
    ("prefix", "First characters of a code"),
    ("file", "A file (ARX's CSV)"),
)
PARTS = ("kind", "detail", "start", "top")
SOME = 6
MOST_FILE = 64 << 20


def spec_of(
    kind: str, detail: str, now: Any = None, start: str = "", top: str = "", *, name: str = "what lies between"
) -> Any:
    """Return the hierarchy that a form describes; None: none.

    `kind` is ``none``, ``intervals``, ``dates``, ``prefix`` or ``file``, and `detail` has widths, units or lengths,
    with commas between. `now` is what the column has; a file stays it. `start` and `top` are of bands: a number at
    which one begins (empty: 0), and from which on all share one (empty: none). `name` is what messages call the
    hierarchy. Raise `PolicyError` or `InputError` if it is none.
    """
    if kind == "none":
        return None
    if kind == "file":
        if not isinstance(now, HierarchyFile):
            raise InputError("send the file of the hierarchy first; then it is used")
        return now
    if kind not in dict(KINDS):
        raise InputError("this is no kind of hierarchy; reload the page")
    words = ",".join(split(detail.replace("\n", ",").replace("\r", "")))
    found = as_spec(f"{kind}:{words}" if words or kind == "intervals" else kind, name)
    ends = {name: text.strip() for name, text in (("start", start), ("top", top)) if text.strip()}
    return dataclasses.replace(found, **ends) if isinstance(found, Intervals) and ends else found


@dataclasses.dataclass(frozen=True, slots=True)
class _Shown:
    """What lies between value and star, as the form shows it."""

    kind: str
    detail: str = ""
    start: str = ""
    top: str = ""


def _shown(spec: Any) -> _Shown:
    if spec is None or isinstance(spec, Hierarchy):  # which no policy file holds
        return _Shown("none")
    if isinstance(spec, HierarchyFile):
        return _Shown("file", spec.path.name)
    if isinstance(spec, Intervals):
        ends = ["" if end is None else str(fraction_text(end)) for end in (spec.start or None, spec.top)]
        return _Shown(spec.word, ", ".join(str(fraction_text(width)) for width in spec.widths), *ends)
    word, _, rest = option_text(spec).partition(":")
    return _Shown(word, rest.replace(",", ", "))


def _labels(request: Request) -> Response:
    session = session_of(request)
    why, columns = "", []
    try:
        policy = session.job.policy
        specs = dict(policy.hierarchies)
        sent = sent_of(request)
        for place, name in enumerate(policy.quasi_identifiers):
            now = _shown(specs.get(name))
            again = {part: sent[f"{part}{place}"][0] for part in PARTS if f"{part}{place}" in sent}
            columns.append((name, dataclasses.replace(now, **again), now, _proposed(session, name)))
    except IncrowdError as error:
        why = str(error)
    return show(request, "labels.html", session=session, columns=columns, kinds=KINDS, why=why)


def _proposed(session: Session, name: str) -> str:
    spec = session.start.hierarchies.get(name) if session.start is not None else None
    return option_text(spec) if isinstance(spec, (Intervals, Dates, Prefix)) else ""


def _preview(request: Request, form: Any) -> Response:
    session = session_of(request)
    try:
        job, place = session.job, str(form.get("column", ""))
        names = job.policy.quasi_identifiers
        if not place.isdecimal() or int(place) >= len(names):
            raise InputError("there is no such column; reload the page")
        name = names[int(place)]
        kind, detail, start, top = (str(form.get(part, "")) for part in PARTS)
        spec = spec_of(kind, detail, dict(job.policy.hierarchies).get(name), start, top)
        found = session.questions.levels(job, name, spec, SOME if form.get("some") else 0)
    except IncrowdError as error:
        return fragment("preview.html", levels=[], why=str(error), asked=False)
    return fragment("preview.html", levels=found, why="", asked=bool(form.get("some")))


def _save(request: Request, form: Any) -> str:
    """Keep the levels of every column that the form holds, or of none where one of them does not fit."""
    session = session_of(request)
    policy = session.job.policy
    now, made = dict(policy.hierarchies), {}
    for place, name in enumerate(policy.quasi_identifiers):
        old = _shown(now.get(name))
        said = _Shown(*(str(form.get(f"{part}{place}", getattr(old, part))).strip() for part in PARTS))
        if said != old:
            made[name] = spec_of(said.kind, said.detail, now.get(name), said.start, said.top, name=f"levels of {name}")
    use(session, made)
    return f"/tables/{session.number}/{'stars' if form.get('next') else 'labels'}"


def use(session: Session, made: Mapping[str, Any]) -> None:
    """Put hierarchies into the policy, if they fit their columns.

    `made` has them by column; None: none. Raise `PolicyError` or `InputError` if one does not fit; the policy stays
    what it was.
    """
    now = dict(session.job.policy.hierarchies)
    changed = {name: spec for name, spec in made.items() if now.get(name) != spec}
    if not changed:
        return
    settings: dict[str, Any] = {}
    for name, spec in changed.items():
        if spec is None:
            continue
        session.questions.levels(session.job.replace(complete_hierarchies=True), name, spec, 0)
        try:
            session.questions.levels(session.job, name, spec, 0)
        except IncrowdError:  # it has no place for some values, which then are shown as they are or as a star
            settings["complete_hierarchies"] = True
    placed = {name: spec for name, spec in (now | changed).items() if spec is not None}
    session.change(hierarchies=placed, **settings)


def use_file(session: Session, name: str, kept: Path) -> None:
    """Put a file beside the policy under a name of its own, once it is known to fit, and use it.

    `name` is the column, and `kept` the file, which moves. Raise `PolicyError` or `InputError` if it does not fit; the
    policy stays what it was.
    """
    session.questions.levels(session.job.replace(complete_hierarchies=False), name, HierarchyFile(kept), 0)
    taken = {path.name for path in session.room.iterdir()}
    own = next(word for n in itertools.count(1) if (word := f"hierarchy{n}.csv") not in taken)
    kept.replace(session.room / own)
    use(session, {name: HierarchyFile(session.room / own)})


async def _file(request: Request) -> Response:
    session, sessions = session_of(request), sessions_of(request)
    path = f"/tables/{session.number}/labels"
    async with request.form(max_files=1, max_fields=5, max_part_size=FORM) as form:
        try:
            sent, place = form.get("file"), str(form.get("column", ""))
            names = session.job.policy.quasi_identifiers
            if sent is None or isinstance(sent, str) or not place.isdecimal() or int(place) >= len(names):
                raise InputError("no file was chosen; choose the hierarchy's file first")
            kept = await sessions.uploads.keep(sent, sessions.uploads.room())
            await run_in_threadpool(use_file, session, names[int(place)], kept)
        except IncrowdError as error:
            return not_taken(request, path, error, form)
    return back(path)


PLACES = (
    Place("/tables/{number}/labels", "GET", _labels),
    Place("/tables/{number}/labels", "POST", form_action(_save, "/tables/{number}/labels")),
    Place("/tables/{number}/preview", "POST", form_action(_preview, "/tables/{number}/labels")),
    Place("/tables/{number}/hierarchy", "POST", _file, most=MOST_FILE),
)
