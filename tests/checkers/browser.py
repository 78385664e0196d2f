"""A headless Chromium that a test drives over a pipe, in the words of the DevTools protocol; the standard library alone."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed():
    """The browser's program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


needs_chromium = pytest.mark.skipif(installed() is None, reason="needs Chromium, which this machine does not have")


class Gone(AssertionError):
    """The page was left while it was asked."""


LEFT = ("navigated or closed", "context was destroyed", "Cannot find context", "Cannot find default execution context")


class Browser:
    """One page; `asked` lists every request it made, as (method, address)."""

    def __init__(self, folder):
        self.asked, self.said, self.number, self.left = [], [], 0, b""
        inward, self.write = self._high(os.pipe())
        self.read, outward = self._high(os.pipe())

        def hand_over():
            os.dup2(inward, 3)
            os.dup2(outward, 4)

        self.process = subprocess.Popen(
            [installed(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-component-update", "--disable-background-networking",
             "--proxy-server=127.0.0.1:1",  # where nobody listens
             f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4),
            preexec_fn=hand_over,
        )  # fmt: skip
        os.close(inward)
        os.close(outward)
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for part in ("Page", "Network", "Runtime", "DOM", "Log"):
            self.call(f"{part}.enable")

    @staticmethod
    def _high(pair):
        """The two ends of a pipe with numbers that are out of the child's way."""
        moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in pair]
        for end in pair:
            os.close(end)
        return moved

    session = None

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            heard = self.hear(60)
            if heard.get("id") == self.number:
                if any(words in heard.get("error", {}).get("message", "") for words in LEFT):
                    raise Gone(method)
                assert "error" not in heard, (method, heard["error"])
                return heard["result"]

    def hear(self, seconds):
        """The next message; requests and complaints are kept."""
        end = time.monotonic() + seconds
        while b"\0" not in self.left:
            assert select.select([self.read], [], [], max(end - time.monotonic(), 0))[0], "the browser says nothing"
            more = os.read(self.read, 1 << 20)
            assert more, "the browser has gone"
            self.left += more
        first, _, self.left = self.left.partition(b"\0")
        heard = json.loads(first)
        if heard.get("method") == "Network.requestWillBeSent":
            request = heard["params"]["request"]
            self.asked.append((request["method"], request["url"]))
        if heard.get("method") == "Page.javascriptDialogOpening":  # what a page asks before it is left
            leave = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            os.write(self.write, json.dumps({**leave, "sessionId": self.session}).encode() + b"\0")
        if heard.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.said.append(heard["params"])
        return heard

    def open(self, path):
        self.call("Page.navigate", url=Path(path).as_uri())
        self.until("document.readyState === 'complete'")

    def value(self, expression):
        """What an expression is worth in the page; evaluated by the debugger, not by the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self._holds(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def _holds(self, expression):
        """Whether it holds by now; not on a page that is being left."""
        try:
            return self.value(expression)
        except Gone:
            return False

    def give(self, name, *paths):
        """Put files into a slot of the page."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=f"#{name}")["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def press(self, name):
        self.call("Runtime.evaluate", expression=f"document.getElementById({name!r}).click()", userGesture=True)

    def close(self):
        self.session = None
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for end in (self.read, self.write):
            os.close(end)
