"""Which values the quasi-identifiers of a release show, and how often: pooled so that no rare value is named."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.tables.measures.nice_bins import Bin, bins_of, interval_of, number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Column, Expanded


NAMED = 12  # values or ranges a column is told by
AXIS = 40  # ranges that are laid on an axis
FETCHED = 5000  # values of a column that leave the engine, the most frequent ones
STEPS = (0.05, 0.1, 0.2, 0.25, 0.5)  # widths of the bands in which the original's shares are told


def shown_values(release: Expanded, context: MeasureContext, *, least: int) -> list[dict[str, Any]]:
    """Return what each quasi-identifier shows after the release.

    A value is named only where at least `least` rows of the release (2 or more) show it. Values are those of the
    release and their counts are counts of the release. Of the original only the number of distinct values and, for what
    the release names, a band of its share: exact counts beside those of the release would tell by subtraction what a
    star hides. A band is at least four times `least` rows wide, or left out. Where no cell shows an inner level of a
    hierarchy, one GROUP BY per column over the parts, whose time grows with the row types; otherwise one over the rows
    of the release.

    Every dict has ``name``, ``distinct_before`` (distinct values of the original, NULL is one), ``values`` (by falling
    number of rows; numbers and ranges in their order) with ``label`` (None is NULL), ``rows`` and ``before`` (the band
    of its share in the original; None where a band would say too much, or a hierarchy's label has no count of its own),
    ``pooled_values`` and ``pooled_rows`` (values shown beside those, and their rows, told as 0 below `least`),
    ``starred`` (rows that show a star, or, where stars are written as NULL, a star or NULL), and ``intervals``: the
    `AXIS` ranges and numbers that most rows show, by their ends ``low`` and ``high`` (None where open) with ``rows``;
    none where no cell shows a range, or where some of these labels are neither ranges nor numbers.
    """
    step = next((s for s in STEPS if s * context.rows >= 4 * least), None)
    return [
        _column(release, context, j, column, least, step) for j, column in enumerate(release.table.quasi_identifiers)
    ]


def _column(
    release: Expanded, context: MeasureContext, j: int, column: Column, least: int, step: float | None
) -> dict[str, Any]:
    engine, rows, types = release.table.engine, context.rows, context.problem.types
    with engine.guard("counting the values shown"):
        leaves = _leaves(release, j)
        starred, inner = _levels(release, j, context.problem.top[j])
        inner |= context.ranges
        shown = _labels(release, column) if inner else leaves.select("value", rows=leaves["shown"])
        if inner and release.star is None:
            shown = shown.filter(shown["value"].notnull())
        shown = shown.filter(shown["rows"] > 0)
        often = shown.filter(shown["rows"] >= least).order_by(ibis.desc("rows"), "value").limit(FETCHED)
        found = [(line["value"], int(line["rows"])) for line in engine.fetch(often).to_pylist()]
        total = engine.one(shown.aggregate(values=shown.count(), rows=shown["rows"].sum()))
        bins = bins_of(found, most=NAMED, least=least)
        named = bins or [Bin(value, None, None, count) for value, count in _in_order(found[:NAMED])]
        before = [0] * len(named) if step is None else _before(release, leaves, named)
        engine.drop(leaves)
    told = int(total["rows"] or 0)
    pooled = told - sum(one.rows for one in named)
    return {
        "name": column.name,
        "distinct_before": types.sizes[j],
        "values": [
            {"label": one.label, "rows": one.rows, "before": _band(count, rows, step)}
            for one, count in zip(named, before, strict=True)
        ],
        "pooled_values": int(total["values"]) - len(found if bins else named),
        "pooled_rows": pooled if pooled >= least else 0,
        "starred": rows - told if inner and release.star is not None else starred,
        "intervals": _intervals(found) if inner else [],
    }


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


def _intervals(found: list[tuple[Any, int]]) -> list[dict[str, Any]]:
    """Return the most frequent ranges and numbers by their ends; nothing where a label is none, or all are numbers."""
    read = [(interval_of(value), rows) for value, rows in found[: AXIS + 1] if value is not None][:AXIS]
    made = [(*ends, rows) for ends, rows in read if ends is not None]
    if len(made) < len(read) or all(low == high for low, high, _ in made):
        return []
    below, above = -math.inf, math.inf
    made.sort(key=lambda one: (below if one[0] is None else one[0], above if one[1] is None else one[1]))
    return [{"low": low, "high": high, "rows": rows} for low, high, rows in made]


def _in_order(found: list[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """Return numbers by their size, everything else as it comes; NULL last."""
    numbers = {value: number_of(value) for value, _ in found if value is not None}
    if None in numbers.values():
        numbers = {}
    return sorted(found, key=lambda one: (one[0] is None, numbers.get(one[0], 0)))


def _before(release: Expanded, leaves: ir.Table, named: Sequence[Bin]) -> list[int]:
    """Return the original's rows with each value, or in each range whether or not the release shows them."""
    value = leaves["value"]
    number = value.try_cast("float64")

    def among(one: Bin) -> ir.Value:
        if one.low is not None:
            return (number >= one.low) & (number < one.high)
        return value.isnull() if one.label is None else value == one.label

    sums = {f"b{i}": ibis.ifelse(among(one), leaves["before"], 0).sum() for i, one in enumerate(named)}
    found = release.table.engine.one(leaves.aggregate(**sums)) if sums else {}
    return [int(found[name] or 0) for name in sums]


def _band(before: int, rows: int, step: float | None) -> tuple[float, float] | None:
    """Return the band of a share of the rows; None where none is told, or the original does not have the label."""
    if not before or step is None:
        return None
    low = min(int(before / rows / step), round(1 / step) - 1)
    return round(low * step, 4), round((low + 1) * step, 4)
