"""Chromium over the whole way on the demo table: from a link on another site, by keyboard, on a phone, in the dark."""

from __future__ import annotations

import time
from importlib import resources

import pytest

from checkers.browser import needs_chromium
from incrowd.web.server import running
from web.axe import findings, needs_axe
from web.drive import (
    READY,
    another_site,
    base,
    click,
    faults,
    fill_in,
    give,
    go_to,
    goes,
    let_in,
    press_key,
    table_path,
    text,
    way_by_keyboard,
    whole_way,
)

pytestmark = [needs_chromium, pytest.mark.web]
STEPS = ("columns", "risks", "labels", "stars", "promise", "search", "release", "settings")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "hospital.csv"
    path.write_bytes(resources.files("incrowd.data").joinpath("hospital.csv").read_bytes())
    return path


@pytest.fixture(scope="module")
def opened(browser, table):
    """The browser, let in from a link on another site; the server; and what every page of the whole way said."""
    with running() as server:
        other, address = another_site(f'<a id="link" href="{server.address}">Your table</a>')
        browser.asked.clear()
        browser.call("Page.navigate", url=address)
        browser.until("!!document.getElementById('link')")
        browser.press("link")
        let_in(browser, server)
        other.shutdown()
        other.server_close()
        said = whole_way(browser, table)
        yield server, said


def wrong_on(browser, server, paths, width, light, look):
    """What a look at every page finds wrong there, on a screen of some width, in light or in the dark."""
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": light}])
    wrong = {}
    for path in [*paths, *(f"{table_path(server)}/{step}" for step in STEPS)]:
        go_to(browser, server, path)
        if found := look(browser):
            wrong[path] = found
    browser.call("Emulation.clearDeviceMetricsOverride")
    return wrong


def test_the_whole_way_ends_in_a_release_that_was_counted_again(opened):
    _, said = opened
    assert "3,000 rows, 11 columns" in said["columns"]
    assert "of the rows are unlike any other" in said["risks"]
    assert "different values, as they are" in said["labels"]
    assert "patterns of blurred columns are allowed" in said["stars"]
    assert "No release costs less than" in said["promise"]
    assert "The release keeps its policy" in said["release"], said["release"]
    assert "An independent recount of the release against the original passed" in said["release"]
    assert "The certificate holds" in said["release"]


def test_nothing_was_asked_of_anybody_else_and_nothing_was_refused_by_the_browser(browser, opened):
    server, _ = opened
    elsewhere = [url for _, url in browser.asked if not url.startswith((base(server), "http://localhost:"))]
    assert elsewhere == []
    assert [one for one in browser.said if "Content Security Policy" in str(one)] == []
    assert [one for one in browser.said if "exceptionDetails" in one] == []


def test_the_token_stays_in_no_address(browser, opened):
    assert opened
    assert "token" not in browser.value("location.href")
    assert "token" not in browser.value("document.referrer")


# Both looks name labels and contrast: what one sees in light at a width the other sees in the dark.
@pytest.mark.parametrize(("width", "light"), [(1280, "light"), (768, "dark"), (390, "light")])
def test_every_page_can_be_read_at_every_width(browser, opened, width, light):
    assert wrong_on(browser, opened[0], ["/"], width, light, faults) == {}


def group_some(server):
    """Group some values of a column by hand, as its page does; the column's place."""
    desk = next(iter(server.sessions.tables.values()))
    names = desk.job.policy.quasi_identifiers
    if "occupation" not in desk.trees:
        texts = desk.questions.values(desk.job).texts("occupation")
        desk.trees["occupation"] = "\n".join([*(f"{text};some" for text in texts[:3]), *texts[3:]])
    return names.index("occupation")


@needs_axe
@pytest.mark.parametrize(("width", "light"), [(1280, "dark"), (768, "light"), (390, "dark")])
def test_axe_finds_nothing_serious_on_any_page(browser, opened, width, light):
    server, _ = opened
    paths = ["/", "/tables/0/columns", f"{table_path(server)}/trees/{group_some(server)}"]
    assert wrong_on(browser, server, paths, width, light, findings) == {}


@needs_axe
@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_report(browser, opened, tmp_path, light):
    server, _ = opened
    desk = next(iter(server.sessions.tables.values()))
    desk.work("run").result.report(tmp_path / "report.html")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": light}])
    browser.open(tmp_path / "report.html")  # in the app nothing of it can run, and so not axe-core
    assert findings(browser) == []


@needs_axe
def test_axe_notices_what_is_wrong(browser, opened):
    server, _ = opened
    go_to(browser, server, "/")
    browser.value("document.querySelector('main').insertAdjacentHTML('beforeend', '<input><button></button>'), 0")
    assert {"label", "button-name"} <= {rule for rule, _ in findings(browser)}


def test_the_checks_of_pages_notice_what_is_wrong(browser, opened):
    server, _ = opened
    go_to(browser, server, "/")
    browser.value(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<input><button></button><h1 id=\"open\">x</h1>"
        "<svg></svg><p id=\"pale\">pale</p>'), document.getElementById('pale').style.color = getComputedStyle(document.body).backgroundColor, 0"
    )
    kinds = {kind.split()[0] for kind, _ in faults(browser)}
    assert {"no", "landmark", "contrast"} <= kinds


def test_a_form_goes_by_keyboard_alone(browser, opened):
    server, _ = opened
    go_to(browser, server, f"{table_path(server)}/promise")
    browser.value("document.activeElement.blur(), 0")
    press_key(browser, "Tab", 9)
    assert browser.value("document.activeElement.className") == "skip"
    for _ in range(40):
        if browser.value("document.activeElement.id") == "set-k":
            break
        press_key(browser, "Tab", 9)
    assert browser.value("document.activeElement.id") == "set-k"
    assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.call("Input.insertText", text="")
    browser.value("document.activeElement.select(), 0")
    browser.call("Input.insertText", text="7")
    press_key(browser, "Enter", 13, "\r")
    browser.until("(document.body?.innerText ?? '').includes('k = 7')")


def test_the_whole_way_goes_by_keyboard_alone(browser, table):
    with running(root=table.parent) as server:
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        way_by_keyboard(browser, "occupation")
        assert "The release keeps its policy" in text(browser)
        desk = next(iter(server.sessions.tables.values()))
        assert dict(desk.job.policy.hierarchies)["occupation"].path.name == "hierarchy1.csv"
        assert desk.job.time_limit == 2


def test_values_come_only_when_somebody_asks_for_them(browser, opened):
    server, said = opened
    assert "Some of its values" not in said["columns"]
    go_to(browser, server, f"{table_path(server)}/columns")
    click(browser, "Show some values of sex")
    browser.until("(document.body?.innerText ?? '').includes('Some of its values: female male')")


def test_levels_follow_what_one_types(browser, opened):
    server, _ = opened
    go_to(browser, server, f"{table_path(server)}/labels")
    last = "[...document.querySelectorAll('section.label')].at(-1)"
    browser.until(f"{last}.innerText.includes('58 different values')")
    browser.value(
        f"{last}.querySelector('[data-part=detail]').value = '10, 20', "
        f"{last}.querySelector('[data-part=detail]').dispatchEvent(new Event('input', {{ bubbles: true }})), 0"
    )
    browser.until(
        f"{last}.innerText.includes('9 different labels') && !{last}.innerText.includes('17 different labels')"
    )


def test_a_search_is_stopped_and_keeps_the_best(browser, opened):
    server, _ = opened
    go_to(browser, server, f"{table_path(server)}/search")
    fill_in(browser, "time_limit", "300")
    click(browser, "Search")
    browser.until(
        "!!document.querySelector('[data-told=cost]') && /\\d/.test(document.querySelector('[data-told=cost]').innerText)",
        60,
    )
    began = time.monotonic()
    click(browser, "Stop, and keep the best")
    goes(browser, "/release", 60)
    assert time.monotonic() - began < 60
    assert "The release keeps its policy" in text(browser)


def test_next_keeps_what_is_typed_and_another_way_out_asks_first(browser, opened):
    server, _ = opened
    desk = next(iter(server.sessions.tables.values()))
    go_to(browser, server, f"{table_path(server)}/promise")
    leaves = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert browser.value(leaves) is True
    fill_in(browser, "k", "9")
    assert browser.value(leaves) is False
    click(browser, "Next")
    goes(browser, "/search")
    assert desk.job.policy.k == 9
    assert "9 rows or more look alike" in text(browser)
    desk.change(k=5)


def test_a_server_that_is_gone_is_said_and_the_page_stays(browser, table):
    with running(root=table.parent) as server:
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        tab = server.sessions.open_table(table)
        path = f"/tables/{tab.number}/search"
        assert tab.work("columns").wait(60)
        go_to(browser, server, path)
        fill_in(browser, "time_limit", "300")
        click(browser, "Search")
        browser.until("!!document.querySelector('[data-work]')")
    browser.until("(document.body?.innerText ?? '').includes('incrowd serve does not answer any more')")
    assert browser.value("document.querySelector('progress').hidden")
    click(browser, "Stop, and keep the best")
    time.sleep(0.5)
    assert browser.value("location.pathname") == path
    assert "does not answer any more" in text(browser)


def test_another_site_can_send_nothing(browser, opened):
    server, _ = opened
    before = dict(server.sessions.tables)
    number = next(iter(before))
    other, address = another_site(
        f'<form id="f" method="post" action="{base(server)}/tables/{number}/close"><button id="b">x</button></form>'
        f'<script>fetch("{base(server)}/", {{ credentials: "include" }}).then(() => {{ document.title = "read"; }}, () => {{ document.title = "kept"; }})</script>'
    )
    browser.call("Page.navigate", url=address)
    browser.until("document.title === 'kept'")
    browser.press("b")
    browser.until("location.port !== '' && (document.body?.innerText ?? '').includes('another site')")
    assert dict(server.sessions.tables) == before
    other.shutdown()
    other.server_close()


def test_the_app_is_in_no_frame(browser, opened):
    server, _ = opened
    other, address = another_site(f'<iframe id="i" src="{base(server)}/"></iframe>')
    browser.said.clear()
    browser.call("Page.navigate", url=address)
    browser.until("!!document.getElementById('i')")
    end = time.monotonic() + 10
    while not any("frame" in str(one) or "403" in str(one) for one in browser.said) and time.monotonic() < end:
        browser.value("0")
    assert any("frame" in str(one) or "403" in str(one) for one in browser.said)
    other.shutdown()
    other.server_close()


def test_a_network_is_drawn(browser, opened, tmp_path):
    server, _ = opened
    (tmp_path / "ring.txt").write_text("".join(f"{n} {(n + 1) % 9}\n" for n in range(9)))
    go_to(browser, server, "/")
    give(browser, "#file-network", tmp_path / "ring.txt")
    browser.call(
        "Runtime.evaluate", expression="document.getElementById('file-network').form.requestSubmit()", userGesture=True
    )
    browser.until(
        "location.pathname.startsWith('/networks/') && document.querySelectorAll('circle.node').length === 9", 120
    )
    browser.until(READY)  # with its style
    assert faults(browser) == []
