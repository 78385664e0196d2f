"""Reasons to refuse, one at a time; what is not refused is refused by nothing else."""

from __future__ import annotations

import pytest

from incrowd.web.gate.keys import Keys
from incrowd.web.gate.rules import ENTRANCE, Rules, header

KEYS = Keys(8000)
COOKIE = KEYS.enter(KEYS.token).partition(";")[0]
RULES = Rules(8000, KEYS, lambda scope: frozenset({"GET", "POST"} if scope["path"] == "/" else ()))
OWN = "http://127.0.0.1:8000"


def refused(method="GET", path="/", query=b"", **headers):
    said = {"host": "127.0.0.1:8000", "cookie": COOKIE} | {
        name.replace("_", "-"): text for name, text in headers.items()
    }
    found = RULES.refusal({
        "method": method, "path": path, "query_string": query,
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in said.items() if text is not None],
    })  # fmt: skip
    return found and found.status


def test_who_has_the_cookie_and_comes_from_here_is_let_in():
    assert refused() is None
    assert refused(host="localhost:8000") is None
    assert refused(sec_fetch_site="same-origin", origin=OWN) is None
    assert refused("POST", origin=OWN, content_type="multipart/form-data; boundary=x") is None


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        (421, {"host": None}),
        (421, {"host": "127.0.0.1:8001"}),
        (414, {"query": b"x" * 5000}),
        (405, {"method": "PUT"}),
        (403, {"cookie": None}),
        (403, {"origin": "http://localhost:8000"}),
        (403, {"sec_fetch_site": "cross-site"}),
        (403, {"method": "POST"}),
        (403, {"method": "POST", "origin": OWN, "sec_fetch_site": "none", "content_type": "multipart/form-data"}),
        (415, {"method": "POST", "origin": OWN, "content_type": "application/json"}),
        (404, {"path": "/nowhere"}),
    ],
)
def test_each_fault_has_its_status(status, asked):
    assert refused(**asked) == status


def test_at_the_entrance_no_cookie_is_asked_and_other_sites_may_lead_to_it():
    rules = Rules(8000, KEYS, lambda _: frozenset({"GET"}))
    scope = {
        "method": "GET",
        "path": ENTRANCE,
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8000"), (b"sec-fetch-site", b"cross-site")],
    }
    assert rules.refusal(scope) is None
    assert rules.refusal(scope | {"method": "POST"}).status == 405
    assert rules.refusal(scope | {"headers": []}).status == 421


def test_a_header_that_comes_twice_is_none_that_can_be_right():
    assert header({"headers": [(b"host", b"a"), (b"Host", b"a")]}, "host") == "\n"
