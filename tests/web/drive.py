"""The whole way in Chromium, as a newcomer goes it: from a link on another site to a release that was counted again."""

from __future__ import annotations

import http.server
import json
import threading
from pathlib import Path


class Site(http.server.BaseHTTPRequestHandler):
    """Another site on this machine, under another name: a page with a link and with a form, both to the app."""

    page = ""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def log_message(self, *_):
        pass


def another_site(page):
    """Serve a page; return the server (to be shut down) and its address."""
    handler = type("Page", (Site,), {"page": page})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://localhost:{server.server_port}/"


READY = "document.readyState === 'complete' && !document.querySelector('[data-work]')"


def goes(browser, path, seconds=60):
    """Wait until the page of a path is there and nothing goes on behind it."""
    browser.until(f"location.pathname.endsWith({path!r}) && {READY}", seconds)


def base(server):
    return f"http://127.0.0.1:{server.port}"


def table_path(server):
    return f"/tables/{next(iter(server.sessions.tables))}"


def go_to(browser, server, path, seconds=60):
    browser.call("Page.navigate", url=base(server) + path)
    goes(browser, path, seconds)


def let_in(browser, server):
    """Wait until the start page of a server is there: the page before it, on another site, may have the same path."""
    browser.until(f"location.port === '{server.port}' && location.pathname === '/' && {READY}")


def text(browser):
    return browser.value("document.body.innerText")


def click(browser, words):
    """Click the button or link that says so, as a user does."""
    found = (
        f"[...document.querySelectorAll('main a, main button, main summary')].find((one) => "
        f"one.innerText.trim().startsWith({json.dumps(words)}))"
    )
    browser.until(f"document.readyState === 'complete' && !!{found}", 20)
    browser.call("Runtime.evaluate", expression=f"{found}.click()", userGesture=True)


def fill_in(browser, name, value):
    slot = f"document.querySelector('main [name={json.dumps(name)}]')"
    browser.value(f"{slot}.value = {json.dumps(value)}, {slot}.dispatchEvent(new Event('input', {{ bubbles: true }}))")


def give(browser, selector, path):
    root = browser.call("DOM.getDocument")["root"]["nodeId"]
    node = browser.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])


def press_key(browser, key, code=0, words=None):
    """Press one key, as a keyboard does."""
    more = {"text": words} if words else {}
    browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **more)
    browser.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)


def whole_way(browser, table, seconds="1", patience=60):
    """From the start page to a checked release; returns what each page said by its step.

    `patience`: seconds that the work behind a page may take.
    """
    said = {}
    give(browser, "#file-table", Path(table))
    click(browser, "Open")
    goes(browser, "/columns", patience)
    said["columns"] = text(browser)
    click(browser, "Use these roles")
    goes(browser, "/risks", patience)
    said["risks"] = text(browser)
    click(browser, "Next")
    goes(browser, "/labels", patience)
    browser.until("document.querySelectorAll('.ladder').length > 0", patience)
    said["labels"] = text(browser)
    click(browser, "Next")
    goes(browser, "/stars", patience)
    fill_in(browser, "max_stars", "6")
    click(browser, "Use these rules")
    browser.until("(document.body?.innerText ?? '').includes('at most 6 stars')", patience)
    goes(browser, "/stars", patience)
    said["stars"] = text(browser)
    click(browser, "Next")
    goes(browser, "/promise", patience)
    fill_in(browser, "ks", "2, 5")
    click(browser, "Draw the curve")
    browser.until("!!document.querySelector('svg.drawing')", 2 * patience)
    goes(browser, "/promise", patience)
    said["promise"] = text(browser)
    click(browser, "Next")
    goes(browser, "/search", patience)
    fill_in(browser, "time_limit", seconds)
    click(browser, "Search")
    goes(browser, "/release", patience)
    said["release"] = text(browser)
    return said


def faults(browser):
    """What of a page is without a name, a label or a landmark, or hard to read: as (kind, part of its markup)."""
    return json.loads(browser.value(f"({_FAULTS})()"))


_FAULTS = """() => {
  const found = [], say = (kind, one) => found.push([kind, one.outerHTML.slice(0, 120)]);
  const named = (one) => (one.getAttribute("aria-label") || one.textContent || one.title || "").trim();
  for (const one of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!one.labels.length && !one.getAttribute("aria-label")) say("no label", one);
  }
  for (const one of document.querySelectorAll("button:not([hidden]), a[href]")) if (!named(one)) say("no name", one);
  for (const one of document.querySelectorAll("svg, progress, meter")) if (!one.getAttribute("aria-label")) say("no text", one);
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const one of document.querySelectorAll("[id]")) if (ids.filter((id) => id === one.id).length > 1) say("doubled id", one);
  for (const part of ["main", "header", "footer", "h1", "title", "html[lang]"]) {
    if (document.querySelectorAll(part).length !== 1) found.push(["landmark", part]);
  }
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/rgba\\(0, 0, 0, 0\\)/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || one.closest("svg") || one.offsetParent === null || one.matches(".skip, option, [aria-disabled]")) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) say("contrast " + ((a + 0.05) / (b + 0.05)).toFixed(1), one);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(["scrolls sideways", String(document.documentElement.scrollWidth)]);
  return JSON.stringify(found);
}"""


def tab_to(browser, condition, most=400):
    """Press Tab until what has the focus is the `one` that is meant; it must be seen to have it."""
    for _ in range(most):
        press_key(browser, "Tab", 9)
        if browser.value(f"((one) => one !== document.body && ({condition}))(document.activeElement)"):
            assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid", condition
            return
    raise AssertionError((condition, text(browser)[:2000]))


def enter(browser):
    press_key(browser, "Enter", 13, "\r")


def space(browser):
    press_key(browser, " ", 32, " ")


def says(words):
    return f"one.innerText.trim().startsWith({json.dumps(words)})"


def type_over(browser, words):
    """Type in place of what a field holds."""
    press_key(browser, "End", 35)
    for _ in range(browser.value("document.activeElement.value.length")):
        press_key(browser, "Backspace", 8)
    browser.call("Input.insertText", text=words)


def way_by_keyboard(browser, column):
    """From the start page to a checked release by Tab, Enter and Space alone; values of a column are grouped on the way."""
    tab_to(browser, "one.id === 'below-table'")
    press_key(browser, "Tab", 9)
    enter(browser)
    goes(browser, "/columns")
    tab_to(browser, says("Use these roles"))
    space(browser)
    goes(browser, "/risks")
    tab_to(browser, says("Next"))
    enter(browser)
    goes(browser, "/labels")
    tab_to(browser, says(f"Group the values of {column} "))
    enter(browser)
    browser.until(f"location.pathname.includes('/trees/') && {READY}")
    tab_to(browser, says("Show the values"))
    enter(browser)
    browser.until(f"!!document.querySelector('textarea') && {READY}")
    browser.value(
        "(() => { const text = document.querySelector('textarea'); text.focus(); text.setSelectionRange("
        "...Array(2).fill(text.value.indexOf('\\n'))); })()"
    )  # the end of the first line
    browser.call("Input.insertText", text="; some of them")
    tab_to(browser, says("Keep these groups"))
    space(browser)
    for step in ("/labels", "/stars", "/promise"):
        goes(browser, step)
        tab_to(browser, says("Next"))
        enter(browser)
    goes(browser, "/search")
    tab_to(browser, "one.name === 'time_limit'")
    type_over(browser, "2")
    enter(browser)
    goes(browser, "/release")
    tab_to(browser, says("certificate.json"))
