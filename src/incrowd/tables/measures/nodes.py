"""How often each node of each hierarchy is shown: what all measures of generalization are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import OurBug

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int64, Levels

__all__ = ["cells_shown", "leaves_below", "rows_below"]


def cells_shown(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Return per quasi-identifier how many rows show each of its values at each level, (h + 1, d) int64.

    Entry ``[l, v]`` of column j: rows of value code v that were released at level l; sums to the rows. Of the release
    only its parts are read, of the context its `types` and `levels`. OurBug is raised if the context knows no row
    types.

    Notes
    -----
    What leaves the engine is one line of small integers per part. Time grows with row types times columns,
    memory with the row types and with levels times values. Measures of the same release share the answer.
    """
    known = context.memo.get("cells_shown")
    if known is None or known[0] is not release.parts:
        known = context.memo["cells_shown"] = (release.parts, _count(release, context))
    return known[1]


def _count(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    if context.types is None:
        raise OurBug("a measure of generalization was asked without the row types. Please report this")
    engine = release.table.engine
    if context.dictionaries:
        return _counted_there(release, context)
    with engine.guard("counting the cells of each level"):
        names = [f"l{j}" for j in range(len(context.levels))]
        parts = engine.fetch(release.parts.select("type", "rows", *names))
    types = parts.column("type").to_numpy()
    rows = parts.column("rows").to_numpy()
    counted = []
    for j, level in enumerate(context.levels):
        height, d = level.up.shape
        place = parts.column(f"l{j}").to_numpy().astype(np.int64) * d + context.types.codes[types, j]
        # sums of whole numbers below 2^53 are exact in floats
        cells = np.bincount(place, weights=rows, minlength=height * d)
        counted.append(cells.astype(np.int64).reshape(height, d))
    return tuple(counted)


def _counted_there(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Count in the engine: one GROUP BY a column over the parts; one line a value and level crosses."""
    engine, parts = release.table.engine, release.parts
    counted = []
    for j, (level, values) in enumerate(zip(context.levels, context.dictionaries, strict=True)):
        with engine.guard("counting the cells of each level"):
            grouped = parts.group_by(f"o{j}", f"l{j}").aggregate(rows=parts["rows"].sum().cast("int64"))
            joined = grouped.join(values, grouped[f"o{j}"].identical_to(values[f"value{j}"]))
            found = engine.fetch(joined.select(code=joined[f"code{j}"], level=joined[f"l{j}"], rows=joined["rows"]))
        cells = np.zeros(level.up.shape, np.int64)
        at = found.column("level").to_numpy(), found.column("code").to_numpy()
        np.add.at(cells, at, found.column("rows").to_numpy())
        counted.append(cells)
    return tuple(counted)


def leaves_below(level: Levels) -> Int64:
    """Count the values of the column's domain that share the node of each value at each level.

    The counts are (h + 1, d) int64 for a column of d values and h levels.
    """
    return _below(level, np.ones(level.up.shape[1], np.int64))


def rows_below(level: Levels, rows: Int64) -> Int64:
    """Return for every level and value code how many rows of the original lie below its node, (h + 1, d).

    `rows`, (d,), holds the rows of each value in the original table.
    """
    return _below(level, rows)


def _below(level: Levels, weights: Int64) -> Int64:
    out = np.empty(level.up.shape, np.int64)
    out[0] = weights  # shown as it is, also in a column that cannot change, whose level 0 is its top
    for l in range(1, level.height + 1):  # noqa: E741 - l is a level everywhere
        _, node = np.unique(level.up[l], return_inverse=True)
        out[l] = np.bincount(node, weights=weights).astype(np.int64)[node]
    return out
