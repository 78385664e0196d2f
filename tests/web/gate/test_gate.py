"""Every route refuses whoever is not let in, whatever it is asked with; and no error says a word of the table."""

from __future__ import annotations

import asyncio
import http.client
import logging

import httpx
import pytest

from incrowd.web.app import PLACES, routes_json
from incrowd.web.gate.gate import Gate, place_of
from incrowd.web.gate.keys import Keys
from incrowd.web.gate.rules import ENTRANCE, Rules
from web.visitor import Visitor

OTHERS = [place for place in PLACES if place.path != ENTRANCE]
NAMES = [f"{place.method} {place.path}" for place in OTHERS]


def filled(path, **words):
    for name, word in ({"kind": "tables", "number": "00000000", "name": "style.css", "place": "0"} | words).items():
        path = path.replace("{" + name + "}", word)
    return path


def asked(client, place, path=None, **headers):
    path = filled(place.path) if path is None else path
    if place.method == "POST":
        headers.setdefault("content-type", "application/x-www-form-urlencoded")
    return client.request(place.method, path, headers=headers)


@pytest.fixture(scope="module")
def stranger(server, visitor):
    assert visitor
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", trust_env=False) as client:
        yield client


@pytest.mark.parametrize("place", OTHERS, ids=NAMES)
def test_without_the_cookie_every_route_is_refused(server, stranger, place):
    base = f"http://127.0.0.1:{server.port}"
    for headers in ({}, {"origin": base}, {"cookie": f"incrowd-{server.port}=guessed"}, {"cookie": "other=1"}):
        answer = asked(stranger, place, **headers)
        assert answer.status_code == 403
        assert "<" not in answer.text


def test_a_used_token_and_a_wrong_one_are_refused(server, visitor):
    for query in (f"?token={server.keys.token}", "?token=x", "", f"?token={server.keys.token}&token=x", "?token=é"):
        fresh = httpx.get(f"http://127.0.0.1:{server.port}{ENTRANCE}{query}", trust_env=False)
        assert fresh.status_code == 403
        assert "set-cookie" not in fresh.headers
        assert visitor.get(f"{ENTRANCE}{query}").status_code == 403


@pytest.mark.parametrize("place", OTHERS, ids=NAMES)
def test_with_the_cookie_every_route_refuses_another_host(server, visitor, place):
    base = f"http://127.0.0.1:{server.port}"
    for host in (f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", "localhost", f"127.1:{server.port}", ""):
        assert asked(visitor.client, place, host=host, origin=base).status_code in (400, 421)


@pytest.mark.parametrize("place", OTHERS, ids=NAMES)
def test_with_the_cookie_every_route_refuses_what_another_site_sends(server, visitor, place):
    own = f"http://127.0.0.1:{server.port}"
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://localhost:{server.port}"},
        {"origin": f"https://127.0.0.1:{server.port}"},
        {"origin": own, "sec-fetch-site": "cross-site"},
        {"origin": own, "sec-fetch-site": "same-site"},
    ):
        assert asked(visitor.client, place, **headers).status_code == 403
    if place.method == "POST":
        assert asked(visitor.client, place).status_code == 403  # a form always says where it comes from
        assert asked(visitor.client, place, **{"origin": own, "sec-fetch-site": "none"}).status_code == 403
        assert asked(visitor.client, place, **{"origin": own, "content-type": "text/plain"}).status_code == 415


@pytest.mark.parametrize("place", OTHERS, ids=NAMES)
def test_every_route_refuses_every_other_method(server, visitor, place):
    own = f"http://127.0.0.1:{server.port}"
    mine = {one.method for one in PLACES if one.path == place.path}
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT2"} - mine:
        answer = visitor.client.request(
            method, filled(place.path), headers={"origin": own, "content-type": "application/x-www-form-urlencoded"}
        )
        assert answer.status_code == 405, method


@pytest.mark.parametrize(
    "place", [one for one in OTHERS if "{" in one.path], ids=lambda one: f"{one.method} {one.path}"
)
def test_every_route_refuses_dots_in_its_path(server, visitor, place):
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
    headers = {"origin": visitor.base, "content-type": "application/x-www-form-urlencoded", "cookie": cookie}
    for word in ("..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%00", "....//", "/etc/passwd"):
        raw = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)  # which sends a path as it is
        raw.request(place.method, filled(place.path, number=word, name=word, kind=word, place=word), headers=headers)
        answer = raw.getresponse()
        said = answer.read().decode()
        raw.close()
        assert answer.status in (303, 404, 405), (word, answer.status)
        if answer.status == 303:
            assert answer.headers["location"].startswith("/")
            assert not answer.headers["location"].startswith("//")
        assert "root:" not in said


def test_what_answers_carry_leaves_nothing_open(visitor, stranger):
    for answer in (visitor.get("/"), visitor.get("/static/app.js"), visitor.get("/nowhere"), stranger.get("/")):
        policy = answer.headers["content-security-policy"]
        for part in (
            "default-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
            "object-src 'none'",
        ):
            assert part in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers


def test_no_page_holds_a_script_or_a_style_or_an_address_elsewhere(visitor, small):
    place = visitor.opened("inline.csv", small)
    visitor.post(f"{place}/trees/0", {"act": "show"})
    for step in ("columns", "risks", "labels", "trees/0", "stars", "promise", "search", "release", "settings"):
        page = visitor.settled(f"{place}/{step}")
        assert "<style" not in page
        assert " style=" not in page
        assert page.count("<script") == page.count('<script src="/static/app.js" defer></script>') == 1
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
        assert " on" not in {word[:3] for word in page.split("<") if "=" in word and word.startswith(" on")}


def test_the_routes_are_those_that_answer():
    assert {(route["path"], method) for route in routes_json() for method in route["methods"]} == {
        (place.path, place.method) for place in PLACES
    }


def alone(application, most=10):
    """Ask the gate around an application of one page, as somebody who is let in; return status and text."""
    keys = Keys(1)
    cookie = keys.enter(keys.token).partition(";")[0]
    gate = Gate(application, Rules(1, keys, lambda _: frozenset({"GET", "POST"})), lambda _: most)

    async def ask(method, content):
        transport = httpx.ASGITransport(gate)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as client:
            form = {
                "cookie": cookie,
                "origin": "http://127.0.0.1:1",
                "content-type": "application/x-www-form-urlencoded",
            }
            return await client.request(method, "/", content=content, headers=form)

    return lambda method="GET", content=b"": asyncio.run(ask(method, content))


def test_an_error_nobody_foresaw_says_nothing_of_what_it_holds(caplog):
    async def broken(scope, receive, send):
        raise ValueError("Zaphod Beeblebrox")

    with caplog.at_level(logging.DEBUG, "incrowd.web"):
        answer = alone(broken)()
    assert answer.status_code == 500
    assert "This is our bug: ValueError in test_gate.py" in answer.text
    assert "Zaphod" not in answer.text + caplog.text


def test_more_than_a_page_takes_is_refused_whatever_its_length_is_said_to_be():
    async def reader(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"read"})

    ask = alone(reader, most=10)
    assert ask("POST", b"0" * 10).status_code == 200
    assert ask("POST", b"0" * 11).status_code == 413


def test_a_web_socket_is_closed_at_once():
    sent = []

    async def send(message):
        sent.append(message["type"])

    async def nothing():
        return {"type": "websocket.connect"}

    async def never(*_):
        raise AssertionError

    gate = Gate(never, Rules(1, Keys(1), lambda _: frozenset()), lambda _: 1)
    asyncio.run(gate({"type": "websocket"}, nothing, send))
    assert sent == ["websocket.close"]


def test_the_place_of_an_error_is_its_kind_file_and_line():
    try:
        raise KeyError("Zaphod")
    except KeyError as error:
        assert place_of(error).startswith("KeyError in test_gate.py, line ")


def test_a_visitor_with_the_cookie_is_let_in(server, visitor):
    assert isinstance(visitor, Visitor)
    assert visitor.get("/").status_code == 200
    assert visitor.get("/", **{"sec-fetch-site": "none"}).status_code == 200
    assert visitor.get("/", **{"sec-fetch-site": "same-origin", "host": f"127.0.0.1:{server.port}"}).status_code == 200
