"""What all charts share: their colours, sizes and the few shapes they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.charts.libraries import altair
from incrowd.report.text.characters import visible_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "BAND",
    "COLOURS",
    "GRID",
    "INK",
    "INNER",
    "KEEP",
    "MAIN",
    "MUTED",
    "PAPER",
    "STAR",
    "bars",
    "finished",
    "rows_of",
    "size_label",
]

# every colour is used for one thing, so that a page can put its own (light or dark) in the place of each
INK, MUTED, GRID = "#20262e", "#5b6673", "#dde3ea"
MAIN, BAND = "#2f6fb1", "#8fb4dc"
KEEP, INNER, STAR = "#e4edf6", "#e8b48f", "#c2571f"
PAPER = "#fefefe"
COLOURS = {
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "main": MAIN,
    "band": BAND,
    "keep": KEEP,
    "inner": INNER,
    "star": STAR,
    "paper": PAPER,
}
WIDTH = 380  # pixels, as a phone shows it: text keeps its size there
LINE = 24  # pixels of one bar
LABELS = 150  # pixels of a label before it is cut; the table beside a chart holds it whole


def rows_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows of a chart's table as its data, in characters that can be drawn.

    Each row maps a field to a number or a text. InputError is raised if Altair is not installed.
    """
    return altair().InlineData(values=[visible_in(dict(row)) for row in rows])


def finished(chart: Any, *, width: int = WIDTH, height: int, right: int = 6) -> Any:
    """Return a chart in the style that all charts share, of a given size with all its labels.

    `width` and `height` are those of the chart with its labels, and `right` is the padding on the right, in pixels.
    Readers' fonts may be wider than the one labels are measured by, hence the padding on the left (and `right`).
    InputError is raised if Altair is not installed.
    """
    alt = altair()
    axis = alt.AxisConfig(
        labelColor=INK, titleColor=MUTED, gridColor=GRID, domainColor=MUTED, tickColor=MUTED, labelFontSize=12,
        titleFontSize=12, titleFontWeight="normal", labelLimit=LABELS, titleLimit=width,
    )  # fmt: skip
    # one call: each copies the chart with all its data
    return chart.properties(
        width=width,
        height=height,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        background="transparent",
        padding={"left": 16, "right": right, "top": 16, "bottom": 4},
        config=alt.Config(view=alt.ViewConfig(stroke=None), axis=axis, text=alt.MarkConfig(fontSize=12, color=INK)),
    )


def bars(
    rows: Sequence[Mapping[str, Any]],
    *,
    label: str,
    value: str,
    text: str,
    title: str,
    share: bool = False,
    colour: str = "colour",
) -> Any:
    """Return a chart of horizontal bars, one per row, in the order of the rows.

    The next arguments name fields of the rows: `label` is what the bar is called, `value` its length, `text` the text
    at its end, and `colour` its colour, which is the main colour where a row lacks the field. `title` is that of the
    axis. With `share` the values are shares from 0 to 1, and the axis shows percent.
    """
    alt = altair()
    data = [{colour: MAIN, **row} for row in rows]
    most = max((row[value] for row in data), default=0) or 1
    y = alt.Y(f"{label}:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6, grid=False))
    whole = "datum.value > 1 ? '' : datum.label" if share else "datum.label"
    axis = alt.Axis(format=".0%" if share else "~s", tickCount=4, domain=False, ticks=False, labelExpr=whole)
    x = alt.X(f"{value}:Q", title=title, axis=axis, scale=alt.Scale(domain=[0, most * 1.22], nice=False))
    base = alt.Chart().encode(x=x, y=y)
    drawn = base.mark_bar(height=15, cornerRadiusEnd=2).encode(color=alt.Color(f"{colour}:N", scale=None))
    told = base.mark_text(align="left", dx=4, color=INK).encode(text=f"{text}:N")
    return finished(alt.layer(drawn, told, data=rows_of(data)), height=LINE * len(data) + 46)


def size_label(line: Mapping[str, Any]) -> str:
    """Return a range of class sizes in words: ``5``, or ``5 to 9``.

    The line holds ``from`` and ``to``: the least and the largest size in rows.
    """
    low, high = line["from"], line["to"]
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
