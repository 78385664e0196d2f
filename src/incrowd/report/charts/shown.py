"""Charts of what an analyst still sees: levels by column, ranges on an axis, how far counts are off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, did_you_mean
from incrowd.report.charts.libraries import altair
from incrowd.report.charts.release import GRID, INK, INNER, LINE, MAIN, MUTED, STAR, finished, rows_of
from incrowd.report.text.verdict import words_of
from incrowd.report.text.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST_COLUMNS = 24  # columns whose levels are drawn
ON_COLOUR = "#ffffff"  # the same on light and dark pages
NARROW = 0.06  # a share below which a bar has no room for a mark
THIN = 11  # pixels of a range


def level_shares(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the shares of the rows by column and level: columns by what they lost, levels from the value to the star.

    The facts are those of a release, with ``level_names`` by column where levels have names. Each dict has ``column``,
    ``level``, ``what`` (in words), ``mark``, ``rows``, ``share`` (0 to 1), ``colour`` and ``strength`` (of the colour,
    0 to 1). Levels that no row shows are left out.
    """
    words, total = words_of(facts), facts["rows"] or 1
    stars = {column["name"]: column["suppressed"] for column in facts["stars_per_column"]}
    found: list[tuple[float, list[dict[str, Any]]]] = []
    for column in facts["levels_per_column"]:
        name, rows, starred = column["name"], list(column["rows"]), stars[column["name"]]
        top = max(len(rows) - 1, 1)
        # where the top level may show a range too, only the cells say which are stars
        inner = [*rows[1:-1], *([rows[-1] - starred] if len(rows) > 1 else [])]
        names = facts.get("level_names", {}).get(name, [])
        lines = [{"level": 0, "what": "as it was", "mark": "", "rows": rows[0], "colour": MAIN, "strength": 1.0}]
        for level, count in enumerate(inner, 1):
            called = f": {names[level - 1]}" if level <= len(names) else ""
            lines.append({
                "level": level, "what": f"{words.level(level)}{called}", "mark": words.mark(level), "rows": count,
                "colour": INNER, "strength": round(0.4 + 0.6 * level / len(inner), 2),
            })  # fmt: skip
        lines.append({"level": top, "what": "★", "mark": "★", "rows": starred, "colour": STAR, "strength": 1.0})
        shown = [{"column": name, **line, "share": line["rows"] / total} for line in lines if line["rows"]]
        found.append((sum(line["share"] * line["level"] / top for line in shown), shown))
    found.sort(key=lambda one: -one[0])
    return [line for _, lines in found for line in lines]


def levels(facts: Mapping[str, Any]) -> Any:
    """Draw a bar a column: which share of its cells is as it was, coarser, and a star. Reads ``levels_per_column``.

    The facts are as of `level_shares`.
    """
    alt = altair()
    lines: list[dict[str, Any]] = []
    ends: dict[str, float] = {}
    for line in level_shares(facts):
        begin = ends.get(line["column"], 0.0)
        if line["column"] not in ends and len(ends) == MOST_COLUMNS:
            break
        ends[line["column"]] = end = begin + line["share"]
        wide = line["share"] >= NARROW
        lines.append({
            "column": line["column"], "begin": begin, "end": end, "middle": (begin + end) / 2,
            "mark": line["mark"] if wide else "", "colour": line["colour"], "strength": line["strength"],
            "ink": ON_COLOUR if line["colour"] == STAR else INK,
        })  # fmt: skip
    y = alt.Y("column:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6))
    axis = alt.Axis(format=".0%", tickCount=5, domain=False, ticks=False)
    scale = alt.Scale(domain=[0, 1], nice=False)
    base = alt.Chart().encode(y=y)
    drawn = base.mark_bar(height=17).encode(
        x=alt.X("begin:Q", title="share of rows", axis=axis, scale=scale), x2="end:Q",
        color=alt.Color("colour:N", scale=None), fillOpacity=alt.FillOpacity("strength:Q", scale=None),
    )  # fmt: skip
    marks = base.transform_filter("datum.mark != ''").mark_text()
    marks = marks.encode(x=alt.X("middle:Q", scale=scale), text="mark:N", color=alt.Color("ink:N", scale=None))
    return finished(alt.layer(drawn, marks, data=rows_of(lines)), height=LINE * len(ends) + 46, right=16)


def intervals(shown: Mapping[str, Any]) -> Any:
    """Draw the ranges that a column shows on an axis of its numbers, with their rows. Reads its ``intervals``.

    `shown` is an entry of ``columns_after`` with at least one range.
    """
    alt = altair()
    ends = [end for one in shown["intervals"] for end in (one["low"], one["high"]) if end is not None]
    low, high = min(ends), max(ends)
    wide = (high - low or abs(high) or 1) * 0.04
    first, last = low - wide, high + wide  # an open range reaches as far as the axis
    lines, place = [], 0
    for one in shown["intervals"]:
        single = one["low"] == one["high"]
        place += not single  # numbers that are shown as they are share the first line
        begin = first if one["low"] is None else one["low"] - single * wide / 6
        end = last if one["high"] is None else one["high"] + single * wide / 6
        lines.append({
            "place": 0 if single else place, "begin": begin, "end": end, "text": "" if single else f"{one['rows']:,}",
            "colour": MAIN if single else INNER,
        })  # fmt: skip
    axis = alt.Axis(tickCount=6, format="~s" if high >= 1e5 else "~r", domain=False, ticks=False, gridColor=GRID)
    scale = alt.Scale(domain=[first, last + 3 * wide], nice=False, zero=False)
    base = alt.Chart().encode(y=alt.Y("place:O", title=None, axis=None))
    drawn = base.mark_bar(height=THIN - 5, cornerRadius=2).encode(
        x=alt.X("begin:Q", title="values, with the rows that show each range", axis=axis, scale=scale), x2="end:Q",
        color=alt.Color("colour:N", scale=None),
    )  # fmt: skip
    told = base.mark_text(align="left", dx=4, color=MUTED, fontSize=10)
    told = told.encode(x=alt.X("end:Q", scale=scale), text="text:N")
    return finished(alt.layer(drawn, told, data=rows_of(lines)), height=THIN * (place + 1) + 56, right=24)


def count_errors(counts: Mapping[str, Any]) -> Any:
    """Draw how far random counts are off, each beside what another sample would be off.

    The counts are as of `incrowd.tables.usefulness.figures.CountErrors`.
    """
    alt = altair()
    rows: Sequence[tuple[str, float, float]] = (
        ("half of the time", counts["median"], counts["median_of_noise"]),
        ("on average", counts["mean"], counts["mean_of_noise"]),
        ("knowing frequencies", counts["mean_by_shares"], counts["mean_of_noise"]),
    )
    lines = [
        {"label": label, "error": error, "noise": noise, "text": percent(error), "far": max(error, noise)}
        for label, error, noise in rows
    ]
    most = max(max(error, noise) for _, error, noise in rows) or 1
    y = alt.Y("label:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6))
    axis = alt.Axis(format=".0%", tickCount=4, domain=False, ticks=False)
    scale = alt.Scale(domain=[0, most * 1.22], nice=False)
    base = alt.Chart().encode(y=y)
    error = alt.X("error:Q", title="counts are off by", axis=axis, scale=scale)
    drawn = base.mark_bar(height=15, cornerRadiusEnd=2).encode(x=error, color=alt.value(MAIN))
    noise = base.mark_tick(thickness=4, size=21, color=INK).encode(x=alt.X("noise:Q", scale=scale))
    told = base.mark_text(align="left", dx=7, color=INK).encode(x=alt.X("far:Q", scale=scale), text="text:N")
    return finished(alt.layer(drawn, noise, told, data=rows_of(lines)), height=(LINE + 6) * len(lines) + 46)


# Charts of a release for notebooks: Altair charts, made from the same facts as the report.
CHARTS = ("levels", "classes", "patterns", "columns", "bounds")


class Plots:
    """Charts of one release, each an `altair.Chart` that a notebook shows by itself: ``release.plot()``, or by name.

    `facts` gives the facts of the release with its details; it is called when a chart is made. Every chart is refused
    with an `InputError` where the extra ``report`` is not installed.
    """

    def __init__(self, facts: Callable[[], Mapping[str, Any]]) -> None:
        self._facts = facts

    def __call__(self, name: str = "levels") -> Any:
        """Draw a chart by its name, by default what the cells of each column show.

        `name` is ``levels``, ``classes``, ``patterns``, ``columns`` or ``bounds``. InputError is raised if there is no
        such chart.
        """
        if name not in CHARTS:
            raise InputError(f"there is no chart {name!r}{did_you_mean(name, CHARTS)}; there are {', '.join(CHARTS)}")
        return getattr(self, name)()

    def classes(self) -> Any:
        """Draw rows by the size of the crowd (class) they are in."""
        from incrowd.report.charts import release

        return release.classes(self._facts())

    def patterns(self) -> Any:
        """Draw the patterns in use as a heat map over the columns, with their rows."""
        from incrowd.report.charts import release

        return release.patterns(self._facts())

    def levels(self) -> Any:
        """Draw what the cells of each column show: the value as it was, coarser labels, a star."""
        return levels(self._facts())

    def columns(self, name: str | None = None) -> Any:
        """Draw the share of rows suppressed by column; with a column's `name`, what it still shows.

        InputError is raised if `name` is no quasi-identifier.
        """
        from incrowd.report.charts import release

        facts = self._facts()
        if name is None:
            return release.columns(facts)
        shown = {column["name"]: column for column in facts["columns_after"]}
        if name not in shown:
            raise InputError(f"{name!r} is no quasi-identifier of this release{did_you_mean(name, list(shown))}")
        return release.column(shown[name], facts["rows"])

    def bounds(self) -> Any:
        """Draw the cost of the best release and the proven lower bound while the search ran."""
        from incrowd.report.charts import release

        return release.bounds(self._facts())
