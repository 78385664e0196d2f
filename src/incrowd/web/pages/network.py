"""An open network: its curve, what single members see, and the attackers that were found, drawn where it is small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from incrowd.errors import IncrowdError
from incrowd.report.charts import curve
from incrowd.report.drawings import MOST_NODES, Drawing, graph
from incrowd.report.facts.network import network_facts
from incrowd.report.text.verdict import verdict_of_network
from incrowd.web.authentication import REPORT_POLICY
from incrowd.web.pages.page import Place, in_words, network_of, network_same, show
from incrowd.web.pages.start import refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


MOST_STEPS = 60


def _network(request: Request) -> Response:
    session = network_of(request)
    work = session.work("measure")
    assert work is not None
    work.wait(0.5)
    if work.state != "done":
        return show(request, "network_wait.html", session=session, work=work, told=in_words(work))
    found, risks = work.result["curve"], work.result["risks"]
    steps = [{"first": s.first, "last": s.last, "attackers": s.attackers} for s in found.steps]
    return show(
        request, "network.html", session=session, verdict=verdict_of_network(network_facts(found)),
        facts=found.to_json(),
        steps=steps[:MOST_STEPS], left_off=max(0, len(steps) - MOST_STEPS), risks=risks, summary=found.summary(),
        said=risks.summary(),
        drawing=curve({"steps": steps}),
        picture=_picture(found), most=MOST_NODES, same=network_same(session.label),
    )  # fmt: skip


def _picture(found: Any) -> Drawing | None:
    held = found.graph
    if held.nodes > MOST_NODES:
        return None
    heads = np.repeat(np.arange(held.nodes), np.diff(held.indptr))
    edges = [(int(u), int(v)) for u, v in zip(heads, held.indices, strict=True) if u < v]
    chosen = set() if found.members is None else {int(v) for v in found.members}
    return graph(held.nodes, edges, chosen)


async def _report(request: Request) -> Response:
    session = network_of(request)
    work = session.work("measure")
    if work is None or work.state != "done":
        return refused(409, "The network is still being measured.")
    path = session.room / "report.html"
    try:
        await run_in_threadpool(work.result["curve"].report, path, source=session.label)
    except IncrowdError as error:
        return refused(409, str(error))
    return FileResponse(path, media_type="text/html; charset=utf-8", headers={"content-security-policy": REPORT_POLICY})


PLACES = (
    Place("/networks/{number}", "GET", _network),
    Place("/networks/{number}/report", "GET", _report),
)
