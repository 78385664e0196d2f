"""Charts of a release and of a trade-off, each made from facts alone. For pages and notebooks alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from incrowd.report.charts.libraries import altair
from incrowd.report.charts.parts import (
    BAND,
    GRID,
    INK,
    INNER,
    KEEP,
    MAIN,
    MUTED,
    STAR,
    bars,
    finished,
    rows_of,
    size_label,
)
from incrowd.report.text.recoding import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "bounds",
    "classes",
    "column",
    "columns",
    "patterns",
    "separation",
    "tradeoff",
    "value_rows",
    "without",
]

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
