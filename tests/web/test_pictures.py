"""The documentation in Chromium: its pictures, and its search where `make site` has built it.

Pictures are of the demo under its policy, whose least loss is proven, so they say the same in every run. What a page
says stands in its picture as a digest; with INCROWD_RECORD in the environment pictures are taken anew.
"""

from __future__ import annotations

import base64
import hashlib
import os
import struct
import zlib
from pathlib import Path

import pytest

import incrowd
from checkers.browser import needs_chromium
from incrowd.web.server import running
from web.drive import click, fill_in, go_to, goes, let_in, table_path

pytestmark = [needs_chromium, pytest.mark.web]
ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
TABLE = ROOT / "src" / "incrowd" / "data" / "hospital.csv"
OPENED = "document.querySelector('#text')?.value.includes('The policy of `incrowd demo`')"


def compare(browser, name, until):
    """Hold what a page says, up to some words, against its picture, or take the picture anew."""
    path = ROOT / "docs" / "images" / f"{name}.png"
    said = browser.value("document.querySelector('main').innerText").partition(until)[0]
    note = b"tEXtComment\0" + hashlib.sha256(said.encode()).hexdigest().encode()
    if "INCROWD_RECORD" in os.environ:
        made = base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"])
        chunk = struct.pack(">I", len(note) - 4) + note + struct.pack(">I", zlib.crc32(note))
        path.write_bytes(made[:-12] + chunk + made[-12:])  # before the last chunk
    assert note in path.read_bytes(), f"{path.name} is older than the app: INCROWD_RECORD=1, and look at it"


def seen(browser, high):
    size = {"width": 1100, "height": high, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", **size)


def test_the_picture_of_a_report_says_what_the_report_says(browser, tmp_path):
    with incrowd.anonymize(TABLE, TABLE.with_suffix(".toml")) as release:
        release.report(tmp_path / "report.html")
    seen(browser, 620)
    browser.open(tmp_path / "report.html")
    compare(browser, "report", "What was asked")


def test_the_pictures_of_the_app_say_what_the_app_says(browser):
    with running(TABLE, TABLE.parent) as server:
        seen(browser, 900)
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        for page in ("columns", "settings", "promise", "search"):
            go_to(browser, server, f"{table_path(server)}/{page}")
            if page == "columns":
                compare(browser, "serve-columns", "How the file is read")
            elif page == "settings":
                browser.value("document.querySelector('#policy-below').form.querySelector('button').click()")
                browser.until(OPENED)
            elif page == "promise":
                fill_in(browser, "ks", "2, 3, 4, 5, 6")
                click(browser, "Draw the curve")
                browser.until("!!document.querySelector('svg.drawing')", 120)
                goes(browser, f"/{page}")
                browser.value("document.querySelector('svg.drawing').closest('section').scrollIntoView()")
                compare(browser, "serve-promise", "Next: search")
        click(browser, "Search")
        goes(browser, "/release")
        compare(browser, "serve-release", "What was asked")


@pytest.mark.skipif(not SITE.exists(), reason="needs the site, which `make site` builds")
@pytest.mark.parametrize("page", ["index.html", "tutorials/hospital.html"])
def test_the_site_is_searched_from_a_folder(browser, page):
    browser.open(SITE / page)  # a page of the test before may still be asking its server
    browser.asked.clear()
    browser.open(SITE / page)
    browser.value("document.querySelector('#__search').click()")
    browser.value("document.querySelector('.md-search__input').focus()")
    browser.until("document.activeElement.matches('.md-search__input')")
    browser.call("Input.insertText", text="homogeneity")
    browser.until("document.querySelector('.md-search-result__link')?.href.includes('how-to/diversity.html')")
    assert {address.partition(":")[0] for _, address in browser.asked} <= {"file", "data", "about", "blob"}
