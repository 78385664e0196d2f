"""Drawings as SVG for reports, pages and notebooks: bars, lines, a map of stars, ranges, a small network.

No script and no request; every text is escaped. A page puts its own light or dark colours in the place of each colour.
"""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError
from incrowd.report.words import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

COLOURS = {
    "ink": "#20262e", "muted": "#5b6673", "grid": "#dde3ea", "main": "#2f6fb1", "band": "#8fb4dc", "keep": "#e4edf6",
    "inner": "#e8b48f", "star": "#c2571f",
}  # fmt: skip
ON_STAR = "#ffffff"  # the same on light and dark pages
WIDTH = 380  # pixels, as a phone shows it: text keeps its size there
LINE = 24  # pixels of one bar
MOST_LABEL = 22  # characters of a label before it is cut; the table beside a drawing holds it whole
LETTER = 6.7  # pixels of a letter, about: nobody asks the reader's font
DASHES = ("", "6 2", "2 2", "8 2 2 2", "4 4")
MOST_NAMED, LABEL_ROOM = 12, 34  # values of points that an axis names, and pixels between two of them
MOST_MARKS = 40  # points of a line that are marked one by one


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing that a notebook shows by itself, and that is saved as SVG.

    Attributes
    ----------
    width, height : float
        Its size in pixels.
    body : str
        What is drawn, as elements of SVG.
    alternative : str
        What it shows, for those who do not see it.
    """

    width: float
    height: float
    body: str
    alternative: str

    def saying(self, alternative: str) -> Drawing:
        """Return the same drawing with another text alternative."""
        return replace(self, alternative=alternative)

    def __html__(self) -> str:
        """Return the drawing as an element of a page, in the page's own colours where it has any."""
        said = html.escape(visible(self.alternative))
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{said}" '
        size = f'viewBox="0 0 {_plain(self.width)} {_plain(self.height)}" width="{_plain(self.width)}" '
        size += f'height="{_plain(self.height)}" font-family="system-ui, sans-serif" font-size="12"'
        return f"{head}{size}>{self.body}</svg>"

    def svg(self) -> str:
        """Return the drawing as a file of its own: the colours of a light page, on white."""
        paper = element("rect", width="100%", height="100%", fill=ON_STAR)
        whole = replace(self, body=paper + self.body).__html__()
        return re.sub(r"var\(--chart-\w+,(#\w+)\)", r"\1", whole)

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | Path) -> None:
        """Write the drawing as an SVG file, whole or not at all.

        Parameters
        ----------
        path : str or Path
            Where it goes; a file that stands there is replaced.

        Raises
        ------
        InputError
            If the name does not end in ``.svg``, or the file cannot be written.
        """
        if Path(path).suffix.lower() != ".svg":
            raise InputError("a chart is saved as SVG: give a name that ends in .svg")
        write_whole(Path(path), self.svg())


def paint(word: str) -> str:
    """Return a colour by its word: the page's own, with ours in reserve."""
    return f"var(--chart-{word},{COLOURS[word]})"


def element(name: str, said: str | None = None, **attributes: Any) -> str:
    """Return one element of SVG, everything escaped; ``fill_opacity`` stands for ``fill-opacity``."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{told}/>" if said is None else f"<{name}{told}>{html.escape(visible(said))}</{name}>"


def _plain(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def _text(said: str, x: float, y: float, *, colour: str = "ink", anchor: str | None = None, **more: Any) -> str:
    return element("text", said, x=float(x), y=float(y), fill=paint(colour), text_anchor=anchor, **more)


def _cut(label: str) -> str:
    return label if len(label) <= MOST_LABEL else f"{label[: MOST_LABEL - 1]}…"


def _labels(labels: Sequence[str]) -> float:
    """Return the pixels that the longest of some labels takes, as it is cut."""
    return 12 + LETTER * max((len(_cut(label)) for label in labels), default=0)


class Bar(NamedTuple):
    """One bar: its name, its length and the text at its end; `tick` is a value marked beside it."""

    label: str
    value: float
    text: str
    colour: str = "main"
    tick: float | None = None


def bars(rows: Sequence[Bar], title: str) -> Drawing:
    """Return horizontal bars, one a row in their order, above the `title` of what their length says."""
    left, right = _labels([row.label for row in rows]), 10 + LETTER * max((len(row.text) for row in rows), default=0)
    most = max((max(row.value, row.tick or 0) for row in rows), default=0) or 1
    parts = []
    for place, row in enumerate(rows):
        y = place * LINE
        long = max(1.0, row.value / most * (WIDTH - left - right))
        end = long
        parts.append(_text(_cut(row.label), left - 8, y + 16, anchor="end"))
        parts.append(element("rect", x=left, y=y + 4, width=long, height=15, rx=2, fill=paint(row.colour)))
        if row.tick is not None:
            at = row.tick / most * (WIDTH - left - right)
            parts.append(element("rect", x=left + at - 2, y=y + 1, width=4, height=21, fill=paint("ink")))
            end = max(long, at + 2)
        parts.append(_text(row.text, left + end + 5, y + 16))
    parts.append(_text(title, left, LINE * len(rows) + 16, colour="muted"))
    return Drawing(WIDTH, LINE * len(rows) + 24, "".join(parts), title)


class Line(NamedTuple):
    """One line of a drawing: its points in their order, and what is written at each of them."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: str = "main"
    dash: str = ""
    labels: Sequence[str] = ()


def lines(
    drawn: Sequence[Line], x_title: str, y_title: str, *, steps: bool = False, marks: bool = True, zero: bool = True
) -> Drawing:  # fmt: skip
    """Return lines over an axis, a legend above them where there are several.

    An axis whose values span more than a factor of 20 is logarithmic if it has none at 0 or below, the upright one only
    with `steps`. `zero` lets the upright axis begin at 0, and `steps` draws a level up to the next point.
    """
    xs = [x for line in drawn for x, _ in line.points] or [0.0, 1.0]
    ys = [y for line in drawn for _, y in line.points] or [0.0, 1.0]
    named = [line for line in drawn if line.name] if len(drawn) > 1 else []
    top, bottom, left = 26 + 18 * len(named), 40, 64
    height = top + bottom + 190
    across = _Axis(xs, left, WIDTH - 16, zero=False, logarithmic=min(xs) > 0 and max(xs) > 20 * min(xs))
    upward = _Axis(ys, height - bottom, top, zero=zero, logarithmic=steps and min(ys) > 0 and max(ys) > 200 * min(ys))
    parts = []
    for place, line in enumerate(named):
        y = 10 + 18 * place
        parts.append(element("line", x1=left, y1=y, x2=left + 28, y2=y, **_stroke(line)))
        parts.append(_text(line.name, left + 36, y + 4))
    for value in upward.ticks():
        up = upward.at(value)
        parts.append(element("line", x1=left, y1=up, x2=WIDTH - 16, y2=up, stroke=paint("grid")))
        parts.append(_text(_short(value), left - 8, up + 4, colour="muted", anchor="end"))
    last = -math.inf
    for value in sorted(set(xs)) if len(set(xs)) <= MOST_NAMED else across.ticks():
        if across.at(value) - last < LABEL_ROOM:
            continue
        last = across.at(value)
        parts.append(_text(_short(value), across.at(value), height - bottom + 18, colour="muted", anchor="middle"))
    for line in drawn:
        at = [(across.at(x), upward.at(y)) for x, y in line.points]
        path = [
            point for i, (x, y) in enumerate(at) for point in ([(x, at[i - 1][1])] if steps and i else []) + [(x, y)]
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        parts.append(element("polyline", points=points, fill="none", **_stroke(line)))
        if marks and len(at) <= MOST_MARKS:
            parts += [element("circle", cx=x, cy=y, r=3.5, fill=paint(line.colour)) for x, y in at]
        parts += [
            _text(said, x + 6, y - 7, colour="muted") for said, (x, y) in zip(line.labels, at, strict=False) if said
        ]
    parts.append(_text(x_title, WIDTH - 16, height - 4, colour="muted", anchor="end"))
    parts.append(_text(y_title, 4, top - 10, colour="muted"))
    said = "; ".join(
        f"{line.name}: " + ", ".join(f"{x_title} {x:g}: {y:g}" for x, y in line.points[:MOST_MARKS]) for line in drawn
    )
    return Drawing(WIDTH, height, "".join(parts), f"{y_title} over {x_title}. {said}.")


def _stroke(line: Line) -> dict[str, Any]:
    return {"stroke": paint(line.colour), "stroke_width": 2.2, "stroke_dasharray": line.dash or None}


class _Axis:
    """Where values lie between two places, `low` for the least."""

    def __init__(self, values: Sequence[float], low: float, high: float, *, zero: bool, logarithmic: bool) -> None:
        self.low, self.high, self.logarithmic = low, high, logarithmic
        least, most = min(values), max(values)
        if logarithmic:
            self.first, self.last = least, most
            return
        step = _step((most - min(least, 0) if zero else most - least) or abs(most) or 1.0)
        if all(float(value).is_integer() for value in values):
            step = max(step, 1.0)
        self.step = step
        self.first = min(0.0, least) if zero else (math.floor(least / step) * step if most > least else least - step)
        self.last = max(math.ceil(most / step) * step, self.first + step)

    def at(self, value: float) -> float:
        if self.logarithmic:
            share = math.log(value / self.first) / math.log(self.last / self.first)
        else:
            share = (value - self.first) / (self.last - self.first)
        return self.low + share * (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            powers = range(math.ceil(math.log10(self.first)), math.floor(math.log10(self.last)) + 1)
            return [10.0**power for power in powers] if len(powers) > 1 else [self.first, self.last]
        count = round((self.last - self.first) / self.step)
        return [self.first + self.step * tick for tick in range(count + 1)]


def _step(span: float) -> float:
    """Return 1, 2 or 5 times a power of ten: the least that leaves at most five steps."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power * 5 >= span * 0.999)


def _short(value: float) -> str:
    """Return a number as an axis says it: 1,500 as 1.5k."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):.3g}{unit}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


class Cell(NamedTuple):
    """One cell of a map: how it is coloured, and its mark."""

    colour: str
    mark: str = ""


def star_map(names: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]], rest: str = "") -> Drawing:
    """Return a map with a line a pattern and a cell a column; `rest` is written below it."""
    size = 22
    slant = 20 + 5.4 * max((len(_cut(name)) for name in names), default=0)
    left = _labels([label for label, _ in rows])
    cell = min(48.0, max(22.0, (max(WIDTH, 130 + 42 * len(names)) - left) / max(1, len(names))))
    width = left + cell * len(names) + 60
    parts = []
    for place, name in enumerate(names):
        x, y = left + (place + 0.5) * cell, slant - 8
        parts.append(_text(_cut(name), x, y, transform=f"rotate(-50 {x:.1f} {y:.1f})"))
    for line, (label, cells) in enumerate(rows):
        y = slant + line * size
        parts.append(_text(label, left - 8, y + 15, anchor="end"))
        for place, one in enumerate(cells):
            x, told = left + place * cell, {"keep": "kept", "inner": "coarser", "star": "starred"}[one.colour]
            parts.append(
                element("rect", x=x + 1, y=y + 1, width=cell - 2, height=size - 2, fill=paint(one.colour), class_=told)
            )
            if one.mark:
                parts.append(_mark(one, x + cell / 2, y + 15.0))
    if rest:
        parts.append(_text(rest, left, slant + len(rows) * size + 16, colour="muted"))
    return Drawing(width, slant + len(rows) * size + (24 if rest else 4), "".join(parts), rest)


class Piece(NamedTuple):
    """A piece of a stacked bar: its share of the whole, colour, strength of it (0 to 1) and mark."""

    share: float
    colour: str
    strength: float = 1.0
    mark: str = ""


def _mark(of: Cell | Piece, x: float, y: float) -> str:
    ink = ON_STAR if of.colour == "star" else paint("ink")
    return element("text", of.mark, x=x, y=y, fill=ink, text_anchor="middle")


def stacked(rows: Sequence[tuple[str, Sequence[Piece]]], title: str) -> Drawing:
    """Return a bar a row, each cut into pieces of one whole; a piece too narrow for its mark has none."""
    left = _labels([label for label, _ in rows])
    whole, parts = WIDTH - left - 8, []
    for place, (label, pieces) in enumerate(rows):
        x, y = left, place * LINE
        parts.append(_text(_cut(label), left - 8, y + 16, anchor="end"))
        for piece in pieces:
            wide = piece.share * whole
            parts.append(
                element(
                    "rect", x=x, y=y + 3, width=wide, height=17, fill=paint(piece.colour), fill_opacity=piece.strength
                )
            )
            if piece.mark and wide >= 6 + LETTER * len(piece.mark):
                parts.append(_mark(piece, x + wide / 2, y + 16.0))
            x += wide
    y = LINE * len(rows) + 16
    for share in (0, 0.25, 0.5, 0.75, 1):
        anchor = "end" if share == 1 else "middle" if share else "start"
        parts.append(_text(f"{share:.0%}", left + share * whole, y, colour="muted", anchor=anchor))
    parts.append(_text(title, left, y + 18, colour="muted"))
    return Drawing(WIDTH, y + 26, "".join(parts), title)


class Span(NamedTuple):
    """A range on the axis, in a line of its own; None at an end: it is open there."""

    low: float | None
    high: float | None
    text: str = ""
    colour: str = "inner"


def ranges(spans: Sequence[Span], title: str) -> Drawing:
    """Return ranges on an axis of numbers; single numbers share the first line. At least one end is a number."""
    ends = [end for one in spans for end in (one.low, one.high) if end is not None]
    axis = _Axis(
        [*ends, max(ends) + ((max(ends) - min(ends)) or 1) * 0.04], 12, WIDTH - 60, zero=False, logarithmic=False
    )
    thin, place, parts = 11, 0, []
    bottom = thin * (1 + sum(one.low != one.high or one.low is None for one in spans))
    for value in axis.ticks():
        x = axis.at(value)
        parts.append(element("line", x1=x, y1=0, x2=x, y2=bottom, stroke=paint("grid")))
        parts.append(_text(_short(value), x, bottom + 16, colour="muted", anchor="middle"))
    for one in spans:
        single = one.low is not None and one.low == one.high
        place += not single
        begin = 4.0 if one.low is None else axis.at(one.low) - 2 * single
        end = WIDTH - 52.0 if one.high is None else axis.at(one.high) + 2 * single
        y = 3 + thin * (0 if single else place)
        parts.append(element("rect", x=begin, y=y, width=max(end - begin, 1.0), height=6, rx=2, fill=paint(one.colour)))
        if one.text:
            parts.append(_text(one.text, end + 4, y + 7, colour="muted", font_size=10))
    parts.append(_text(title, 12, bottom + 34, colour="muted"))
    return Drawing(WIDTH, bottom + 42, "".join(parts), title)


# A small network with its attackers: nodes pushed apart, neighbours drawn together.
MOST_NODES = 80
SIZE, EDGE = 560.0, 24.0
ROUNDS = 300


def graph(nodes: int, edges: Sequence[tuple[int, int]], chosen: Collection[int]) -> Drawing:
    """Return a network of at most 80 nodes, `chosen` ones standing out; `edges` has each edge once."""
    at = places(nodes, edges)
    parts = [
        element("line", x1=at[u][0], y1=at[u][1], x2=at[v][0], y2=at[v][1], stroke=paint("muted"), stroke_width=1.2)
        for u, v in edges
    ]
    for node, (x, y) in enumerate(at):
        word, fill, line, r = ("node chosen", "star", "ink", 9) if node in chosen else ("node", "keep", "muted", 6)
        own: dict[str, Any] = {"stroke": paint(line), "stroke_width": 1.5, "class_": word}
        parts.append(element("circle", cx=x, cy=y, r=r, fill=paint(fill), **own))
    said = f"A network of {nodes} nodes and {len(edges)} edges; {len(chosen)} of the nodes, the attackers, stand out."
    return Drawing(SIZE, SIZE, "".join(parts), said)


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
        between = at[:, None] - at[None]
        far = np.maximum(np.linalg.norm(between, axis=2), 1e-3)
        move = (between * (ideal**2 / far**2)[:, :, None]).sum(axis=1)
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
