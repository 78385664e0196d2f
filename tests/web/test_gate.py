"""Who may ask what: every route refuses whoever is not let in, and what another site sends; no error says a word of the table."""

from __future__ import annotations

import http.client
import json
import logging
import socket
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

import incrowd
from incrowd.cli.main import main
from seeds import how_many

FORM = "application/x-www-form-urlencoded"
NUMBER, KIND = "00000000", "tables"
# every route that there is, and how it is asked
ROUTES = {
    "/static/{name}": "GET", "/enter": "GET", "/": "GET", "/upload": "POST", "/choose": "POST",
    "/{kind}/{number}/close": "POST", "/{kind}/{number}/tasks/{name}/events": "GET",
    "/{kind}/{number}/tasks/{name}/stop": "POST", "/networks/{number}": "GET", "/networks/{number}/report": "GET",
    **{f"/tables/{{number}}/{step}": "GET POST" for step in (
        "labels", "trees/{place}", "stars", "promise", "search", "settings")},
    **{f"/tables/{{number}}/{step}": "GET" for step in (
        "columns", "risks", "release", "report", "files/{name}", "beside/{place}")},
    **{f"/tables/{{number}}/{step}": "POST" for step in (
        "roles", "reading", "values", "preview", "hierarchy", "patterns", "curve", "bound", "rows", "text", "open", "send")},
}  # fmt: skip
ASKED = [(method, path) for path, methods in ROUTES.items() for method in methods.split() if path != "/enter"]
WITH_WORDS = [(method, path) for method, path in ASKED if "{" in path]


def filled(path, **words):
    for name, word in ({"kind": KIND, "number": NUMBER, "name": "style.css", "place": "0"} | words).items():
        path = path.replace("{" + name + "}", word)
    return path


def cookies_of(visitor):
    return "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())


def ask(client, method, path, **headers):
    if method == "POST":
        headers.setdefault("content-type", FORM)
    return client.request(method, filled(path), headers=headers)


@pytest.fixture(scope="module")
def stranger(visitor):
    with httpx.Client(base_url=visitor.base, trust_env=False, verify=False) as client:
        yield client


def test_the_routes_are_these(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--routes", "--json"])
    said = {one["path"]: " ".join(one["methods"]) for one in json.loads(capsys.readouterr().out)}
    assert said == ROUTES


def test_without_the_cookie_every_route_is_refused(visitor, stranger):
    port = visitor.base.rpartition(":")[2]
    for method, path in ASKED:
        for headers in ({}, {"origin": visitor.base}, {"cookie": f"incrowd-{port}=guessed"}, {"cookie": "other=1"}):
            answer = ask(stranger, method, path, **headers)
            assert answer.status_code == 403, (method, path)
            assert "<" not in answer.text


def test_the_cookie_is_for_this_site_and_no_script_and_is_known_once_alone():
    with incrowd.studio() as studio, incrowd.studio() as other:
        base, _, query = studio.address.partition("/enter")
        with httpx.Client(base_url=base, trust_env=False, verify=False) as client:
            for wrong in ("?token=", "?token=%C3%A9", "", "?token=x", f"{query}&token=x", f"{query}x"):
                answer = client.get(f"/enter{wrong}")
                assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
            # other sites may lead here; other methods and hosts may not
            assert client.post("/enter", headers={"origin": base, "content-type": FORM}).status_code == 405
            assert client.get(f"/enter{query}", headers={"host": "evil.example"}).status_code == 421
            line = client.get(f"/enter{query}", headers={"sec-fetch-site": "cross-site"}).headers["set-cookie"]
            assert client.get(f"/enter{query}").status_code == 403  # used
        cookie, *flags = line.split("; ")
        assert sorted(flags) == ["HttpOnly", "Path=/", "SameSite=Strict"]
        port = base.rpartition(":")[2]
        assert cookie.startswith(f"incrowd-{port}=")
        name, value = cookie.split("=", 1)
        for cookies, status in (
            (cookie, 200), (f"a=b; {cookie}; c", 200), ("", 403), (f"{name}=", 403), (f"{name}=\xe9", 403),
            (f"{cookie}; {cookie}", 403), (f"{cookie}x", 403), (f"incrowd-{int(port) + 1}={value}", 403),
        ):  # fmt: skip
            found = httpx.get(f"{base}/", headers={"cookie": cookies.encode("latin-1")}, trust_env=False, verify=False)
            assert found.status_code == status, cookies
        # two runs share no secret
        assert other.address.partition("token=")[2] != studio.address.partition("token=")[2]
        elsewhere = other.address.partition("/enter")[0]
        assert httpx.get(f"{elsewhere}/", headers={"cookie": cookie}, trust_env=False, verify=False).status_code == 403


def test_a_token_opens_for_one_of_many_who_come_at_once():
    with incrowd.studio() as studio, ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda _: httpx.get(studio.address, trust_env=False, verify=False).status_code, range(24))
        )
    assert sorted(found) == [200, *[403] * 23]


@pytest.mark.parametrize(
    ("status", "method", "headers", "path"),
    [
        (200, "GET", {}, "/"),
        (200, "GET", {"sec-fetch-site": "none"}, "/"),
        (200, "GET", {"sec-fetch-site": "same-origin", "origin": "OWN"}, "/"),
        (403, "GET", {"sec-fetch-site": "cross-site"}, "/"),
        (403, "GET", {"sec-fetch-site": "same-site"}, "/"),
        (403, "GET", {"origin": "http://localhost:8000"}, "/"),
        (200, "GET", {"host": "localhost:PORT"}, "/"),
        (421, "GET", {"host": "127.0.0.1:1"}, "/"),
        (421, "GET", {"host": "localhost"}, "/"),
        (200, "GET", {}, "/?" + "x" * 4096),
        (414, "GET", {}, "/?" + "x" * 4097),
        (405, "PUT", {"origin": "OWN"}, "/"),
        (404, "GET", {}, "/nowhere"),
        (404, "POST", {"origin": "OWN", "content-type": FORM}, "/nowhere"),
        (404, "GET", {}, "/tables/00000000/columns/"),
        (405, "GET", {}, "/upload"),
        (405, "POST", {"origin": "OWN", "content-type": FORM}, "/"),
        (403, "POST", {"content-type": FORM}, "/choose"),
        (403, "POST", {"origin": "null", "content-type": FORM}, "/choose"),
        (403, "POST", {"origin": "OWN", "sec-fetch-site": "none", "content-type": FORM}, "/choose"),
        (303, "POST", {"origin": "OWN", "sec-fetch-site": "same-origin", "content-type": FORM}, "/choose"),
        (303, "POST", {"origin": "OWN", "content-type": f"{FORM.upper()}; charset=x"}, "/choose"),
        (415, "POST", {"origin": "OWN", "content-type": "application/json"}, "/choose"),
        (415, "POST", {"origin": "OWN", "content-type": "text/plain"}, "/choose"),
        (415, "POST", {"origin": "OWN"}, "/choose"),
    ],
)  # fmt: skip
def test_each_fault_of_a_request_has_its_status(visitor, status, method, headers, path):
    port = visitor.base.rpartition(":")[2]
    made = {name: text.replace("OWN", visitor.base).replace("PORT", port) for name, text in headers.items()}
    if "host" in made and made["host"].startswith("localhost:"):
        made["cookie"] = cookies_of(visitor)
    answer = visitor.client.request(method, path, headers=made)
    assert answer.status_code == status, answer.text


def test_a_header_that_comes_twice_is_none_that_can_be_right(visitor):
    host = visitor.base.partition("//")[2]
    for doubled in (["origin", "Origin"], ["Host"]):
        raw = http.client.HTTPConnection(host, timeout=30)
        raw.putrequest("GET", "/")
        raw.putheader("cookie", cookies_of(visitor))
        for name in doubled:
            raw.putheader(name, visitor.base if name != "Host" else host)
        raw.endheaders()
        assert raw.getresponse().status in (400, 403, 421), doubled
        raw.close()


def test_with_the_cookie_every_route_refuses_other_hosts_sites_and_methods(visitor):
    own, port = visitor.base, visitor.base.rpartition(":")[2]
    hosts = (f"evil.example:{port}", "127.0.0.1", "localhost", f"127.1:{port}", "")
    others = (
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": f"http://localhost:{port}"},
        {"origin": own.replace("http:", "https:")}, {"origin": own, "sec-fetch-site": "cross-site"},
        {"origin": own, "sec-fetch-site": "same-site"},
    )  # fmt: skip
    for at, (method, path) in enumerate(ASKED):
        for host in (hosts * 2)[at % 5 :][: how_many(5, 1)]:
            assert ask(visitor.client, method, path, host=host, origin=own).status_code in (400, 421), (path, host)
        for headers in (others * 2)[at % 6 :][: how_many(6, 1)]:
            assert ask(visitor.client, method, path, **headers).status_code == 403, (path, headers)
        if method == "POST":
            assert ask(visitor.client, method, path).status_code == 403  # a form always says where it comes from
            assert ask(visitor.client, method, path, origin=own, **{"content-type": "text/plain"}).status_code == 415
        for other in {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"} - set(ROUTES[path].split()):
            answer = ask(visitor.client, other, path, origin=own, **{"content-type": FORM})
            assert answer.status_code == 405, (other, path)


def test_every_route_refuses_dots_in_its_path(visitor):
    headers = {"origin": visitor.base, "content-type": FORM, "cookie": cookies_of(visitor)}
    for method, path in WITH_WORDS:
        for word in ("..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%00", "....//", "/etc/passwd"):
            raw = http.client.HTTPConnection(visitor.base.partition("//")[2], timeout=30)  # sends a path as it is
            raw.request(method, filled(path, number=word, name=word, kind=word, place=word), headers=headers)
            answer = raw.getresponse()
            assert "root:" not in answer.read().decode()
            raw.close()
            assert answer.status in (303, 404, 405), (path, word, answer.status)
            if answer.status == 303:
                assert answer.headers["location"].startswith("/") and not answer.headers["location"].startswith("//")


def rules(policy):
    return {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}


def test_what_answers_carry_leaves_nothing_open(visitor, stranger):
    for answer in (visitor.get("/"), visitor.get("/static/app.js"), visitor.get("/nowhere"), stranger.get("/")):
        said = rules(answer.headers["content-security-policy"])
        for name, sources in said.items():
            assert sources in (["'self'"], ["'none'"]), name
        assert said["default-src"] == said["form-action"] == said["script-src"] == ["'self'"]
        assert said["frame-ancestors"] == said["base-uri"] == said["object-src"] == ["'none'"]
        carried = {
            "cache-control": "no-store", "x-content-type-options": "nosniff", "x-frame-options": "DENY",
            "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
        }  # fmt: skip
        assert carried.items() <= dict(answer.headers).items()
        assert "server" not in answer.headers and "date" not in answer.headers


def test_a_report_runs_nothing_and_sends_nothing(visitor, place):
    visitor.search(place)
    answer = visitor.get(f"{place}/report")
    said = rules(answer.headers["content-security-policy"])
    assert answer.status_code == 200 and "<script" not in answer.text
    for name in ("default-src", "form-action", "frame-ancestors", "base-uri"):
        assert said[name] == ["'none'"]
    assert "script-src" not in said and said["sandbox"] == []
    assert answer.headers["cache-control"] == "no-store"


def test_no_page_holds_a_script_or_a_style_or_an_address_elsewhere(visitor, place):
    visitor.post(f"{place}/trees/0", {"act": "show"})
    for step in ("columns", "risks", "labels", "trees/0", "stars", "promise", "search", "release", "settings"):
        page = visitor.settled(f"{place}/{step}")
        assert "<style" not in page and " style=" not in page
        assert page.count("<script") == page.count('<script src="/static/app.js" defer></script>') == 1
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


# An error that nobody foresaw: no request makes one, so the question that a page asks is broken here.
def test_an_error_nobody_foresaw_says_nothing_of_what_it_holds(visitor, place, monkeypatch, caplog):
    from incrowd.web.sessions.session import Session

    def broken(*_):
        raise ValueError("Zaphod Beeblebrox")

    monkeypatch.setattr(Session, "fresh", broken)
    with caplog.at_level(logging.DEBUG, "incrowd.web"):
        answer = visitor.get(f"{place}/promise")
    assert answer.status_code == 500
    assert "This is our bug: ValueError in test_gate.py, line " in answer.text
    assert "Zaphod" not in answer.text + caplog.text


def test_more_than_a_page_takes_is_refused_whatever_its_length_is_said_to_be(visitor):
    def without_end():
        yield b"file="
        for _ in range(3 << 10):
            yield b"0" * 1024

    headers = {"origin": visitor.base, "content-type": FORM}
    answer = visitor.client.post("/choose", content=without_end(), headers=headers)
    assert answer.status_code == 413 and "more than this page takes" in answer.text
    assert visitor.client.post("/choose", content=b"file=" + b"0" * 60_000, headers=headers).status_code == 303
    lied = http.client.HTTPConnection(visitor.base.partition("//")[2], timeout=30)
    lied.request("POST", "/text", body=b"", headers={**headers, "cookie": cookies_of(visitor), "content-length": "0"})
    assert lied.getresponse().status == 404
    lied.close()


def test_what_is_sent_with_a_request_that_is_refused_does_not_cost_the_answer(visitor):
    host, much = visitor.base.partition("//")[2], b"0" * (10 << 20)
    with socket.create_connection(tuple(host.split(":")), timeout=30) as raw:
        raw.sendall(f"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(much)}\r\n\r\n".encode() + much)
        answer = raw.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 403 ") and answer.endswith(b".\n")


def test_a_web_socket_is_closed_at_once(visitor):
    host = visitor.base.partition("//")[2]
    with socket.create_connection(tuple(host.split(":")), timeout=30) as raw:
        raw.sendall(
            f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: {cookies_of(visitor)}\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b" 101 " not in raw.recv(200).partition(b"\r\n")[0]


def test_what_stands_in_an_error_page_is_no_markup_and_no_terminal(visitor):
    said = visitor.after(visitor.post("/choose", {"file": "<b>\x1b[31m"}))
    assert "That did not work." in said and "\x1b" not in said
