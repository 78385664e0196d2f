"""The per-row bound, recounted from the original table in the engine: queries of the check's own, row types stay there.

Every row lies in an allowed instance that k rows of the table agree with, so it costs at least the cheapest such
instance. That needs no certificate: the table and the policy say it all. Where a star is a NULL that holds of the rows
that miss no value, and the others are counted as nothing [H7].
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.release.groups import Rules


# Level vectors that are looked through for allowed ones, and allowed ones that are asked.
VECTORS, PATTERNS = 1 << 16, 1 << 10
UNKNOWN = (1 << 62) - 1


def recount_per_row(
    engine: Engine, rows: ir.Table, columns: Sequence[str], rules: Rules, *, nulls: bool = False
) -> Fraction | None:
    """Return what the rows of a table cost at least in any release under some rules, None where that is too much work.

    The cost is in the user's units, and also None where some row has no allowed instance that k rows agree with. `rows`
    are the original rows, and `columns` their m quasi-identifiers in the order of the rules. The costs of the rules
    look at no other row, and `nulls` says whether a star is a NULL. It takes one GROUP BY over the rows, and one over
    the row types for each allowed vector that costs less than what is known.
    """
    heights = list(rules.heights().values())
    if math.prod(height + 1 for height in heights) > VECTORS:
        return None
    allows = rules.reading()
    vectors = [v for v in itertools.product(*(range(height + 1) for height in heights)) if allows(v)]
    if len(vectors) > PATTERNS:
        return None
    told = [_told(rules, name) for name in rules.names]
    unit = math.lcm(*(cost.denominator for lines in told for line in lines for cost in line))
    least = [[min(int(line[at] * unit) for line in lines) for at in range(len(lines[0]))] for lines in told]
    floors = {v: sum(each[at] for each, at in zip(least, v, strict=True)) for v in vectors}
    with engine.guard("recounting the bound"):
        types = _types(engine, rows, columns, rules, told, unit, nulls=nulls)
        total, asking = 0, types
        for vector in sorted(vectors, key=lambda v: (floors[v], v)):
            known = asking.best <= floors[vector]
            sums = engine.one(asking.aggregate(open=(~known).sum(), paid=_paid(asking, known)))
            total += int(sums["paid"] or 0)
            if not sums["open"]:
                return Fraction(total, unit)
            before = asking
            asking = _asked(engine, types, before.filter(~known), columns, heights, vector, told, unit, rules)
            if before is not types:
                engine.drop(before)
        sums = engine.one(asking.aggregate(high=asking.best.max(), paid=_paid(asking, asking.best >= 0)))
    if sums["high"] == UNKNOWN:
        return None
    return Fraction(total + int(sums["paid"] or 0), unit)


def _told(rules: Rules, name: str) -> list[list[Fraction]]:
    """Return what every line of a column costs at every level; one line for a column without a hierarchy."""
    if name in rules.hierarchies:
        return [list(line) for line in rules.line_costs(name)]
    return [[Fraction(0), rules.star_cost(name)]]


def _types(
    engine: Engine, rows: ir.Table, columns: Sequence[str], rules: Rules, told: Sequence[Any], unit: int, *, nulls: bool
) -> ir.Table:
    """Return the row types with ``n``, ``best`` (nothing is known yet), labels ``n{j}_{l}`` and costs ``p{j}_{l}``."""
    types = rows.group_by(list(columns)).aggregate(n=lambda lines: lines.count())
    for j, (column, name) in enumerate(zip(columns, rules.names, strict=True)):
        if name not in rules.hierarchies:
            continue
        fitted = rules.hierarchies[name]
        lines = list(fitted.shown())
        number = {label: i for i, label in enumerate(dict.fromkeys(label for line in lines for label in line))}
        placed: dict[str, Any] = {f"leaf{j}": pa.array([line[0] for line in lines], pa.string())}
        for at in range(1, fitted.height + 1):
            if at < fitted.height:
                placed[f"n{j}_{at}"] = pa.array([number[line[at]] for line in lines], pa.int32())
            placed[f"p{j}_{at}"] = pa.array([int(costs[at] * unit) for costs in told[j]], pa.int64())
        ladder = engine.put(pa.table(placed))
        types = types.join(ladder, [engine.text(types[column]).identical_to(ladder[f"leaf{j}"])]).drop(f"leaf{j}")
    best: Any = ibis.literal(str(UNKNOWN)).cast("int64")
    if nulls:
        gap = functools.reduce(operator.or_, (types[column].isnull() for column in columns))
        best = ibis.ifelse(gap, ibis.literal(0).cast("int64"), best)
    return engine.keep(types.mutate(best=best))


def _asked(
    engine: Engine, types: ir.Table, asking: ir.Table, columns: Sequence[str], heights: Sequence[int],
    vector: Sequence[int], told: Sequence[Any], unit: int, rules: Rules,
) -> ir.Table:  # fmt: skip
    """Return the row types that ask with what they cost at least once a vector was looked at."""
    shown = [
        column if at == 0 else f"n{j}_{at}"
        for j, (column, at, height) in enumerate(zip(columns, vector, heights, strict=True))
        if at == 0 or at < height
    ]
    cost: Any = ibis.literal(0)
    for j, at in enumerate(vector):
        if at:
            listed = f"p{j}_{at}" in types.columns
            cost = cost + (asking[f"p{j}_{at}"] if listed else ibis.literal(int(told[j][0][at] * unit)))
    free = rules.outliers == "suppress" and tuple(vector) == tuple(heights)
    keys = {f"key{i}": types[name] for i, name in enumerate(shown)}
    crowds = types.group_by(**keys).aggregate(crowd=types.n.sum()) if shown else types.aggregate(crowd=types.n.sum())
    crowds = crowds.filter(crowds.crowd >= (1 if free else rules.k))
    marked = asking.mutate(cost=cost.cast("int64"))
    on = [marked[name].identical_to(crowds[f"key{i}"]) for i, name in enumerate(shown)] or [ibis.literal(True)]
    joined = marked.left_join(crowds, on)
    best = ibis.ifelse(joined.crowd.notnull() & (joined.cost < joined.best), joined.cost, joined.best)
    return engine.keep(joined.mutate(best=best).select(*asking.columns))


def _paid(asking: ir.Table, which: ir.Value) -> ir.Value:
    """Return the sum of what some row types cost at least, over their rows."""
    each = asking.n.cast("decimal(38, 0)") * ibis.ifelse(which, asking.best, 0).cast("decimal(38, 0)")
    return each.sum().cast("decimal(38, 0)")
