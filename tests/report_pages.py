"""A report taken apart: what a browser, a screen reader and an auditor find in it."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "input", "link", "hr"}


class Parts(HTMLParser):
    """Tags with their attributes, the text outside of style, and whether all tags close."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.words, self.open, self.code = [], [], [], []
        self.balanced = True
        self.feed(text)
        self.close()
        self.balanced &= not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "code":
            self.code.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.balanced &= bool(self.open) and self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)
        if "code" in self.open:
            self.code[-1] += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def check_page(text):
    """Return a page's parts after everything that holds for every report was asserted."""
    parts = Parts(text)
    assert text.startswith("<!doctype html>")
    assert parts.balanced
    # whole: no script, and nothing is ever fetched
    assert not {"script", "link", "img", "iframe", "object", "image", "use"} & {tag for tag, _ in parts.tags}
    assert "default-src 'none'" in text
    assert not re.search(r"@import|url\((?!#)", text)
    assert not [name for _, attributes in parts.tags for name in attributes if name.startswith("on")]
    outside = [v for _, a in parts.tags for k, v in a.items() if k in ("href", "src", "xlink:href") and v[:1] != "#"]
    assert outside == []
    assert set(re.findall(r"https?://[^\"' <)]+", text)) <= {"http://www.w3.org/2000/svg"}
    # a screen reader finds its way: a language, one first heading, labelled charts and tables, links that lead somewhere
    assert parts.all("html")[0]["lang"] == "en"
    assert len(parts.all("h1")) == 1
    ids = [a["id"] for _, a in parts.tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in parts.all("a")} <= set(ids)
    assert {a["aria-labelledby"] for a in parts.all("section")} <= set(ids)
    charts = parts.all("svg")
    assert all(a["role"] == "img" and len(a["aria-label"]) > 10 for a in charts)
    assert len(parts.all("figure")) == len(charts) == len(parts.all("details"))
    assert len(parts.all("table")) == len(parts.all("caption"))
    assert all("scope" in a for a in parts.all("th"))
    # phone, dark and print
    assert any(a.get("name") == "viewport" for a in parts.all("meta"))
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    return parts
