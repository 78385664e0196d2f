"""Charts as SVG inside a page: no script, no request, a page's own light and dark colours, one text alternative."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.report.charts.process import svgs_of
from incrowd.report.charts.release import PALETTE as COLOURS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


NOISE = re.compile(
    r' (?:role|aria-[a-z]+|pointer-events|class|font-family|xmlns:xlink|version|opacity)="[^"]*"'
    r'|<path[^>]*\bd=""[^>]*/>|<path[^>]*d="M0,0h0v0h0Z"[^>]*/>'
)
DECIMALS = re.compile(r"(\d+\.\d)\d+")
SIZE = re.compile(r'<svg[^>]*?width="([\d.]+)" height="([\d.]+)" viewBox="([^"]*)"[^>]*>')


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart that is to be drawn.

    `chart`: vega-Lite, in the house's colours (`incrowd.report.charts.release.PALETTE`): each becomes a CSS variable
    ``--chart-...`` with itself in reserve. `name`: unlike that of every other chart of the page; a word. `alternative`:
    what the chart shows, for those who do not see it.
    """

    chart: dict[str, Any]
    name: str
    alternative: str


def inline_svgs(drawings: Sequence[Drawing]) -> dict[str, str]:
    """Return charts as ``<svg>`` elements by their names.

    The drawings are those of one page, each with a name of its own. InputError is raised if the extra ``report`` is not
    installed, or there is not memory enough to draw; OurBug is raised if the drawing library refuses a chart.
    """
    drawn = svgs_of([drawing.chart for drawing in drawings])
    return {drawing.name: _inline(svg, drawing) for svg, drawing in zip(drawn, drawings, strict=True)}


def _inline(drawn: str, drawing: Drawing) -> str:
    drawn = NOISE.sub("", drawn)
    drawn = re.sub(r' (?:d|transform|x2|y2)="[^"]*"', lambda found: DECIMALS.sub(r"\1", found[0]), drawn)
    drawn = re.sub(r"\b(id=\"|url\(#)", lambda found: f"{found[1]}{drawing.name}-", drawn)
    for word, colour in COLOURS.items():
        drawn = re.sub(f'"{colour}"', f'"var(--chart-{word},{colour})"', drawn, flags=re.IGNORECASE)
    return SIZE.sub(_head(drawing.alternative), drawn, count=1)


def _head(alternative: str) -> Callable[[re.Match[str]], str]:
    def head(found: re.Match[str]) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(alternative)}" '
            f'viewBox="{found[3]}" width="{found[1]}" height="{found[2]}" font-family="system-ui, sans-serif">'
        )

    return head
