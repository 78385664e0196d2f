"""Draw docs/images/six-people.svg, the first picture of the README, from a real run; a test says when it is old."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from incrowd.report.drawings import Drawing, element, paint

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "six-people.svg"
WIDE, HIGH, GAP = 82, 26, 76


def release_of_readme() -> tuple[Any, Any]:
    """Return the table of the README's example and its release."""
    block = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(block, names)  # noqa: S102 - our own page
    return names["table"], names["release"]


def picture() -> str:
    """Return the table before and after: stars coloured, the classes of the release in bands."""
    table, release = release_of_readme()
    after = release.table.to_pylist()
    left = [_behind(after, place, table.to_pylist()) for place in range(len(after))]
    names = table.column_names
    parts = [*_table(names, left, 10, None), *_table(names, after, 10 + WIDE * len(names) + GAP, release)]
    middle = 10 + WIDE * len(names) + GAP / 2
    parts.append(element("text", "→", x=middle, y=90.0, fill=paint("muted"), text_anchor="middle", font_size=26))
    hidden = sum(cell == "*" for row in after for cell in row.values())
    cells = len(after) * 3
    said = f"{hidden} of {cells} cells hidden. No release can hide fewer: proven, and you can recount it."
    wide, high = 20 + 2 * WIDE * len(names) + GAP, HIGH * (len(after) + 1) + 46
    parts.append(
        element("text", said, x=wide / 2, y=high - 10.0, fill=paint("ink"), text_anchor="middle", font_size=14)
    )
    assert release.optimal
    return Drawing(wide, high, "".join(parts), f"Six rows before and after. {said}").svg() + "\n"


def _behind(after: list[dict[str, str]], place: int, rows: list[dict[str, str]]) -> dict[str, str]:
    """Return the original of a released row: of those that it may be the n-th, where n equal rows stand above it."""
    shown = after[place]
    fit = [row for row in rows if all(cell in ("*", row[name]) for name, cell in shown.items())]
    return fit[after[:place].count(shown)]


def _table(names: list[str], rows: list[dict[str, str]], x: float, release: Any) -> list[str]:
    parts = [
        element("text", name, x=x + j * WIDE + 8, y=20.0, fill=paint("muted"), font_weight="bold")
        for j, name in enumerate(names)
    ]
    classes: list[tuple[str, ...]] = []
    for i, row in enumerate(rows):
        key = tuple(row[name] for name in names[:3])
        if key not in classes:
            classes.append(key)
        y = HIGH * (i + 1) + 4
        for j, name in enumerate(names):
            star = row[name] == "*"
            band = "keep" if release is not None and classes.index(key) % 2 == 0 else "grid"
            fill = paint("star") if star else paint(band) if release is not None else "none"
            edge = paint("grid")
            place = {"x": x + j * WIDE, "y": y, "width": WIDE, "height": HIGH}
            parts.append(element("rect", **place, fill=fill, stroke=edge, fill_opacity=1 if star else 0.55))
            ink = "#ffffff" if star else paint("ink")
            parts.append(element("text", "★" if star else row[name], x=x + j * WIDE + 8, y=y + 17.0, fill=ink))
    return parts


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
