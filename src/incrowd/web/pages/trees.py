"""The values of one column grouped by hand: seen only after somebody asked for them, kept as a hierarchy's file."""

from __future__ import annotations

from pprint import pformat
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from incrowd.errors import IncrowdError, InputError
from incrowd.tables.hierarchy import HierarchyFile
from incrowd.tables.hierarchy.values import MISSING
from incrowd.web.pages.labels import use, use_file
from incrowd.web.pages.page import Place, form_action, session_of, sessions_of, show, tree_same
from incrowd.web.sessions.questions import ValueTree, fit, levels_of

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.web.sessions.questions import Path as GroupPath
    from incrowd.web.sessions.session import Session


SOME = 6
FILE = "tree.csv"


def _column(request: Request, session: Session) -> str:
    names, place = session.job.policy.quasi_identifiers, str(request.path_params["place"])
    if not (place.isascii() and place.isdecimal()) or int(place) >= len(names):
        raise HTTPException(404, "There is no such column.")
    return names[int(place)]


def _tree(request: Request) -> Response:
    session = session_of(request)
    column = _column(request, session)
    tree = session.trees.get(column)
    levels, why, plain = [], "", "{...}"
    if tree is not None:
        try:
            levels = levels_of(tree.hierarchy().lines, SOME)
            plain = pformat(tree.plain(), width=78, compact=True)
        except IncrowdError as error:
            why = str(error)
    return show(
        request, "tree.html", session=session, column=column, tree=tree, levels=levels, why=why,
        numbers={} if tree is None else {path: number for number, path in enumerate(tree.groups())},
        places={} if tree is None else {value: number for number, value in enumerate(tree.paths)},
        place=request.path_params["place"], path=f"/tables/{session.number}/labels",
        same=tree_same(session.label, session.policy_name, column, plain),
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
    tree = session.trees.get(column)
    if tree is None or form.get("stamp") != tree.stamp:
        raise InputError("the tree has changed since this page was made; look at it again, and repeat the last step")
    if act == "keep":
        _keep(session, column, tree, sessions_of(request).uploads.room())
        return f"/tables/{session.number}/labels"
    made = _made(tree, act, form)
    made.hierarchy()  # refuses what is no tree
    session.trees[column] = made
    return f"{here}#tree"


def _begun(session: Session, column: str) -> ValueTree:
    """Return the tree of a column's values, grouped as its hierarchy groups them now."""
    job = session.job
    values = session.questions.values(job)
    if column not in values.counted:
        raise InputError("the column has too many values to be grouped by hand; take first characters, or send a file")
    texts = values.texts(column)
    if len(texts) < values.counted[column].num_rows:  # a missing value too
        if MISSING in texts:
            raise InputError(f"the column has gaps and the text {MISSING}, which a tree cannot tell apart")
        texts = [MISSING, *texts]
    spec = dict(job.policy.hierarchies).get(column)
    lines = () if spec is None else fit(job, values, [(column, spec)])[column].hierarchy.lines
    return ValueTree.of(texts, lines)


def _made(tree: ValueTree, act: str, form: Any) -> ValueTree:
    values = _chosen(list(tree.paths), form.getlist("value"))
    groups = _chosen(tree.groups(), form.getlist("group"))
    name = str(form.get("name", ""))
    if act == "group":
        return tree.grouped(values, groups, name)
    if act == "rename":
        if len(groups) != 1 or values:
            raise InputError("choose the one group that shall have another name, and nothing else")
        return tree.renamed(groups[0], name)
    if act == "move":
        into: GroupPath = ()
        if form.get("into", "") != "":
            into = _chosen(tree.groups(), [form.get("into")])[0]
        return tree.moved(values, groups, into)
    if act == "remove":
        return tree.removed(groups)
    raise InputError("this page has no such button; reload it")


def _chosen(known: list[Any], places: list[Any]) -> list[Any]:
    """Return what a form's numbers stand for."""
    found = []
    for place in map(str, places):
        if not (place.isascii() and place.isdecimal()) or int(place) >= len(known):
            raise InputError("there is no such value or group; reload the page")
        found.append(known[int(place)])
    return found


def _keep(session: Session, column: str, tree: ValueTree, room: Path) -> None:
    """Write the tree as a file that the policy names; nothing changes where it says what the policy says."""
    if not tree.groups():
        use(session, {column: None})
        return
    made = tree.hierarchy()
    now = dict(session.job.policy.hierarchies).get(column)
    if isinstance(now, HierarchyFile) and set(now.load().lines) == set(made.lines):
        return
    made.to_csv(room / FILE)
    use_file(session, column, room / FILE)


PLACES = (
    Place("/tables/{number}/trees/{place}", "GET", _tree),
    Place("/tables/{number}/trees/{place}", "POST", form_action(_change, "/tables/{number}/trees/{place}")),
)
