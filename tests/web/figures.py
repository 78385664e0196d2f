"""The figures of a report: what each says to those who do not see it, the texts that are drawn, and its table."""

from __future__ import annotations

import html
import re
from typing import NamedTuple


class Figure(NamedTuple):
    """One drawing of a page."""

    said: str
    drawn: list[str]
    head: list[str]
    rows: list[list[str]]

    def column(self, name):
        return [row[self.head.index(name)] for row in self.rows]


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip()


def texts_of(svg):
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def figures(page):
    """Every figure of a page, in its order."""
    found = []
    for figure in re.findall(r"<figure.*?</figure>", page, re.DOTALL):
        svg = re.search(r"<svg.*?</svg>", figure, re.DOTALL)[0]
        said = html.unescape(re.search(r'aria-label="([^"]*)"', svg)[1])
        head, *rows = [
            [plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
            for row in re.findall(r"<tr.*?</tr>", figure, re.DOTALL)
        ]
        found.append(Figure(said, texts_of(svg), head, rows))
    return found


def figure(page, said):
    """The one figure whose words begin so."""
    (found,) = [one for one in figures(page) if re.match(said, one.said)]
    return found


def number(text):
    """A number as a page writes it: 1,234 or 12.5%."""
    return float(text.replace(",", "").rstrip("%"))
