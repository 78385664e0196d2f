"""The values of one column grouped by hand: seen only after somebody asked for them, kept as a hierarchy's file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from incrowd.errors import IncrowdError, InputError
from incrowd.tables.hierarchy import Hierarchy, HierarchyFile
from incrowd.tables.hierarchy.values import MISSING, STAR, even
from incrowd.web.pages.labels import use, use_file
from incrowd.web.pages.page import Place, form_action, session_of, sessions_of, show, tree_same
from incrowd.web.sessions.questions import fit, levels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.sessions.session import Session


SOME = 6
MOST_LINES = 500
FILE = "tree.csv"


def _column(request: Request, session: Session) -> str:
    names, place = session.job.policy.quasi_identifiers, str(request.path_params["place"])
    if not (place.isascii() and place.isdecimal()) or int(place) >= len(names):
        raise HTTPException(404, "There is no such column.")
    return names[int(place)]


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
        same=tree_same(session.label, session.policy_name, column),
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
    Place("/tables/{number}/trees/{place}", "GET", _tree),
    Place("/tables/{number}/trees/{place}", "POST", form_action(_change, "/tables/{number}/trees/{place}")),
)
