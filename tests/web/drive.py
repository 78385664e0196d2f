"""The whole way in Chromium, as a newcomer goes it: from a link on another site to a release that was counted again."""

from __future__ import annotations

import http.server
import json
import threading
import time
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


def whole_way(browser, table, seconds="3"):
    """From the start page to a checked release; returns what each page said by its step."""
    said = {}
    give(browser, "#file-table", Path(table))
    click(browser, "Open")
    goes(browser, "/columns")
    said["columns"] = text(browser)
    click(browser, "Use these roles")
    goes(browser, "/risks")
    said["risks"] = text(browser)
    click(browser, "Next")
    goes(browser, "/labels")
    browser.until("document.querySelectorAll('.ladder').length > 0")
    said["labels"] = text(browser)
    click(browser, "Next")
    goes(browser, "/stars")
    fill_in(browser, "max_stars", "6")
    click(browser, "Use these rules")
    browser.until("(document.body?.innerText ?? '').includes('at most 6 stars')")
    goes(browser, "/stars")
    said["stars"] = text(browser)
    click(browser, "Next")
    goes(browser, "/promise")
    fill_in(browser, "ks", "2, 5")
    click(browser, "Draw the curve")
    browser.until("!!document.querySelector('svg.drawing')", 120)
    goes(browser, "/promise")
    said["promise"] = text(browser)
    click(browser, "Next")
    goes(browser, "/search")
    fill_in(browser, "time_limit", seconds)
    click(browser, "Search")
    goes(browser, "/release", 60)
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


def wait(seconds):
    time.sleep(seconds)
