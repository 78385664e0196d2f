"""Lines over k."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from incrowd.web.drawings.svg import drawing, element

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markupsafe import Markup

__all__ = ["curve"]

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
