"""A visitor of the app who is no browser: asks a running server, with the cookie or without."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

import httpx


class Visitor:
    """Asks the app at an address (that of `serve`, or of `incrowd.studio`); enters first unless told not to."""

    def __init__(self, server, *, enter=True):
        self.server = server
        self.base = server.address.partition("/enter")[0]
        self.client = httpx.Client(base_url=self.base, timeout=60, trust_env=False, verify=False)
        if enter:
            answer = self.client.get(server.address)
            assert answer.status_code == 200, answer.text

    def get(self, path, **headers):
        return self.client.get(path, headers=headers)

    def post(self, path, data=None, files=None, **headers):
        headers = {"origin": self.base, **headers}
        if files is None:
            headers.setdefault("content-type", "application/x-www-form-urlencoded")
        return self.client.post(path, data=data or {}, files=files, headers=headers)

    def text(self, path):
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.text

    def settled(self, path, seconds=60):
        """The page once nothing goes on behind it."""
        end = time.monotonic() + seconds
        while "data-work" in (text := self.text(path)):
            assert time.monotonic() < end, path
            time.sleep(0.02)
        return text

    def after(self, answer):
        """What the page says that the answer to a form leads to."""
        assert answer.status_code == 303, answer.text
        return words(self.text(answer.headers["location"]))

    def upload(self, name, content, kind="table"):
        answer = self.post("/upload", data={"as": kind}, files={"file": (name, content)})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def opened(self, name, content):
        """The path of an uploaded table, its columns looked at."""
        place = self.upload(name, content)
        assert place.startswith("/tables/"), self.text("/")
        self.settled(place)
        return place.rpartition("/")[0]

    def search(self, place, **settings):
        """Search for a release, and wait for it."""
        answer = self.post(f"{place}/search", {"time_limit": "0.5", **settings})
        self.settled(f"{place}/search")
        return answer

    def close(self):
        self.client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def words(page):
    """What a page says, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def below(folder):
    """What lies below a folder, each with its mode, while folders of work come and go there."""
    found = {}
    for inside, folders, files in os.walk(folder):
        for path in (Path(inside, name) for name in (*folders, *files)):
            with contextlib.suppress(FileNotFoundError):
                found[path] = path.stat().st_mode
    return found
