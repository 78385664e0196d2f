"""What the cells of a release of ranges stand for: how much of a column's domain lies behind each label.

A range of numbers stands for every number of the table between its ends, a star for the whole column (`docs/tables.md`
says which is shown when).
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.measures.context import counted_once
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int64


@dataclass(frozen=True, slots=True, eq=False)
class Behind:
    """One column of a release of ranges, by the parts of the plan.

    `rows`: (p,) int64, rows of each part. `own`: (p,) int64, rows of the table with the part's own value. `values`:
    (p,) int64, values of the column that the shown cell stands for. `below`: (p,) int64, rows of the table that have
    any of them. `share`: (p,) float64, share of the domain that the cell stands for, 0 where it shows its value: the
    width of a range of numbers over that of the column. `star`: (p,) bool. `size`: values of the column.
    """

    rows: Int64
    own: Int64
    values: Int64
    below: Int64
    share: NDArray[np.float64]
    star: NDArray[np.bool_]
    size: int


@counted_once
def behind(release: Expanded, context: MeasureContext) -> tuple[Behind, ...]:
    """Return what the cells of each quasi-identifier stand for.

    What leaves the engine is one line of integers per part. Time grows with parts times columns.
    """
    types = context.types
    engine = release.table.engine
    with engine.guard("measuring the ranges"):
        parts = engine.fetch(release.parts.select("type", "group", "rows"))
    group = np.unique(parts.column("group").to_numpy(), return_inverse=True)[1]
    rows = parts.column("rows").to_numpy().astype(np.int64)
    codes = types.codes[parts.column("type").to_numpy()]
    lines = context.places or (None,) * len(types.sizes)
    return tuple(
        _column(codes[:, j].astype(np.int64), rows, group, size, line)
        for j, (size, line) in enumerate(zip(types.sizes, lines, strict=True))
    )


def count_stars(release: Expanded) -> tuple[list[int], int]:
    """Return the stars of each quasi-identifier among the released cells, and the rows of stars alone.

    This takes one pass over the rows.
    """
    table, rows = release.table, release.rows
    marks = [(rows[column.id] == release.star).fill_null(False) for column in table.quasi_identifiers]
    full = functools.reduce(operator.and_, marks)
    sums = {f"s{j}": mark.sum() for j, mark in enumerate(marks)}
    with table.engine.guard("counting the stars"):
        found = table.engine.one(rows.aggregate(full=full.sum(), **sums))
    return [int(found[f"s{j}"]) for j in range(len(marks))], int(found["full"])


def _column(codes: Int64, rows: Int64, group: Int64, size: int, line: Int64 | None) -> Behind:
    classes = int(group.max()) + 1
    count = added_up(codes, rows, size)
    pairs = np.unique(group * size + codes)
    alone = np.bincount(pairs // size, minlength=classes) == 1
    values = inside = np.zeros(classes, np.int64)
    share, star = np.zeros(classes), ~alone
    if line is not None:
        at = line[codes]
        low, high = np.full(classes, np.iinfo(np.int64).max), np.zeros(classes, np.int64)
        np.minimum.at(low, group, at)
        np.maximum.at(high, group, at)
        star = (low == 0) & ~alone  # a missing value among the numbers
        numbers = np.sort(line[line > 0])
        order = np.argsort(line, kind="stable")
        total = np.concatenate(([0], np.cumsum(count[order])))
        first, last = np.searchsorted(line[order], low, "left"), np.searchsorted(line[order], high, "right")
        values, inside = (last - first).astype(np.int64), total[last] - total[first]
        span = int(numbers[-1] - numbers[0]) if numbers.size else 0
        share = (high - low) / max(span, 1)
    values = np.where(alone, 1, np.where(star, size, values))
    share = np.where(alone, 0.0, np.where(star, 1.0, share))
    inside = np.where(star, rows.sum(), inside)
    below = np.where(alone[group], count[codes], inside[group])
    return Behind(rows, count[codes], values[group], below, share[group], star[group], size)
