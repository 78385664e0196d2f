"""A plan that stays in the engine, as the stages after the search read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.values import Int64, Plan

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.large.sweep import Settled
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.table import Table
    from incrowd.tables.values import Problem


def _none() -> Int64:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class CountedPlan(Plan):
    """A plan of which one line a pattern crossed: `levels` holds each vector in use once, and there are no parts.

    `rows`, `pattern_classes`: (p,) int64, rows and classes of each pattern. `total`: its scaled cost, added up in the
    engine.
    """

    rows: Int64 = field(default_factory=_none)
    pattern_classes: Int64 = field(default_factory=_none)
    total: int = 0

    def sizes(self) -> Int64:
        """Return the rows of each pattern."""
        return self.rows

    def cost(self, problem: Problem) -> int:
        """Return the scaled cost."""
        del problem
        return self.total

    def by_pattern(self) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
        """Return level vectors, rows and classes of each."""
        return [tuple(v) for v in self.levels.tolist()], self.rows.tolist(), self.pattern_classes.tolist()


def counted(engine: Engine, plan: Settled) -> CountedPlan:
    """Add a plan up: one line a pattern leaves the engine."""
    lines = plan.parts
    with engine.guard("adding up the plan"):
        grouped = lines.group_by("seq", "group").aggregate(rows=lines.n.sum().cast("int64"))
        each = engine.fetch(grouped.group_by("seq").aggregate(rows=grouped.rows.sum().cast("int64"), g=grouped.count()))
        paid = lines.n.cast("decimal(38, 0)") * lines.cost.cast("decimal(38, 0)")
        total = engine.one(lines.aggregate(total=paid.sum().cast("decimal(38, 0)")))["total"]
    rows: dict[tuple[int, ...], int] = {}
    classes: dict[tuple[int, ...], int] = {}
    for line in sorted(each.to_pylist(), key=lambda one: one["seq"]):
        vector = plan.vectors[int(line["seq"])]
        rows[vector] = rows.get(vector, 0) + int(line["rows"])
        classes[vector] = classes.get(vector, 0) + int(line["g"])
    nothing = np.zeros(0, np.int32)
    return CountedPlan(
        np.array(list(rows), np.int8), nothing, nothing, _none(), np.array(list(rows.values()), np.int64),
        np.array(list(classes.values()), np.int64), int(total),
    )  # fmt: skip


def parts(table: Table, types: PackedTypes, plan: Settled) -> ir.Table:
    """Return the parts of a plan as `Expanded` has them, kept in the engine.

    It takes one join of the plan with the values of the row types and, where types may be split, one sort of their
    parts.
    """
    engine, columns = table.engine, table.quasi_identifiers
    vectors = pa.table(
        {"seq": np.arange(len(plan.vectors), dtype=np.int64)}
        | {f"l{j}": np.array([v[j] for v in plan.vectors], np.int8) for j in range(len(columns))}
    )
    with engine.guard("laying out the plan"):
        lines = plan.parts
        if plan.split:
            stop = lines.n.sum().over(ibis.cumulative_window(group_by=types.words, order_by="group")).cast("int64")
            several = lines.count().over(group_by=types.words) > 1
            lines = lines.mutate(stop=stop, split=several)
        else:
            lines = lines.mutate(stop=lines.n, split=ibis.literal(False))
        joined = lines.join(engine.put(vectors), "seq").join(types.values, types.words)
        originals = {f"o{j}": joined[column.id] for j, column in enumerate(columns)}
        shown = [f"l{j}" for j in range(len(columns))]
        return engine.keep(
            joined.select(
                "type", "group", *shown, "stop", "split", rows=joined.n, start=joined.stop - joined.n, **originals
            )
        )
