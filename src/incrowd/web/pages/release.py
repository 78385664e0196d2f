"""What came out: the verdict, what was lost by column, a map of the stars, a recount from the files, and the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from incrowd.errors import InputError
from incrowd.web.pages.page import (
    NO_FILE,
    Place,
    chosen,
    form_action,
    fragment,
    in_words,
    report_of,
    session_of,
    show,
)
from incrowd.web.sessions.session import BOUND_SECONDS, POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from incrowd.results.release import Release
    from incrowd.web.sessions.session import Session


FILES = {
    "release.csv": "the released table",
    "release.parquet": "the released table, for programs",
    "certificate.json": "what proves the bound; keep it with the original",
    "released-policy.toml": "the policy that it was made under",
    "report.html": "the report for people who decide, in one file",
    "policy.toml": "the policy as it stands here, with its comments",
}
SOME_ROWS = 12


def _release(request: Request) -> Response:
    session = session_of(request)
    work = session.work("run")
    told = in_words(work)
    if work is None or told["state"] != "done":
        return show(request, "release_none.html", session=session, told=told)
    check = session.check()
    check.wait(0.5)
    checked = in_words(check)
    counted, bound = (check.result, session.bound()) if checked["state"] == "done" else (None, None)
    if bound is not None:
        bound.wait(0.5)
    bounded = in_words(bound)
    if bound is not None and bounded["state"] == "done":
        counted = bound.result
    return show(
        request, "release.html", session=session, document=work.result.document(), counted=counted,
        check=checked, bound=bounded, seconds=f"{BOUND_SECONDS:g}", fresh=session.fresh("run"),
        files=[(name, words) for name, words in FILES.items() if name in _offered(session)],
    )  # fmt: skip


def _offered(session: Session) -> list[str]:
    written = ("release.csv", "certificate.json", "released-policy.toml")
    made = [name for name in written if session.made is not None and (session.made / name).is_file()]
    return [*made, "release.parquet", "report.html", "policy.toml"]


def _found(session: Session) -> tuple[Release, Path]:
    """Return the release and the folder that it was written to."""
    work = session.work("run")
    if session.made is None or work is None or work.state != "done":
        raise InputError("there is no release yet; run the search first")
    return work.result, session.made


def _made(session: Session, name: str) -> Path:
    """Return where a file lies; one that is made only when somebody asks for it is written."""
    if name == POLICY:
        path = session.room / name
        path.write_text(session.text, encoding="utf-8", newline="")
        return path
    release, folder = _found(session)
    path = folder / name
    if name == "report.html" and not path.is_file():
        release.report(path)
    if name == "release.parquet":
        release.to_parquet(path)
    return path


def _file(request: Request) -> Response:
    session, name = session_of(request), request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404, NO_FILE)
    path = _made(session, name)
    if not path.is_file():
        raise HTTPException(404, "There is no such file yet.")
    return _saved(path, session.saved_as(name))


def _beside(request: Request) -> Response:
    """Hand out a file that the policy names, such as a hierarchy that was made here."""
    path = chosen(session_of(request).beside, request.path_params["place"], HTTPException(404, NO_FILE))
    return _saved(path, path.name)


def _saved(path: Path, name: str) -> Response:
    return FileResponse(
        path, media_type="application/octet-stream", filename=name, content_disposition_type="attachment"
    )


def _report(request: Request) -> Response:
    return report_of(_made(session_of(request), "report.html"))


def _bound(request: Request, _: Any) -> str:
    """Count the certificate again, without a limit."""
    session = session_of(request)
    session.bound(None)
    return f"/tables/{session.number}/release"


def _rows(request: Request, _: Any) -> Response:
    """Show some rows of the release: somebody asked for them."""
    table = _found(session_of(request))[0].table
    some = table.slice(0, SOME_ROWS) if hasattr(table, "slice") else table
    return fragment("rows.html", names=some.column_names, rows=some.to_pylist())


PLACES = (
    Place("/tables/{number}/release", "GET", _release),
    Place("/tables/{number}/report", "GET", _report),
    Place("/tables/{number}/files/{name}", "GET", _file),
    Place("/tables/{number}/beside/{place}", "GET", _beside),
    Place("/tables/{number}/bound", "POST", form_action(_bound, "/tables/{number}/release")),
    Place("/tables/{number}/rows", "POST", form_action(_rows, "/tables/{number}/release")),
)
