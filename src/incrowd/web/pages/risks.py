"""The audit: who can be told apart in the table as it is, and which columns do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import IncrowdError
from incrowd.report.drawings import Bar, bars
from incrowd.report.text.verdict import verdict_of_audit
from incrowd.report.text.words import percent
from incrowd.web.pages.page import Place, in_words, session_of, show

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


PAIRS = 8


def _risks(request: Request) -> Response:
    session = session_of(request)
    try:
        work = session.audit()
    except IncrowdError as error:
        return show(
            request, "wait.html", session=session, step="risks", title="Risks now", work=None, told=None, why=str(error)
        )
    work.wait(0.5)
    if work.state != "done":
        return show(
            request,
            "wait.html",
            session=session,
            step="risks",
            title="Risks now",
            work=work,
            told=in_words(work),
            why=work.why,
        )
    facts = work.result.facts
    sizes = [
        Bar(_size(line), line["rows"], f"{line['rows']:,} ({percent(line['rows'] / facts['rows'])})")
        for line in facts["class_sizes"]
    ]
    said = "; ".join(f"{one.label}: {one.value:,}" for one in sizes)
    return show(
        request, "risks.html", session=session, facts=facts, verdict=verdict_of_audit(facts),
        columns=sorted(facts["columns"], key=lambda column: -(facts["unique_rows"] - column["unique_without"])),
        pairs=facts["pairs"][:PAIRS],
        drawing=bars(sizes, "rows, by how many look alike", f"Rows by the number of rows that look alike. {said}."),
    )  # fmt: skip


def _size(line: dict[str, int]) -> str:
    if line["to"] == 1:
        return "alone"
    return f"among {line['from']}" if line["from"] == line["to"] else f"among {line['from']} to {line['to']}"


PLACES = (Place("/tables/{number}/risks", "GET", _risks),)
