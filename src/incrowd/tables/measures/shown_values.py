"""Which values the quasi-identifiers of a release show, and how often: pooled so that no rare value is named."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.tables.measures.nice_bins import Bin, Interval, bins_of, interval_of, number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Column, Expanded


NAMED = 12  # values or ranges a column is told by
AXIS = 40  # ranges that are laid on an axis
FETCHED = 5000  # values of a column that leave the engine, the most frequent ones
STEPS = (0.05, 0.1, 0.2, 0.25, 0.5)  # widths of the bands in which the original's shares are told


@dataclass(frozen=True, slots=True)
class Shown:
    """A value (or range of numbers) that the release shows.

    `label`: the value; None is NULL. `rows`: rows of the release that show it: at least the `least` of `shown_values`.
    `before`: (float, float) or None, band of its share of the rows in the original; None where a band would say too
    much, or a hierarchy's label has no count of its own.
    """

    label: str | None
    rows: int
    before: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """One quasi-identifier after the release.

    `distinct_before`: distinct values of the original (NULL is one). `values`: by falling number of rows; numbers and
    ranges in their order. `pooled_values`, `pooled_rows`: values that are shown beside those, and their rows. Rows
    below `least` are told as 0. `starred`: rows that show a star (or, where stars are written as NULL, a star or NULL).
    `intervals`: the `AXIS` ranges and numbers that most rows show, by their ends; empty where no cell shows a range, or
    where some of these labels are neither ranges nor numbers.
    """

    name: str
    distinct_before: int
    values: tuple[Shown, ...]
    pooled_values: int
    pooled_rows: int
    starred: int
    intervals: tuple[Interval, ...] = ()


def shown_values(
    release: Expanded, context: MeasureContext, *, least: int, ranges: bool = False
) -> tuple[ShownColumn, ...]:
    """Return what each quasi-identifier shows after the release.

    A value is named only where at least `least` rows of the release (2 or more) show it. With `ranges` changed cells
    show ranges, so that their levels do not say which are stars. The context needs its `types`. Values are those of the
    release and their counts are counts of the release. Of the original only the number of distinct values and, for what
    the release names, a band of its share: exact counts beside those of the release would tell by subtraction what a
    star hides. A band is at least four times `least` rows wide, or left out. Where no cell shows an inner level of a
    hierarchy, one GROUP BY per column over the parts, whose time grows with the row types; otherwise one over the rows
    of the release.
    """
    rows = context.rows
    step = next((s for s in STEPS if s * rows >= 4 * least), None)
    return tuple(
        _column(release, context, j, column, least, step, ranges)
        for j, column in enumerate(release.table.quasi_identifiers)
    )


def _column(
    release: Expanded, context: MeasureContext, j: int, column: Column, least: int, step: float | None, ranges: bool
) -> ShownColumn:
    engine, rows = release.table.engine, context.rows
    with engine.guard("counting the values shown"):
        leaves = _leaves(release, j)
        starred, inner = _levels(release, j, context.heights[j])
        inner |= ranges
        shown = _labels(release, column) if inner else leaves.select("value", rows=leaves["shown"])
        if inner and release.star is None:
            shown = shown.filter(shown["value"].notnull())
        shown = shown.filter(shown["rows"] > 0)
        often = shown.filter(shown["rows"] >= least).order_by(ibis.desc("rows"), "value").limit(FETCHED)
        found = [(line["value"], int(line["rows"])) for line in engine.fetch(often).to_pylist()]
        total = engine.one(shown.aggregate(values=shown.count(), rows=shown["rows"].sum()))
        intervals = _intervals(found) if inner else ()
        bins = bins_of(found, most=NAMED, least=least)
        if bins:
            named = [(b.label, b.rows) for b in bins]
            counted = [v for v, _ in found if v is None or number_of(v) is not None]
            before = {} if step is None else _before_ranges(release, leaves, bins)
        else:
            found = _in_order(found[:NAMED])
            named, counted = found, [v for v, _ in found]
            before = {} if step is None else _before_values(release, leaves, counted)
        engine.drop(leaves)
    values = tuple(
        Shown(label, count, _band(before.get(label), rows, step) if label in before else None) for label, count in named
    )
    pooled = int(total["rows"] or 0) - sum(count for _, count in named)
    return ShownColumn(
        name=column.name,
        distinct_before=context.types.sizes[j],
        values=values,
        pooled_values=int(total["values"]) - len(counted),
        pooled_rows=pooled if pooled >= least else 0,
        starred=rows - int(total["rows"] or 0) if inner and release.star is not None else starred,
        intervals=intervals,
    )


def _leaves(release: Expanded, j: int) -> ir.Table:
    """Return per original value its rows, and how many of them show it as it is."""
    parts = release.parts
    size = parts["rows"]
    grouped = parts.group_by(value=release.table.engine.text(parts[f"o{j}"])).aggregate(
        before=size.sum().cast("int64"), shown=ibis.ifelse(parts[f"l{j}"] == 0, size, 0).sum().cast("int64")
    )
    return release.table.engine.keep(grouped)


def _levels(release: Expanded, j: int, top: int) -> tuple[int, bool]:
    """Return the starred rows of a column, and whether any row shows an inner level."""
    parts, level = release.parts, release.parts[f"l{j}"]
    found = release.table.engine.one(
        parts.aggregate(
            star=ibis.ifelse((level == top) & (level > 0), parts["rows"], 0).sum(),
            inner=ibis.ifelse((level > 0) & (level < top), 1, 0).sum(),
        )
    )
    return int(found["star"] or 0), bool(found["inner"])


def _labels(release: Expanded, column: Column) -> ir.Table:
    """Return the cells of the released rows with their number; the star is none."""
    rows = release.rows
    text = release.table.engine.text(rows[column.id])
    counted = rows.group_by(value=text).aggregate(rows=lambda t: t.count())
    if release.star is not None and column.text:
        counted = counted.filter(counted["value"].isnull() | (counted["value"] != release.star))
    return counted


def _intervals(found: list[tuple[Any, int]]) -> tuple[Interval, ...]:
    """Return the most frequent ranges and numbers by their ends; nothing where a label is none, or all are numbers."""
    read = [(interval_of(value), rows) for value, rows in found[: AXIS + 1] if value is not None][:AXIS]
    made = [Interval(*ends, rows) for ends, rows in read if ends is not None]
    if len(made) < len(read) or all(one.low == one.high for one in made):
        return ()
    below, above = -math.inf, math.inf
    return tuple(
        sorted(made, key=lambda one: (below if one.low is None else one.low, above if one.high is None else one.high))
    )


def _in_order(found: list[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """Return numbers by their size, everything else as it comes; NULL last."""
    numbers = {value: number_of(value) for value, _ in found if value is not None}
    if numbers and all(number is not None for number in numbers.values()):
        return sorted(found, key=lambda one: (one[0] is None, numbers.get(one[0])))
    return [*(one for one in found if one[0] is not None), *(one for one in found if one[0] is None)]


def _before_values(release: Expanded, leaves: ir.Table, values: Sequence[Any]) -> dict[Any, int]:
    texts = [v for v in values if v is not None]
    wanted = leaves.filter(leaves["value"].isin(texts) | leaves["value"].isnull())
    found = release.table.engine.fetch(wanted).to_pylist()
    return {line["value"]: int(line["before"]) for line in found if line["value"] in values}


def _before_ranges(release: Expanded, leaves: ir.Table, ranges: Sequence[Bin]) -> dict[str | None, int]:
    """Return the original's rows in the ranges, whether or not the release shows them."""
    number = leaves["value"].try_cast("float64")
    sums = {
        f"b{i}": ibis.ifelse(
            leaves["value"].isnull() if b.low is None else (number >= b.low) & (number < b.high), leaves["before"], 0
        ).sum()
        for i, b in enumerate(ranges)
    }
    found = release.table.engine.one(leaves.aggregate(**sums))
    return {b.label: int(found[f"b{i}"] or 0) for i, b in enumerate(ranges)}


def _band(before: int | None, rows: int, step: float | None) -> tuple[float, float] | None:
    if before is None or step is None:
        return None
    low = min(int(before / rows / step), round(1 / step) - 1)
    return round(low * step, 4), round((low + 1) * step, 4)
