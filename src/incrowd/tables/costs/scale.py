"""Costs as integers after one common scale, so that every bound and every proof is exact."""

from __future__ import annotations

import math
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError, count_of
from incrowd.tables.values import Int32, Int64, Levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.protocols import Cost

__all__ = ["MOST", "scaled_levels"]

MOST = 2**62  # half of what 64 bits hold, so that sums of two costs fit too
NONE: Mapping[str, Fraction] = MappingProxyType({})


def scaled_levels(
    cost: Cost, columns: Sequence[str], ups: Sequence[Int32], *, rows: int, weights: Mapping[str, Fraction] = NONE
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every column with integer costs, and their scale.

    The scale is the least common multiple of all denominators: one unit of the user's cost is `scale` of the integers.
    `ups` are the m hierarchies, (h + 1, d) int32 as in `Levels.up`. `rows` counts the rows of the table, as the cost of
    a whole release has to fit in 64 bits too. `weights` are what the costs of a column are multiplied by, at least 0
    and 1 by default.

    Raises PolicyError if ``rows * m * largest scaled cost`` or the scale is 2^62 or more, or if the cost is none:
    negative, above 0 for a value shown as it is (but for a cost with an `offset`), falling with the level, or not the
    same for the same node.

    Notes
    -----
    O(h d) time and memory per column. The fractions are told apart by identity first, so that a cost with few
    objects needs few exact operations.
    """
    tables = [cost.node_costs(column, up) for column, up in zip(columns, ups, strict=True)]
    distinct = []
    for column, table in zip(columns, tables, strict=True):
        weight = weights.get(column, Fraction(1))
        distinct.append({key: f * weight for key, f in {id(f): f for line in table for f in line}.items()})
    fractions = [f for found in distinct for f in found.values()]
    scale = math.lcm(1, *(f.denominator for f in fractions))
    largest = max((abs(f) for f in fractions), default=0)
    if max(scale, rows * len(columns) * largest * scale) >= MOST:
        raise PolicyError(
            "the weights have too many digits or lie too far apart to be added up exactly over "
            f"{count_of(rows, 'row')}; round them"
        )
    levels = []
    for column, up, table, found in zip(columns, ups, tables, distinct, strict=True):
        whole = {key: int(f * scale) for key, f in found.items()}
        scaled = np.array([_line(line, whole) for line in table], np.int64).reshape(up.shape)
        _check(cost, column, up, scaled)
        levels.append(Levels(up, scaled))
    return tuple(levels), scale


def _line(line: Sequence[Fraction], whole: dict[int, int]) -> Int64:
    return np.fromiter((whole[id(f)] for f in line), np.int64, len(line))


def _check(cost: Cost, column: str, up: Int32, scaled: Int64) -> None:
    """Refuse costs that are none; the solvers' bounds rest on these rules."""
    trouble = ""
    if (scaled[0] != 0).any() and not getattr(cost, "offset", False):
        trouble = "a value shown as it is must cost 0"
    elif (np.diff(scaled, axis=0, prepend=0) < 0).any():
        trouble = "costs must not fall with the level"
    else:
        for nodes, costs in zip(up, scaled, strict=True):
            of_node = np.zeros(int(nodes.max(initial=0)) + 1, np.int64)
            of_node[nodes] = costs
            if (of_node[nodes] != costs).any():
                trouble = "equal nodes must have equal costs"
    if trouble:
        raise PolicyError(f"cost {cost.name!r} cannot be used in column {column!r}: {trouble}")
