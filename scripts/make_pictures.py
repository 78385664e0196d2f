"""Draw the pictures of the docs: `python scripts/make_pictures.py [--serve]`.

The first picture of the README is of its example as it runs; a test says when it is old. With `--serve`, which needs
Chromium, the demo table is gone through to its release in the app, and three of its pages are kept.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from incrowd.report.drawings import Drawing, element, paint

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
PICTURE = IMAGES / "six-people.svg"
WIDE, HIGH, GAP = 82, 26, 76


def picture() -> str:
    """Return the README's table before and after: stars coloured, the classes of the release in bands."""
    example: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0], example)  # noqa: S102
    table, release = example["table"], example["release"]
    assert release.optimal
    before, after, width = table.to_pylist(), release.table.to_pylist(), WIDE * table.num_columns
    left = [_behind(after, place, before) for place in range(len(after))]
    hidden = sum(cell == "*" for row in after for cell in row.values())
    said = f"{hidden} of {len(after) * 3} cells hidden. No release can hide fewer: proven, and you can recount it."
    wide, high = 20 + 2 * width + GAP, HIGH * (len(after) + 1) + 46
    parts = [
        *_drawn(left, 10, released=False),
        *_drawn(after, 10 + width + GAP, released=True),
        element("text", "→", x=10 + width + GAP / 2, y=90.0, fill=paint("muted"), text_anchor="middle", font_size=26),
        element("text", said, x=wide / 2, y=high - 10.0, fill=paint("ink"), text_anchor="middle", font_size=14),
    ]
    return Drawing(wide, high, "".join(parts), f"Six rows before and after. {said}").svg() + "\n"


def _behind(after: list[dict[str, str]], place: int, rows: list[dict[str, str]]) -> dict[str, str]:
    """Return the original of a released row: of those that it may be the n-th, where n equal rows stand above it."""
    shown = after[place]
    fit = [row for row in rows if all(cell in ("*", row[name]) for name, cell in shown.items())]
    return fit[after[:place].count(shown)]


def _drawn(rows: list[dict[str, str]], x: float, *, released: bool) -> list[str]:
    """Return the elements of a table, whose last column is the sensitive one."""
    parts = [
        element("text", name, x=x + j * WIDE + 8, y=20.0, fill=paint("muted"), font_weight="bold")
        for j, name in enumerate(rows[0])
    ]
    keys = [tuple(row.values())[:-1] for row in rows]
    classes = list(dict.fromkeys(keys))
    for i, row in enumerate(rows):
        band = "grid" if classes.index(keys[i]) % 2 else "keep"
        for j, cell in enumerate(row.values()):
            star, place = cell == "*", {"x": x + j * WIDE, "y": HIGH * (i + 1) + 4}
            fill = paint("star" if star else band) if released else "none"
            box = {**place, "width": WIDE, "height": HIGH, "fill": fill, "stroke": paint("grid")}
            parts.append(element("rect", **box, fill_opacity=1 if star else 0.55))
            ink = "#ffffff" if star else paint("ink")
            parts.append(element("text", "★" if star else cell, x=place["x"] + 8, y=place["y"] + 17.0, fill=ink))
    return parts


def keep_pages() -> None:
    """Go the whole way in the app, and keep what the pages show."""
    sys.path.insert(0, str(ROOT / "tests"))
    from checkers.browser import Browser
    from incrowd.web.server import running
    from web.drive import goes, let_in, whole_way

    size = {"width": 1100, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    with tempfile.TemporaryDirectory() as profile, running() as server:
        browser = Browser(profile)
        browser.call("Emulation.setDeviceMetricsOverride", **size)
        browser.call("Page.navigate", url=server.address)
        let_in(browser, server)
        whole_way(browser, ROOT / "src" / "incrowd" / "data" / "hospital.csv")
        number = next(iter(server.sessions.tables))
        for page in ("columns", "promise", "release"):
            browser.call("Page.navigate", url=f"http://127.0.0.1:{server.port}/tables/{number}/{page}")
            goes(browser, f"/{page}")
            made = browser.call("Page.captureScreenshot", format="png")
            (IMAGES / f"serve-{page}.png").write_bytes(base64.b64decode(made["data"]))
        browser.close()


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    if "--serve" in sys.argv:
        keep_pages()
