"""The cost a policy names, for the columns of one table, as the solvers see it."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import registry
from incrowd.tables.costs.numbers import numbers_of
from incrowd.tables.costs.scale import scaled_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.values import Int64, Levels, RowTypes

__all__ = ["cost_levels"]

NONE: Mapping[str, Any] = MappingProxyType({})


def cost_levels(
    name: str,
    columns: Sequence[str],
    sizes: Sequence[int],
    *,
    rows: int,
    nodes: Mapping[str, tuple[Hierarchy, Int64]],
    weights: Mapping[str, Fraction],
    types: RowTypes | None = None,
    numeric: Sequence[str] = (),
    counts: Mapping[str, ColumnCounts] = NONE,
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale.

    `name` is the cost as a policy has it: its name in the registry, with ``:FILE`` where that names a file. `sizes` has
    the number of distinct values of each of the m columns. `nodes` has, per column with a hierarchy, that and the line
    of each value code in it, shape (d,). `weights` multiply the cost of a column, whatever the cost, and are 1 by
    default.

    `types` is for costs that count rows, and `counts` for those that look at other columns of the table. Raises
    PolicyError if no cost has this name, or its numbers cannot be added up exactly over the rows.
    """
    kind = registry.load("costs", name.partition(":")[0])
    given: dict[str, Any] = {"hierarchies": nodes, "counts": counts}
    known = {field.name for field in dataclasses.fields(kind)}
    if "numbers" in known:
        given["numbers"] = {name: numbers_of(name, *nodes[name]) for name in numeric if name in nodes}
    if "rows" in known and types is not None:
        given["rows"] = {
            name: np.bincount(types.codes[:, j], weights=types.counts, minlength=size).astype(np.int64)
            for j, (name, size) in enumerate(zip(columns, sizes, strict=True))
        }
    cost = kind(**{option: value for option, value in given.items() if option in known})
    ups = [
        nodes[column][0].ups(nodes[column][1])
        if column in nodes
        else np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
        for column, size in zip(columns, sizes, strict=True)
    ]
    return scaled_levels(cost, columns, ups, rows=rows, weights=weights)
