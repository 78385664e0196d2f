"""Instances of a pattern in the engine: row types that show the same words under its mask, and what each costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.large.words import Layout
    from incrowd.tables.values import Problem

__all__ = ["Instances", "whole"]


def whole(value: int) -> ir.Value:
    """Return a whole number of 64 bits: an engine gives a plain literal as few bits as it fits into."""
    return ibis.literal(str(value)).cast("int64")


class Instances:
    """What the patterns of a problem show of packed row types.

    Of the problem it takes the levels, patterns and k, not the row types.
    """

    def __init__(self, engine: Engine, problem: Problem, layout: Layout) -> None:
        self.engine = engine
        self.problem = problem
        self.layout = layout
        self.words = [f"w{i}" for i in range(layout.words)]
        self.keys = [f"v{i}" for i in range(layout.words)]
        self._costs: dict[tuple[int, int], ir.Table] = {}

    def under(self, rows: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return row types with what they show under a level vector as ``v0``, ``v1``, ...

        The rows come with words.
        """
        masks = self.layout.masks(vector)
        return rows.mutate(**{v: rows[w] & mask for v, w, mask in zip(self.keys, self.words, masks, strict=True)})

    def crowds(self, rows: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return the instances that at least k rows agree with: keys and ``crowd``, the rows of each.

        The rows come with words and ``n``. It takes one GROUP BY.
        """
        grouped = self.under(rows, vector).group_by(self.keys).aggregate(crowd=lambda t: t.n.sum().cast("int64"))
        return grouped.filter(grouped.crowd >= self.problem.k)

    def priced(self, shown: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return instances with the scaled cost of one row of each as ``cost``.

        `shown` has keys under the vector. There is one join a column whose cost depends on what it shows.
        """
        fixed, joined = 0, shown
        looked_up = []
        for j, (level, at) in enumerate(zip(self.problem.levels, vector, strict=True)):
            told = level.cost[int(at)]
            if told.size == 0 or (told == told[0]).all():
                fixed += int(told[0]) if told.size else 0
                continue
            word = self.layout.place[j][0]
            prices = self._prices(j, int(at))
            key = f"k{j}"
            joined = joined.mutate(**{key: joined[f"v{word}"] & self.layout.shown(j, int(at))})
            joined = joined.join(prices, joined[key] == prices[f"node{j}"]).drop(key, f"node{j}")
            looked_up.append(f"cost{j}")
        total = whole(fixed)
        for name in looked_up:
            total = total + joined[name]
        return joined.mutate(cost=total.cast("int64")).drop(*looked_up)

    def _prices(self, j: int, level: int) -> ir.Table:
        """Return what each node of a column at a level costs: ``node{j}``, its bits in place, and ``cost{j}``."""
        if (j, level) not in self._costs:
            mask = self.layout.shown(j, level)
            nodes, first = np.unique(self.layout.shifted(j) & mask, return_index=True)
            costs = self.problem.levels[j].cost[level][first].astype(np.int64)
            placed = pa.table({f"node{j}": nodes.astype(np.int64), f"cost{j}": costs})
            self._costs[j, level] = self.engine.put(placed)
        return self._costs[j, level]

    def uniform(self, vector: Sequence[int]) -> bool:
        """Return whether every row costs the same under a level vector."""
        each = (level.cost[int(at)] for level, at in zip(self.problem.levels, vector, strict=True))
        return all((told == told[0]).all() for told in each)
