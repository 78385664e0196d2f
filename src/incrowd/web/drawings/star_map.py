"""A map of the stars: which columns are blurred together, and in how many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.text.words import and_, percent
from incrowd.web.drawings.svg import drawing, element

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

__all__ = ["star_map"]

MOST = 24  # patterns that are drawn; the rest is told in one line
WIDTH, HEAD, LINE, LABEL, RIGHT = 760, 24, 22, 120, 70
CHARACTERS = 24


def star_map(heights: Mapping[str, int], patterns: Sequence[Mapping[str, Any]], rows: int) -> Markup:
    """Return a drawing with a line for every pattern that the release uses, the most frequent first.

    `heights` has the level of a star by quasi-identifier. Each pattern has ``levels`` by column (those above 0) and
    ``rows``, and `rows` is how many the release has.
    """
    columns = list(heights)
    shown = sorted(patterns, key=lambda one: -one["rows"])[:MOST]
    rest = sum(one["rows"] for one in patterns) - sum(one["rows"] for one in shown)
    cell = (WIDTH - LABEL - RIGHT) / max(1, len(columns))
    slant = HEAD + 6.2 * min(CHARACTERS, max(map(len, columns), default=0))
    parts = []
    for place, name in enumerate(columns):
        x = LABEL + (place + 0.5) * cell
        text = name if len(name) <= CHARACTERS else f"{name[: CHARACTERS - 1]}…"
        parts.append(element("text", text, x=x, y=slant - 8, transform=f"rotate(-60 {x:.1f} {slant - 8:.1f})"))
    for line, one in enumerate(shown):
        y = slant + line * LINE
        label = f"{one['rows']:,} ({percent(one['rows'] / rows)})"
        parts.append(element("text", label, x=LABEL - 10, y=y + 16, text_anchor="end", class_="tick"))
        for place, name in enumerate(columns):
            level = one["levels"].get(name, 0)
            kind = "starred" if level >= max(1, heights[name]) else "coarser" if level else "kept"
            parts.append(
                element(
                    "rect", x=LABEL + place * cell + 1, y=y + 2, width=cell - 2, height=LINE - 4, class_=f"cell {kind}"
                )
            )
    if rest:
        y = slant + len(shown) * LINE
        parts.append(element("text", f"and {rest:,} rows of other patterns", x=LABEL, y=y + 18, class_="tick"))
    said = "; ".join(
        f"{one['rows']:,} rows: " + (f"{and_(list(one['levels']))} blurred" if one["levels"] else "as they are")
        for one in shown[:8]
    )
    return drawing(
        WIDTH, slant + (len(shown) + bool(rest)) * LINE + 6, f"Which columns are blurred together. {said}.", parts
    )
