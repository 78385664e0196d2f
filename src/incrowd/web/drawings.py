"""Lines over k."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from incrowd.report.text.words import and_, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 330, 80, 20, 46, 44
TICKS = 4
MOST_MARKS = 40
LINES = ("first", "second", "third")


def curve(lines: Mapping[str, Sequence[tuple[float, float]]], x_title: str, y_title: str) -> Markup | str:
    """Return a drawing of some lines; nothing where no line has a point.

    `lines` has the points of each line by its name, of at most three lines.
    """
    points = [point for line in lines.values() for point in line]
    if not points:
        return ""
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    top = max(y for _, y in points) or 1
    logarithmic = low > 0 and high / low > 20

    def at(x: float) -> float:
        if high == low:
            return (LEFT + WIDTH - RIGHT) / 2
        share = math.log(x / low) / math.log(high / low) if logarithmic else (x - low) / (high - low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def up(y: float) -> float:
        return HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM)

    parts = [*_grid(top, up), *_axis(sorted({x for x, _ in points}), at)]
    for place, (name, line) in enumerate(lines.items()):
        kind = LINES[place % len(LINES)]
        path = " ".join(f"{at(x):.1f},{up(y):.1f}" for x, y in line)
        parts.append(element("polyline", points=path, class_=f"line {kind}"))
        if len(line) <= MOST_MARKS:
            parts += [element("circle", cx=at(x), cy=up(y), r=4, class_=f"mark {kind}") for x, y in line]
        parts.append(
            element("line", x1=LEFT + place * 290, y1=14, x2=LEFT + place * 290 + 26, y2=14, class_=f"line {kind}")
        )
        parts.append(element("text", name, x=LEFT + place * 290 + 34, y=19))
    parts += [
        element("text", x_title, x=WIDTH - RIGHT, y=HEIGHT - 6, text_anchor="end", class_="title"),
        element("text", y_title, x=LEFT - 10, y=TOP - 12, text_anchor="end", class_="title"),
    ]
    said = "; ".join(
        f"{name}: " + ", ".join(f"{x_title} {x:g}: {y:g}" for x, y in line[:MOST_MARKS]) for name, line in lines.items()
    )
    return drawing(WIDTH, HEIGHT, f"{y_title} over {x_title}. {said}.", parts)


def _grid(top: float, up: Callable[[float], float]) -> list[str]:
    step = _step(top)
    parts = []
    for tick in range(int(top / step) + 1):
        y = tick * step
        parts.append(element("line", x1=LEFT, y1=up(y), x2=WIDTH - RIGHT, y2=up(y), class_="grid"))
        parts.append(element("text", f"{y:,g}", x=LEFT - 10, y=up(y) + 5, text_anchor="end", class_="tick"))
    return parts


def _step(top: float) -> float:
    """Return 1, 2 or 5 times a power of ten: the least that leaves at most five lines."""
    power = 10.0 ** math.floor(math.log10(top / TICKS))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power * TICKS >= top * 0.999)


def _axis(values: list[float], at: Callable[[float], float]) -> list[str]:
    parts, last = [], -math.inf
    for x in values:
        if at(x) - last < 34:
            continue
        last = at(x)
        parts.append(element("text", f"{x:g}", x=at(x), y=HEIGHT - BOTTOM + 20, text_anchor="middle", class_="tick"))
    return parts


# A small network with its attackers: nodes pushed apart, neighbours drawn together.
MOST_NODES = 80
SIZE, EDGE = 560.0, 24.0
ROUNDS = 300


def graph(nodes: int, edges: Sequence[tuple[int, int]], chosen: Collection[int]) -> Markup:
    """Return a drawing of a network of at most 80 nodes.

    Each edge is there once, and `chosen` are nodes that stand out.
    """
    at = places(nodes, edges)
    parts = [
        element("line", x1=at[u][0], y1=at[u][1], x2=at[v][0], y2=at[v][1], class_="edge") for u, v in edges
    ]  # fmt: skip
    for node in range(nodes):
        kind = "node chosen" if node in chosen else "node"
        parts.append(element("circle", cx=at[node][0], cy=at[node][1], r=9 if node in chosen else 6, class_=kind))
    said = f"A network of {nodes} nodes and {len(edges)} edges; {len(chosen)} of the nodes, the attackers, stand out."
    return drawing(SIZE, SIZE, said, parts)


def places(nodes: int, edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return a place for every node inside the drawing; the same for the same network.

    References
    ----------
    T. M. J. Fruchterman, E. M. Reingold, "Graph drawing by force-directed placement", Software: Practice and
    Experience 21(11), 1991: every two nodes push one another away, neighbours pull, and steps become smaller.
    """
    if not nodes:
        return []
    turn = 2 * np.pi * np.arange(nodes) / nodes
    at = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (1 + 0.01 * np.arange(nodes)[:, None] / nodes)
    ends = np.array(edges, np.int64).reshape(-1, 2)
    ideal = np.sqrt(4 / nodes)
    for number in range(ROUNDS):
        apart = at[:, None] - at[None]
        far = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        move = (apart * (ideal**2 / far**2)[:, :, None]).sum(axis=1)
        if len(ends):
            along = at[ends[:, 0]] - at[ends[:, 1]]
            pull = along * (np.linalg.norm(along, axis=1, keepdims=True) / ideal)
            np.add.at(move, ends[:, 0], -pull)
            np.add.at(move, ends[:, 1], pull)
        move -= 0.05 * at  # what hangs together with nothing stays near
        long = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        at = at + move / long * np.minimum(long, 0.2 * (1 - number / ROUNDS))
    low, high = at.min(axis=0), at.max(axis=0)
    scaled = (at - low) / np.maximum(high - low, 1e-9)
    return [(float(x), float(y)) for x, y in EDGE + scaled * (SIZE - 2 * EDGE)]


# A map of the stars: which columns are blurred together, and in how many rows.
MOST = 24  # patterns that are drawn; the rest is told in one line
STAR_MAP_WIDTH, HEAD, LINE, LABEL, STAR_MAP_RIGHT = 760, 24, 22, 120, 70
CHARACTERS = 24


def star_map(heights: Mapping[str, int], patterns: Sequence[Mapping[str, Any]], rows: int) -> Markup:
    """Return a drawing with a line for every pattern that the release uses, the most frequent first.

    `heights` has the level of a star by quasi-identifier. Each pattern has ``levels`` by column (those above 0) and
    ``rows``, and `rows` is how many the release has.
    """
    columns = list(heights)
    shown = sorted(patterns, key=lambda one: -one["rows"])[:MOST]
    rest = sum(one["rows"] for one in patterns) - sum(one["rows"] for one in shown)
    cell = (STAR_MAP_WIDTH - LABEL - STAR_MAP_RIGHT) / max(1, len(columns))
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
        STAR_MAP_WIDTH,
        slant + (len(shown) + bool(rest)) * LINE + 6,
        f"Which columns are blurred together. {said}.",
        parts,
    )


# Shares of the rows as bars.
BARS_WIDTH, BARS_LINE, BARS_LABEL, VALUE = 640, 30, 150, 120


def bars(values: Sequence[tuple[str, int]], whole: int, title: str) -> Markup:
    """Return a drawing of parts of a whole.

    `values` are pairs of a label and a number, `whole` is what 100 % is, and the title is for those who do not see the
    drawing.
    """
    room = BARS_WIDTH - BARS_LABEL - VALUE
    parts = []
    for place, (label, number) in enumerate(values):
        y = place * BARS_LINE
        share = number / whole if whole else 0
        parts += [
            element("text", label, x=BARS_LABEL - 10, y=y + 20, text_anchor="end"),
            element("rect", x=BARS_LABEL, y=y + 5, width=max(1.0, share * room), height=BARS_LINE - 10, class_="bar"),
            element(
                "text", f"{number:,} ({percent(share)})", x=BARS_LABEL + share * room + 8, y=y + 20, class_="value"
            ),
        ]
    said = "; ".join(f"{label}: {number:,}" for label, number in values)
    return drawing(BARS_WIDTH, BARS_LINE * max(1, len(values)), f"{title}. {said}.", parts)


# Elements of a drawing, every text and attribute escaped.
def element(name: str, text: str | None = None, **attributes: Any) -> str:
    """Return one element.

    The text inside it is escaped. Among the attributes ``class_`` stands for ``class``, other underscores for hyphens;
    numbers are rounded to a tenth.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(_plain(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{said}/>" if text is None else f"<{name}{said}>{html.escape(text)}</{name}>"


def _plain(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def drawing(width: float, height: float, alternative: str, parts: list[str]) -> Markup:
    """Return a drawing that a page shows as it is.

    `width` and `height` are in its own units; the page scales it. `alternative` is what it shows, for those who do not
    see it, and `parts` are made by `element`.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{html.escape(alternative)}" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 - every part is escaped
