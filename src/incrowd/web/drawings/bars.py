"""Shares of the rows as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.report.text.words import percent
from incrowd.web.drawings.svg import drawing, element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

__all__ = ["bars"]

WIDTH, LINE, LABEL, VALUE = 640, 30, 150, 120


def bars(values: Sequence[tuple[str, int]], whole: int, title: str) -> Markup:
    """Return a drawing of parts of a whole.

    `values` are pairs of a label and a number, `whole` is what 100 % is, and the title is for those who do not see the
    drawing.
    """
    room = WIDTH - LABEL - VALUE
    parts = []
    for place, (label, number) in enumerate(values):
        y = place * LINE
        share = number / whole if whole else 0
        parts += [
            element("text", label, x=LABEL - 10, y=y + 20, text_anchor="end"),
            element("rect", x=LABEL, y=y + 5, width=max(1.0, share * room), height=LINE - 10, class_="bar"),
            element("text", f"{number:,} ({percent(share)})", x=LABEL + share * room + 8, y=y + 20, class_="value"),
        ]
    said = "; ".join(f"{label}: {number:,}" for label, number in values)
    return drawing(WIDTH, LINE * max(1, len(values)), f"{title}. {said}.", parts)
