"""Charts of a release and of a trade-off, each made from facts alone. For pages and notebooks alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from incrowd.report.charts.libraries import altair
from incrowd.report.text.tradeoff import told_cells
from incrowd.report.text.verdict import words_of
from incrowd.report.text.words import visible_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_PATTERNS = 14
CELL = 26
ON_STAR = "#ffffff"  # the same on light and dark pages


def classes(facts: Mapping[str, Any]) -> Any:
    """Draw rows by the size of the crowd they are in. Reads ``class_sizes``.

    The facts are those of a release with its details, or of an audit.
    """
    total = sum(line["rows"] for line in facts["class_sizes"]) or 1
    rows = [
        {"label": size_label(line), "share": line["rows"] / total, "text": f"{line['rows']:,}"}
        for line in facts["class_sizes"]
    ]
    return bars(rows, label="label", value="share", text="text", title="share of rows, by crowd size", share=True)


def columns(facts: Mapping[str, Any]) -> Any:
    """Draw the share of the rows of a release that show a star, by column. Reads ``stars_per_column``."""
    rows = [
        {"label": c["name"], "share": c["fraction"], "text": _percent(c["fraction"]), "colour": STAR}
        for c in sorted(facts["stars_per_column"], key=lambda c: -c["suppressed"])
    ]
    return bars(rows, label="label", value="share", text="text", title="share of rows suppressed", share=True)


def patterns(facts: Mapping[str, Any]) -> Any:
    """Draw the patterns in use as a heat map over the columns, with their rows. Reads ``patterns_used``.

    The facts are those of a release with its details; the 14 most frequent patterns are drawn.
    """
    alt = altair()
    names = list(facts["quasi_identifiers"])
    top = facts.get("levels_top", {})
    used = facts["patterns_used"][:MOST_PATTERNS]
    words = words_of(facts)
    cells = []
    for place, line in enumerate(used):
        for name in names:
            level = line["levels"].get(name, 0)
            star = level > 0 and level >= top.get(name, 1)
            mark = "★" if star else words.mark(level) if level else ""
            colour, ink = (STAR, ON_STAR) if star else (INNER, INK) if level else (KEEP, INK)
            cells.append({"place": place, "column": name, "mark": mark, "colour": colour, "ink": ink})
    told = json.dumps([f"{line['rows']:,}" for line in used])
    base = alt.Chart(rows_of(cells)).encode(
        x=alt.X(
            "column:N", sort=None, title=None,
            axis=alt.Axis(orient="top", labelAngle=-50, domain=False, ticks=False, labelLimit=140),
        ),
        y=alt.Y(
            "place:O", sort=None, title=None,
            axis=alt.Axis(domain=False, ticks=False, labelExpr=f"{told}[datum.value]"),
        ),
    )  # fmt: skip
    squares = base.mark_rect(height=CELL - 3, width={"band": 0.92}).encode(color=alt.Color("colour:N", scale=None))
    stars = base.transform_filter("datum.mark != ''").mark_text(fontSize=13)
    stars = stars.encode(text="mark:N", color=alt.Color("ink:N", scale=None))
    width = max(300, 130 + 42 * len(names))
    return finished(squares + stars, width=width, height=CELL * len(used) + 130, right=50)


def value_rows(shown: Mapping[str, Any], rows: int) -> list[dict[str, Any]]:
    """Return the lines of a column's chart and table: values, what is pooled, and stars.

    `shown` is an entry of ``columns_after``, and `rows` are those of the release, at least 1. A line has ``label``,
    ``share`` (0 to 1), ``rows``, ``before`` (a band of shares, or None) and ``colour``.
    """
    lines = [
        {
            "label": "(empty)" if value["label"] is None else value["label"] or "(blank)",
            "share": value["rows"] / rows,
            "rows": value["rows"],
            "before": value["before"],
            "colour": MAIN,
        }
        for value in shown["values"]
    ]
    if shown["pooled_rows"]:
        count = shown["pooled_values"]
        label = f"({count:,} other value{'' if count == 1 else 's'})"
        share = shown["pooled_rows"] / rows
        lines.append({"label": label, "share": share, "rows": shown["pooled_rows"], "before": None, "colour": BAND})
    if shown["starred"]:
        starred = shown["starred"]
        lines.append({"label": "★", "share": starred / rows, "rows": starred, "before": None, "colour": STAR})
    return lines


def column(shown: Mapping[str, Any], rows: int) -> Any:
    """Draw what one quasi-identifier shows after the release. Reads an entry of ``columns_after``.

    `shown` is that entry, and `rows` are those of the release, at least 1.
    """
    lines = [{**line, "text": _percent(line["share"])} for line in value_rows(shown, rows)]
    return bars(lines, label="label", value="share", text="text", title="share of rows after", share=True)


def separation(columns: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the share of the pairs of rows that differ in a column. Reads ``columns`` of an audit.

    Each of them has ``name`` and ``separation`` (0 to 1, or None).
    """
    rows = [
        {"label": c["name"], "share": c["separation"] or 0, "text": _percent(c["separation"] or 0)} for c in columns
    ]
    return bars(rows, label="label", value="share", text="text", title="share of pairs told apart", share=True)


def without(columns: Sequence[Mapping[str, Any]], now: int) -> Any:
    """Draw the unique rows that stay if one column is left out. Reads ``columns`` of an audit.

    Each of them has ``name`` and ``unique_without`` (rows); `now` is the number of unique rows with all columns.
    """
    rows = [{"label": "(none left out)", "rows": now, "text": f"{now:,}", "colour": STAR}]
    rows += [{"label": c["name"], "rows": c["unique_without"], "text": f"{c['unique_without']:,}"} for c in columns]
    return bars(rows, label="label", value="rows", text="text", title="unique rows")


def bounds(facts: Mapping[str, Any]) -> Any:
    """Draw the cost of the best release and the proven lower bound while the search ran. Reads ``progress``.

    It holds at least one cost or bound.
    """
    lines = []
    for point in facts["progress"]:
        for name, key in (("cost of the best release", "cost"), ("no release costs less", "lower_bound")):
            if point[key] is not None:
                lines.append({"seconds": point["seconds"], "value": point[key], "line": name})
    last = max((line["seconds"] for line in lines), default=0)
    seen = {line["line"] for line in lines}
    for name in seen:  # both lines reach the end
        latest = [line for line in lines if line["line"] == name][-1]
        if latest["seconds"] < last:
            lines.append({**latest, "seconds": last})
    low = min(line["value"] for line in lines)
    return _lines(
        lines, x="seconds", y="value", series="line", names=["cost of the best release", "no release costs less"],
        x_title="seconds", y_title="cost", floor=0 if low < 0.5 * max(line["value"] for line in lines) else None,
        interpolate="step-after", marks=False,
    )  # fmt: skip


def tradeoff(points: Sequence[Mapping[str, Any]], over: str = "k", *, y_title: str = "cost") -> Any:
    """Draw cost and bound over a threshold, a line per solver and per name of ``bound``; reads points of a trade-off.

    Points without a cost or a bound are left out of that line. `over` is the threshold on the axis (``k``, ``l`` or
    ``t``), and `y_title` is what the other axis says.
    """
    lines = [{"at": p[over], "value": p["cost"], "line": p["solver"]} for p in points if p["cost"] is not None]
    names = list(dict.fromkeys(line["line"] for line in lines))
    best: dict[tuple[str, Any], float] = {}
    for p in points:
        if p["lower_bound"] is not None:
            key = (p.get("bound", "no release costs less"), p[over])
            best[key] = max(best.get(key, 0), p["lower_bound"])
    lines += [{"at": at, "value": value, "line": bound} for (bound, at), value in best.items()]
    bounds = list(dict.fromkeys(bound for bound, _ in best)) or ["no release costs less"]
    return _lines(
        lines, x="at", y="value", series="line", names=[*names, *bounds], x_title=over,
        y_title=y_title, floor=0, interpolate="linear", marks=True,
    )  # fmt: skip


def _lines(
    lines: Sequence[Mapping[str, Any]], *, x: str, y: str, series: str, names: Sequence[str], x_title: str,
    y_title: str, floor: float | None, interpolate: Any, marks: bool,
) -> Any:  # fmt: skip
    """Return a chart of lines, each with its own colour, dash and entry in the legend."""
    alt = altair()
    colours = [MAIN, STAR, INK, INNER][: len(names) - 1] if len(names) > 1 else []
    colours += [BAND] * (len(names) - 1 - len(colours)) + [MUTED]
    dashes = [[1, 0], [6, 2], [2, 2], [8, 2, 2, 2]][: max(len(names) - 1, 0)]
    dashes += [[1, 0]] * (len(names) - 1 - len(dashes)) + [[4, 4]]
    legend = alt.Legend(
        title=None, orient="top", direction="vertical", labelColor=INK, labelFontSize=12, labelLimit=320
    )
    scale = alt.Scale(zero=floor == 0, nice=True)
    drawn = alt.Chart(rows_of(lines)).mark_line(interpolate=interpolate, point=marks, strokeWidth=2.2).encode(
        x=alt.X(f"{x}:Q", title=x_title, axis=alt.Axis(tickCount=5, format="~s", gridColor=GRID)),
        y=alt.Y(f"{y}:Q", title=y_title, scale=scale, axis=alt.Axis(tickCount=5, format="~s")),
        color=alt.Color(f"{series}:N", scale=alt.Scale(domain=list(names), range=colours), legend=legend),
        strokeDash=alt.StrokeDash(f"{series}:N", scale=alt.Scale(domain=list(names), range=dashes), legend=legend),
    )  # fmt: skip
    return finished(drawn, height=250)


def _percent(share: float) -> str:
    if share == 0 or 0 < share < 0.001:
        return "<0.1%" if share else "0%"
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


# What all charts share: their colours, sizes and the few shapes they are made of.

# every colour is used for one thing, so that a page can put its own (light or dark) in the place of each
INK, MUTED, GRID = "#20262e", "#5b6673", "#dde3ea"
MAIN, BAND = "#2f6fb1", "#8fb4dc"
KEEP, INNER, STAR = "#e4edf6", "#e8b48f", "#c2571f"
PAPER = "#fefefe"
PALETTE = {
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


# The chart of what releases give away against what they cost, as they are and blunted.
COLOURS = (MAIN, STAR, INK, INNER, BAND)
DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4])


def given_away(lines: Sequence[Mapping[str, Any]], *, x_title: str = "cost") -> Any:
    """Draw cells given away over cost, a line per release and a mark per level of blunting.

    Each of the `lines` has ``line`` (of which release), ``blunt`` (None: as it is), ``cost``, ``claimed_cells`` and
    ``quotient``; they are in the order in which a line is drawn. `x_title` is what the axis of costs says. The chart is
    one of Altair, and InputError is raised if Altair is not installed.
    """
    alt = altair()
    names = list(dict.fromkeys(line["line"] for line in lines))
    rows = [
        {
            "line": line["line"],
            "cost": line["cost"],
            "cells": told_cells(line),
            "blunt": "" if line["blunt"] is None else str(line["blunt"]),
            "order": place,
        }
        for place, line in enumerate(lines)
    ]
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    dashes = [list(DASHES[i % len(DASHES)]) for i in range(len(names))]
    legend = alt.Legend(
        title=None, orient="top", direction="vertical", labelColor=INK, labelFontSize=12, labelLimit=320
    )
    base = alt.Chart().encode(
        x=alt.X("cost:Q", title=x_title, scale=alt.Scale(zero=False, nice=True),
                axis=alt.Axis(tickCount=5, format="~s", gridColor=GRID)),
        y=alt.Y("cells:Q", title="cells given away", scale=alt.Scale(zero=True, nice=True),
                axis=alt.Axis(tickCount=4, format="~s", titlePadding=12)),
        color=alt.Color("line:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
    )  # fmt: skip
    drawn = base.mark_line(strokeWidth=2.2, point=alt.OverlayMarkDef(size=46)).encode(
        strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
        order="order:Q",
    )
    told = base.mark_text(dx=7, dy=-8, align="left").encode(text="blunt:N", color=alt.value(MUTED))
    return finished(alt.layer(drawn, told, data=rows_of(rows)), height=250 + 16 * len(names), right=16)
