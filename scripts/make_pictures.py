"""Draw the pictures of the README: `python scripts/make_pictures.py`.

Of its example and of a network as they run: a test says when one is old. The app's: tests/web/test_pictures.py.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import networkx as nx

from incrowd import networks
from incrowd.report.drawings import ON_STAR, Drawing, element, paint, places

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
WIDE, HIGH, GAP = 82, 26, 76


def six_people() -> str:
    """Return the README's table before and after: stars coloured, the classes of the release in bands."""
    example: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", (IMAGES.parents[1] / "README.md").read_text(), re.DOTALL)[0], example)  # noqa: S102
    table, release = example["table"], example["release"]
    before, after, width = table.to_pylist(), release.table.to_pylist(), WIDE * table.num_columns
    left = [_behind(after, place, before) for place in range(len(after))]
    hidden = sum(cell == "*" for row in after for cell in row.values())
    said = f"{hidden} of {len(after) * 3} cells hidden. No release can hide fewer: proven, and you can recount it."
    wide, high = 20 + 2 * width + GAP, HIGH * (len(after) + 1) + 46
    parts = [
        *_drawn(left, 10, released=False),
        *_drawn(after, 10 + width + GAP, released=True),
        element("text", "→", x=10 + width + GAP / 2, y=90.0, fill=paint("muted"), text_anchor="middle", font_size=26),
        _below(said, wide / 2, high - 10.0),
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
            star, at = cell == "*", {"x": x + j * WIDE, "y": HIGH * (i + 1) + 4, "width": WIDE, "height": HIGH}
            fill, ink = paint("star" if star else band) if released else "none", ON_STAR if star else paint("ink")
            parts.append(element("rect", **at, fill=fill, stroke=paint("grid"), fill_opacity=1 if star else 0.55))
            parts.append(element("text", "★" if star else cell, x=at["x"] + 8, y=at["y"] + 17.0, fill=ink))
    return parts


def karate() -> str:
    """Return a network as the attacker sees it who learns least, and as the two see it who learn most together."""
    graph = networks.read(nx.karate_club_graph())
    least = networks.antidimension(graph, show_labels=True)
    pairs = [networks.classes(graph, two) for two in itertools.combinations(range(graph.nodes), 2)]
    most = max(pairs, key=lambda found: found.singled_out)
    said = [
        f"One sees everybody in crowds of {least.k} or more",
        f"Two others tell {most.singled_out} of {graph.nodes - 2} apart",
        "Attackers (black) know how far everybody is from them. In each circle: how many are just as far.",
    ]
    edges, parts = list(nx.karate_club_graph().edges), [_below(said[2], 440.0, 472.0)]
    at = [(round(x * 0.77), round(y * 0.77)) for x, y in places(graph.nodes, edges)]
    for left, found, words in zip((0, 450), (networks.classes(graph, least.witness), most), said, strict=False):
        ends = "".join(f"M{left + at[u][0]} {at[u][1]}L{left + at[v][0]} {at[v][1]}" for u, v in edges)
        parts.append(element("path", d=ends, stroke=paint("muted"), stroke_opacity=0.45))
        for (x, y), number in zip(at, found.class_of, strict=True):
            size = int(found.sizes[number]) if number >= 0 else 0
            fill, ink = ("star", ON_STAR) if size == 1 else ("keep" if size else "ink", paint("ink"))
            parts.append(element("circle", cx=left + x, cy=y, r=11, fill=paint(fill), stroke=paint("muted")))
            parts.append(element("text", f"{size or ''}", x=left + x, y=y + 4, fill=ink, text_anchor="middle"))
        parts.append(_below(words, left + 215.0, 446.0, font_weight="bold"))
    return Drawing(880, 484, "".join(parts), ". ".join(said)).svg() + "\n"


def _below(words: str, x: float, y: float, **more: Any) -> str:
    """Return a line below a picture."""
    return element("text", words, x=x, y=y, fill=paint("ink"), text_anchor="middle", font_size=14, **more)


PICTURES = {"six-people.svg": six_people, "karate.svg": karate}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
