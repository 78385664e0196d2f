"""An open network: its curve, what single members see, and the attackers that were found, drawn where it is small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.report.drawings import MOST_NODES, Drawing, graph
from incrowd.web.pages.page import Place, in_words, network_of, network_same, report_of, show

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def _network(request: Request) -> Response:
    session = network_of(request)
    work = session.work("measure")
    assert work is not None
    work.wait(0.5)
    told = in_words(work)
    if told["state"] != "done":
        return show(request, "network_wait.html", session=session, told=told)
    found = work.result["curve"]
    return show(
        request, "network.html", session=session, document=work.result["document"], graph=found.graph,
        alone=work.result["alone"], picture=_picture(found), most=MOST_NODES,
        same=network_same(session.label),
    )  # fmt: skip


def _picture(found: Any) -> Drawing | None:
    held = found.graph
    if held.nodes > MOST_NODES:
        return None
    heads = np.repeat(np.arange(held.nodes), np.diff(held.indptr))
    edges = [(int(u), int(v)) for u, v in zip(heads, held.indices, strict=True) if u < v]
    chosen = set() if found.members is None else {int(v) for v in found.members}
    return graph(held.nodes, edges, chosen)


def _report(request: Request) -> Response:
    session = network_of(request)
    work = session.work("measure")
    if work is None or work.state != "done":
        raise InputError("The network is still being measured.")
    path = session.room / "report.html"
    work.result["curve"].report(path, source=session.label)
    return report_of(path)


PLACES = (
    Place("/networks/{number}", "GET", _network),
    Place("/networks/{number}/report", "GET", _report),
)
