"""The cost a policy names, for the columns of one table, as the solvers see it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd import registry
from incrowd.tables.costs.scale import scaled_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.values import Int64, Levels

__all__ = ["cost_levels"]


def cost_levels(
    name: str,
    columns: Sequence[str],
    sizes: Sequence[int],
    *,
    rows: int,
    nodes: Mapping[str, tuple[Hierarchy, Int64]],
    weights: Mapping[str, Fraction],
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale.

    Parameters
    ----------
    name : str
        The cost's name in the registry.
    columns : sequence of str, length m
    sizes : sequence of int, length m
        Distinct values of each column.
    rows : int
    nodes : mapping of str to (Hierarchy, (d,) integer)
        Per column with a hierarchy, that and the line of each value code in it.
    weights : mapping of str to Fraction
        Multiply the cost of a column, whatever the cost; 1 by default.

    Raises
    ------
    PolicyError
        If no cost has this name, or its numbers cannot be added up exactly over the rows.
    """
    kind = registry.load("costs", name)
    given = {"hierarchies": nodes}
    known = {field.name for field in dataclasses.fields(kind)}
    cost = kind(**{option: value for option, value in given.items() if option in known})
    ups = [
        nodes[column][0].ups(nodes[column][1])
        if column in nodes
        else np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
        for column, size in zip(columns, sizes, strict=True)
    ]
    return scaled_levels(cost, columns, ups, rows=rows, weights=weights)
