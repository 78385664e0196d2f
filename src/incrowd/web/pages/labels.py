"""Hierarchies: what a column may be coarsened to, with what every level shows, and values grouped by hand."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from incrowd.errors import IncrowdError, InputError
from incrowd.settings import fraction_text, split
from incrowd.tables.hierarchy import Dates, Hierarchy, HierarchyFile, Intervals, Prefix, as_spec, option_text
from incrowd.tables.hierarchy.values import MISSING, STAR, even
from incrowd.web.pages.page import (
    MOST_FILE,
    Place,
    chosen,
    column_of,
    form_action,
    fragment,
    page_of,
    sent_of,
    session_of,
    sessions_of,
    show,
    tree_same,
)
from incrowd.web.sessions.questions import fit, levels_of
from incrowd.web.sessions.session import POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


@page_of("labels.html")
def _labels(request: Request, session: Session, *_: Any) -> Any:
    policy, sent, columns = session.job.policy, sent_of(request), []
    specs = dict(policy.hierarchies)
    for place, name in enumerate(policy.quasi_identifiers):
        now = _shown(specs.get(name))
        again = {part: sent[f"{part}{place}"][0] for part in PARTS if f"{part}{place}" in sent}
        columns.append((name, dataclasses.replace(now, **again), now, _proposed(session, name)))
    return {"columns": columns, "kinds": KINDS}


def _proposed(session: Session, name: str) -> str:
    spec = session.start.hierarchies.get(name) if session.start is not None else None
    return option_text(spec) if isinstance(spec, (Intervals, Dates, Prefix)) else ""


def _preview(request: Request, form: Any) -> Response:
    session = session_of(request)
    try:
        job = session.job
        name = column_of(job.policy.quasi_identifiers, form)
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


async def _file(request: Request, form: Any) -> str:
    session, uploads = session_of(request), sessions_of(request).uploads
    none = "no file was chosen; choose the hierarchy's file first"
    name = chosen(session.job.policy.quasi_identifiers, form.get("column"), InputError(none))
    kept = await uploads.keep(form.get("file"), uploads.room(), none)
    await run_in_threadpool(use_file, session, name, kept)
    return f"/tables/{session.number}/labels"


# The values of one column grouped by hand: seen only after somebody asked for them, kept as a hierarchy's file.
MOST_LINES = 500
FILE = "tree.csv"


def _column(request: Request, session: Session) -> str:
    none = HTTPException(404, "There is no such column.")
    return chosen(session.job.policy.quasi_identifiers, request.path_params["place"], none)


def _tree(request: Request) -> Response:
    session = session_of(request)
    column = _column(request, session)
    text = session.trees.get(column)
    levels, why = [], ""
    if text is not None:
        try:
            levels = levels_of(_hierarchy(text).lines, SOME)
        except IncrowdError as error:
            why = str(error)
    return show(
        request, "tree.html", session=session, column=column, text=text, levels=levels, why=why,
        place=request.path_params["place"], path=f"/tables/{session.number}/labels",
        same=tree_same(session.label, session.saved_as(POLICY), column),
    )  # fmt: skip


def _change(request: Request, form: Any) -> str:
    """Do what a button of the page says."""
    session = session_of(request)
    column = _column(request, session)
    here = f"/tables/{session.number}/trees/{request.path_params['place']}"
    act = str(form.get("act", ""))
    if act == "show":
        session.trees[column] = _begun(session, column)
        return f"{here}#tree"
    if act == "hide":
        session.trees.pop(column, None)
        return here
    if column not in session.trees or act not in ("look", "keep"):
        raise InputError("the values are not shown any more; show them again, and repeat the last step")
    session.trees[column] = text = str(form.get("text", ""))
    made = _hierarchy(text)
    if act == "look":
        return f"{here}#tree"
    if all(len(line) == 1 for line in made.lines):
        use(session, {column: None})
    else:
        now = dict(session.job.policy.hierarchies).get(column)
        if not (isinstance(now, HierarchyFile) and set(now.load().lines) == set(made.lines)):
            room = sessions_of(request).uploads.room()
            made.to_csv(room / FILE)
            use_file(session, column, room / FILE)
    return f"/tables/{session.number}/labels"


def _begun(session: Session, column: str) -> str:
    """Return the column's values, a line each, behind each the groups that its hierarchy puts it in now."""
    job = session.job
    values = session.questions.values(job)
    texts = values.texts(column)
    if column not in values.counted or len(texts) > MOST_LINES:
        raise InputError("the column has too many values to be grouped by hand; take first characters, or send a file")
    if len(texts) < values.counted[column].num_rows:  # a missing value too
        if MISSING in texts:
            raise InputError(f"the column has gaps and the text {MISSING}, which a tree cannot tell apart")
        texts = [MISSING, *texts]
    spec = dict(job.policy.hierarchies).get(column)
    lines = () if spec is None else fit(job, values, [(column, spec)])[column].hierarchy.lines
    known: dict[str, Sequence[str]] = {line[0]: list(dict.fromkeys(line)) for line in lines}
    written = io.StringIO()
    csv.writer(written, delimiter=";", lineterminator="\n").writerows(known.get(text, [text]) for text in texts)
    return written.getvalue()


def _hierarchy(text: str) -> Hierarchy:
    """Return the hierarchy of lines: value, group, group of that; a shorter one shows its value longer."""
    lines = [[part.strip() for part in line] for line in csv.reader(io.StringIO(text), delimiter=";") if line]
    if any(not part or part == STAR for line in lines for part in line):
        raise InputError("a group needs a name: some words, and not the star")
    return Hierarchy(lines=tuple(even(lines)))


PLACES = (
    Place("/tables/{number}/labels", "GET", _labels),
    Place("/tables/{number}/labels", "POST", form_action(_save, "/tables/{number}/labels")),
    Place("/tables/{number}/preview", "POST", form_action(_preview, "/tables/{number}/labels")),
    Place("/tables/{number}/hierarchy", "POST", form_action(_file, "/tables/{number}/labels"), most=MOST_FILE),
    Place("/tables/{number}/trees/{place}", "GET", _tree),
    Place("/tables/{number}/trees/{place}", "POST", form_action(_change, "/tables/{number}/trees/{place}")),
)
