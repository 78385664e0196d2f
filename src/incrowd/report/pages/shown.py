"""What an analyst still sees in a release, and how far analyses are off: two sections of its report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.charts import release, shown
from incrowd.report.pages.page import Block, Figure, Points, Prose, Table
from incrowd.report.text.recoding import words_of
from incrowd.report.text.usefulness import usefulness_points
from incrowd.report.text.words import percent, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["columns_shown", "still_useful"]

MOST_COLUMNS = 24  # columns whose values are drawn
MOST_VALUES = 6  # values a text alternative repeats


def still_useful(facts: Mapping[str, Any]) -> Iterator[Block]:
    """Yield how far analyses of the release are from those of the original; nothing where none was asked.

    The facts hold ``usefulness``, as `incrowd.report.facts.usefulness.rough` makes it, or None.
    """
    found = facts.get("usefulness")
    if found is None:
        return
    yield Points(usefulness_points(found))
    counts, pairs = found["counts"], found["associations"]
    if counts["queries"]:
        rows: list[list[Any]] = [
            ["counts, on average", percent(counts["mean"]), percent(counts["mean_of_noise"])],
            ["counts, half of them by at most", percent(counts["median"]), percent(counts["median_of_noise"])],
            ["counts, by how frequent values are", percent(counts["mean_by_shares"]), percent(counts["mean_of_noise"])],
        ]
        if pairs["pairs"]:
            rows.append(["associations, on average", plain(pairs["mean"]), plain(pairs["mean_of_noise"])])
            rows.append(["associations, at most", plain(pairs["largest"]), plain(pairs["largest_of_noise"])])
        yield Figure.of(
            shown.count_errors(counts), "errors",
            caption="How far random counts are off; the upright line is what another sample of as many people would be",
            alternative=f"Bars: counts are off by {percent(counts['mean'])} on average, half of them by at most "
            f"{percent(counts['median'])}; another sample by {percent(counts['mean_of_noise'])} on average.",
            table=Table("Errors of analyses", ["", "release", "another sample"], rows),
        )  # fmt: skip
    yield Prose(
        "The figures hold the release against the original and are rounded: they are for those who "
        "decide, like the rest of this report. More questions, and models that learn from the release, are asked by "
        "incrowd usefulness."
    )


def columns_shown(facts: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what an analyst sees in each quasi-identifier; the facts are those of a release with its details."""
    least = facts["least_shown"]
    yield Prose(
        f"Values are named where at least {least} rows of the release show them; all others are pooled. Of the "
        "original only the number of distinct values is told, and a rough share of what is named: exact counts "
        "beside those of the release would tell by subtraction what a star hides."
    )
    yield _levels(facts)
    columns = sorted(facts["columns_after"], key=lambda c: -c["starred"])[:MOST_COLUMNS]
    if len(columns) < len(facts["columns_after"]):
        yield Prose(f"The {len(columns)} columns with most stars of {len(facts['columns_after'])} are drawn.")
    for place, column in enumerate(columns):
        if column["intervals"]:
            yield _intervals(column, f"column{place}")
            continue
        lines = release.value_rows(column, facts["rows"])
        if not lines:
            continue
        said = "; ".join(f"{line['label']} {percent(line['share'])}" for line in lines[:MOST_VALUES])
        rows = [[line["label"], line["rows"], percent(line["share"]), band(line["before"])] for line in lines]
        yield Figure.of(
            release.column(column, facts["rows"]), f"column{place}",
            caption=f"{column['name']}: {column['distinct_before']:,} distinct values before",
            alternative=f"Share of rows after the release: {said}.",
            table=Table(column["name"], ["value", "rows after", "share after", "share before (rough)"], rows),
        )  # fmt: skip


def band(before: Any) -> str:
    """Return a band of shares in words.

    `before` holds the least and the greatest share, 0 to 1, or is None.
    """
    return "–" if before is None else f"{before[0]:.0%} to {before[1]:.0%}"


def _levels(facts: Mapping[str, Any]) -> Figure:
    """Return the shares of the cells that are as they were, coarser or stars, by column."""
    lines = shown.level_shares(facts)
    drawn = list(dict.fromkeys(line["column"] for line in lines))
    rest = len(drawn) - shown.MOST_COLUMNS
    some = [f"{line['column']} {line['what']} {percent(line['share'])}" for line in lines[: 2 * MOST_VALUES]]
    coarser = f", {words_of(facts).cell} in between" if any(line["mark"] not in ("", "★") for line in lines) else ""
    more = f" The {rest:,} columns that changed least are in the table alone." if rest > 0 else ""
    return Figure.of(
        shown.levels(facts), "levels",
        caption=f"What the cells of each column show: the value as it was at the left{coarser}, a star at the "
        f"right.{more}",
        alternative=f"Stacked bars, share of rows by column: {'; '.join(some)}.",
        table=Table(
            "Cells by column and level", ["column", "cells show", "rows", "share"],
            [[line["column"], line["what"], line["rows"], percent(line["share"])] for line in lines],
        ),
    )  # fmt: skip


def _intervals(column: Mapping[str, Any], name: str) -> Figure:
    """Return the ranges of a column on an axis."""
    lines = [[_ends(one["low"], one["high"]), one["rows"]] for one in column["intervals"]]
    some = sorted(lines, key=lambda line: -line[1])[:MOST_VALUES]
    return Figure.of(
        shown.intervals(column), name,
        caption=f"{column['name']}: the {len(lines)} ranges and numbers that most rows show, numbers "
        f"in the first line; {column['distinct_before']:,} distinct values before",
        alternative=f"Ranges on an axis, with their rows: {'; '.join(f'{line[0]} {line[1]:,}' for line in some)}.",
        table=Table(column["name"], ["range", "rows after"], lines),
    )  # fmt: skip


def _ends(low: float | None, high: float | None) -> str:
    if low is None:
        return f"up to {high:.10g}"
    if high is None:
        return f"from {low:.10g}"
    return f"{low:.10g}" if low == high else f"{low:.10g} to {high:.10g}"
