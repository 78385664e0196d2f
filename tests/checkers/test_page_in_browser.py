"""The very page in a headless Chromium: good and tampered files get their verdicts in words, and no request leaves."""

from __future__ import annotations

import json
import time

import pytest

from checkers import corpus
from checkers.browser import needs_chromium
from checkers.page_script import text

pytestmark = needs_chromium
ANSWER = "document.getElementById('answer')"
GOOD, REFUSED, NONE = "Good", "Refused", "Unreadable: no verdict"


@pytest.fixture
def opened(browser, tmp_path):
    """The page in the browser, with what it asks for from now on."""
    (tmp_path / "check.html").write_text(text(), encoding="utf-8")
    browser.asked.clear()
    browser.said.clear()
    browser.open(tmp_path / "check.html")
    return browser


def verdict(browser, folder, *, certificate=True, release="release.csv"):
    """The verdict's head and all that is said."""
    given = {"original": "original.csv", "release": release, "policy": "policy.toml"}
    for slot, name in (given | ({"certificate": "certificate.json"} if certificate else {})).items():
        browser.give(slot, folder / name)
    browser.press("start")
    browser.until(f"!{ANSWER}.hidden")
    return browser.value("document.getElementById('verdict').textContent"), browser.value(f"{ANSWER}.innerText")


def only_the_page_itself(browser, folder):
    return browser.asked == [("GET", (folder / "check.html").as_uri())] and not browser.said


@pytest.mark.parametrize("name", ["tree", "matching", "requirements"])
def test_a_proven_example_is_called_good_and_proven(opened, tmp_path, name):
    corpus.example(name, tmp_path)
    head, said = verdict(opened, tmp_path)
    assert head == GOOD
    assert "Proven: No release of this table with k-anonymity" in said
    assert "So this release has the least cost there is." in said
    assert only_the_page_itself(opened, tmp_path)


def test_a_packed_certificate_is_unpacked_by_the_page_itself(opened, tmp_path):
    corpus.example("lines", tmp_path)
    head, said = verdict(opened, tmp_path)
    assert head == GOOD
    assert (
        "Proven: No release of this table with k-anonymity with k = 2, under the policy's mask, costs less than 3."
        in said
    )
    assert only_the_page_itself(opened, tmp_path)


def test_without_a_certificate_nothing_is_said_of_cheaper_releases(opened, tmp_path):
    corpus.example("tree", tmp_path)
    head, said = verdict(opened, tmp_path, certificate=False)
    assert head == GOOD
    assert "nothing is said about cheaper releases" in said


def test_a_tampered_release_is_refused_in_words(opened, tmp_path):
    blocks = corpus.EXAMPLES["components"]
    corpus.example("components", tmp_path, release=blocks["release"].replace("a,x", "a,y", 1))
    head, said = verdict(opened, tmp_path)
    assert head == REFUSED
    assert "A class of equal rows has fewer than 2 rows." in said
    assert "The released rows cannot each have come from an original row of its own." in said
    assert only_the_page_itself(opened, tmp_path)


def test_a_claim_above_what_is_proven_is_refused_in_words(opened, tmp_path):
    blocks = corpus.EXAMPLES["prices"]
    corpus.example(
        "prices", tmp_path, certificate=json.dumps(json.loads(blocks["certificate"]) | {"proof": "certificate"})
    )
    head, said = verdict(opened, tmp_path)
    assert head == REFUSED
    assert "a larger lower bound than it proves" in said


@pytest.mark.parametrize(
    ("block", "text"),
    [("certificate", '{"version": 1, "version": 1}'), ("policy", "k = 2020-01-01\n"), ("original", 'one,two\n"a,x\n')],
)
def test_what_cannot_be_read_gets_no_verdict(opened, tmp_path, block, text):
    corpus.example("prices", tmp_path, **{block: text})
    head, said = verdict(opened, tmp_path)
    assert head == NONE
    assert said.count("Nothing is said about the release") == 1


def test_texts_of_files_are_shown_as_texts_and_no_cell_is_shown(opened, tmp_path):
    name, cell = "<img src=x onerror=alert(1)>", "Zaphod"
    corpus.example("prices", tmp_path, original=f"one,{name}\na,{cell}\na,{cell}\nb,q\nb,q\n", release=f"one,{name}\n*,{cell}\n*,{cell}\n*,q\n*,{cell}\n", policy=f"quasi_identifiers = ['one']\nsensitive = ['{name}']\nk = 2\nl = 2\n", certificate="{}")  # fmt: skip
    head, said = verdict(opened, tmp_path, certificate=False)
    assert head == REFUSED
    assert f"l-diversity l=2 column={name}" in said
    assert cell not in opened.value("document.documentElement.innerHTML")
    assert opened.value("document.querySelectorAll('img').length") == 0
    assert only_the_page_itself(opened, tmp_path)


def test_missing_files_are_asked_for(opened):
    opened.press("start")
    assert (
        opened.value("document.getElementById('progress').textContent")
        == "Give the original, the release, the policy first."
    )


def test_the_browser_lets_the_page_ask_for_nothing(opened):
    opened.value(
        "globalThis.gone = null; fetch('http://127.0.0.1:9/').then(() => { gone = 'sent'; }, () => { gone = 'kept'; }); 0"
    )
    opened.until("gone !== null")
    assert opened.value("gone") == "kept"
    end = time.monotonic() + 10
    while not any("Content Security Policy" in str(one) for one in opened.said) and time.monotonic() < end:
        opened.value("0")
    assert any("Content Security Policy" in str(one) for one in opened.said)
