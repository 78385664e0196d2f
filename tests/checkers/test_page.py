"""The page that checks in a browser: one file that can ask for nothing, and the verdicts of the second checker."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import re
import tomllib
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from checkers import corpus
from checkers.ask import ROOT, certificate_of, save, told_by_page, told_by_second
from checkers.changes import at
from checkers.needed import needs_node
from checkers.page_script import page, script, text
from seeds import seeds

FOLDER = ROOT / "src" / "incrowd" / "checker"


class Parts(HTMLParser):
    """Every element with its attributes, and the texts of script and style."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.inside = [], {"script": [], "style": []}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] in self.inside and self.get_starttag_text():
            self.inside[self.elements[-1][0]].append(data)


PAGE = Parts(text())


def rules():
    """The content security policy by its directives."""
    (said,) = [a["content"] for tag, a in PAGE.elements if tag == "meta" and a.get("http-equiv")]
    return dict(rule.strip().split(" ", 1) for rule in said.split(";"))


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_allows_its_own_script_and_style_by_hash_and_nothing_else():
    page_text = text()
    (code,) = re.findall(r"<script>(.*?)</script>", page_text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page_text, re.DOTALL)
    assert code == script()
    assert rules() == {
        "default-src": "'none'", "script-src": hashed(code), "style-src": hashed(style), "base-uri": "'none'",
        "form-action": "'none'", "require-trusted-types-for": "'script'", "trusted-types": "'none'",
    }  # fmt: skip


def test_the_policy_stands_before_whatever_it_is_about():
    kinds = [tag for tag, _ in PAGE.elements]
    first = next(i for i, (tag, a) in enumerate(PAGE.elements) if tag == "meta" and a.get("http-equiv"))
    assert kinds[:first] == ["html", "head", "meta"]  # the character set
    assert kinds.count("script") == kinds.count("style") == 1


def test_the_page_names_no_address_and_has_no_attribute_that_loads_or_runs():
    page_text = text()
    assert not re.search(r"https?:|//[\w-]+\.\w|url\(|@import|data:\w|blob:\w", page_text)
    for tag, attributes in PAGE.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "form", "base", "a")
        assert not any(name in ("src", "href", "style", "action") or name.startswith("on") for name in attributes)


def test_the_script_has_no_way_out_and_makes_no_element_of_a_text():
    forbidden = (
        r"\bfetch\b", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", r"\bimport\b", r"\beval\b", r"\bFunction\(",
        "innerHTML", "outerHTML", "insertAdjacentHTML", r"document\.write", r"\bWorker\b", "localStorage", "sessionStorage",
        "indexedDB", r"\bcookie\b", r"window\.open", r"\blocation\b", "setAttribute", "createContextualFragment", "DOMParser",
    )  # fmt: skip
    for word in forbidden:
        assert not re.search(word, script()), word
    assert not re.search(r"</|<!--", script())


def test_every_file_of_the_script_is_in_it():
    there = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "script").glob("*.js")}
    assert there
    for name, part in there.items():
        assert part.strip() in script(), name


@needs_node
@pytest.mark.parametrize("name", corpus.EXAMPLES)
def test_the_script_confirms_the_written_examples(name, tmp_path):
    claims = certificate_of(corpus.example(name, tmp_path))
    status, told = told_by_page(tmp_path)
    assert status == 0
    assert told["lower_bound"] == str(Fraction(claims["lower_bound_checked"], claims["scale"]))
    assert told["proven"] == (claims["proof"] == "certificate")


def objects(value, path=()):
    """The objects of a certificate, each with the path to it."""
    if isinstance(value, dict):
        yield path, value
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from objects(one, (*path, key))


@needs_node
@pytest.mark.few(5)
@pytest.mark.parametrize("name", corpus.EXAMPLES)
def test_a_key_that_no_certificate_has_there_is_unreadable_in_every_object(name, tmp_path):
    claims = certificate_of(corpus.example(name, tmp_path))
    for path, _ in list(objects(claims)):
        for key, value in (("note", "x"), ("Cost", 1), ("", [])):
            changed = copy.deepcopy(claims)
            at(changed, path)[key] = value
            save(tmp_path, changed)
            assert told_by_page(tmp_path)[0] == 2, (path, key)
            assert told_by_second(tmp_path)[0] == 2
    for key in ("for", "diverse", "components", "trees", "whole_below", "matching"):
        for value in ("x", 1, None, False, [], 0.5, [[1e3]], {}):
            save(tmp_path, claims | {key: value})
            assert told_by_page(tmp_path) == told_by_second(tmp_path), (key, value)


def plain(value):
    """A document as the script tells it."""
    if isinstance(value, dict):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return {"whole": str(value)} if type(value) is int else value


GOOD_TOML = [
    "", "# nothing\n", 'a = 1\nb = "x"\n', "a = [1, 2,\n 3, # so\n]\n", "[t]\na = true\n[t.u]\nb = -0.5\n", "[[r]]\nx = 1\n[[r]]\nx = 2\n",
    '[[m.any]]\nkeep = ["a"]\n[m.any.max_level]\n"b c" = 1\n[[m.any]]\n', "a = {b = 1, c = [{d = 2}]}\r\n", "a = 'C:\\x'\n",
    'a = "\\u00e9\\U0001F600\\t\\"\\\\"\n', "a = 1_000\nb = 1e3\nc = +5\n", '"k 1" = 1\n-_ = 2\n', "a = []\nb = {}\n", "x = 0\n[a.b.c]\ny = 1\n[a]\nz = 2",
]  # fmt: skip
BAD_TOML = [
    "a = 1\na = 2\n", "[t]\n[t]\n", "a = \n", "a = 01\n", "a = 1 b = 2\n", "a = [1\n", 'a = "x\n', "a = {b = 1, b = 2}\n", "[a]\nb = 1\n[a.b]\nc = 1\n",
    "a = [1]\n[[a]]\n", "a = {b = 1}\n[a.c]\n", "a = tru\n", 'a = "\\x"\n', 'a = "\\ud800"\n', "a = 1__0\n", "a = {b = 1,\n c = 2}\n", "a = 1.\n", "= 1\n",
]  # fmt: skip
OTHER_TOML = [
    "a = 2020-01-01\n",
    'a = """x"""\n',
    "a.b = 1\n",
    "a = 0x10\n",
    "a = inf\n",
    "a = nan\n",
    "a = 12:00:00\n",
]


@needs_node
@pytest.mark.parametrize("text", GOOD_TOML)
def test_policies_are_read_as_toml(text):
    assert page().told(toml=text) == plain(tomllib.loads(text))


@needs_node
@pytest.mark.parametrize("text", BAD_TOML + OTHER_TOML)
def test_what_is_no_toml_or_no_policy_is_written_with_is_refused(text):
    assert page().told(toml=text) == "unreadable"
    if text in BAD_TOML:
        with pytest.raises(tomllib.TOMLDecodeError):
            tomllib.loads(text)


@needs_node
@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 1}', "NaN", "[Infinity]", "[1,]", '{"a" 1}', "01", "-", "1 2", "", '"\\x"', '"\n"', "[" * 2000 + "]" * 2000, "\ufeff{}", "'a'", "+1"],
)  # fmt: skip
def test_what_is_no_json_is_refused(text):
    assert page().told(json=text) == "unreadable"


@needs_node
@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, -2, 9007199254740993, 1e3, 1.5, true, null, "\\u00e9\\n\\ud83d\\ude00"]}',
        " [ ] ",
        "-0",
        str(2**64),
        '{"__proto__": 1}',
    ],
)
def test_json_keeps_whole_numbers_whole(text):
    assert page().told(json=text) == plain(json.loads(text))


@needs_node
@seeds(600, 60)
def test_a_text_with_signs_changed_is_json_for_both_or_for_none(seed):
    rng = random.Random(seed)
    text = list('{"a": [1, -2.5e3, "x\\u00e9\\"", {"b": null}], "c": true}')
    for _ in range(rng.randrange(3)):
        text[rng.randrange(len(text))] = rng.choice('{}[]",:0123456789.eE+-\\u \tntrf')
    said = "".join(text)
    try:
        expected = plain(json.loads(said, object_pairs_hook=once, parse_constant=never))
    except ValueError:
        expected = "unreadable"
    assert page().told(json=said) == expected


def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def never(name):
    raise ValueError(name)
