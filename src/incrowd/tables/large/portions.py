"""A plan in the engine, cut into portions that fit in memory; what lies near lies in one portion.

A portion is whole groups, so that whatever becomes of it the others keep their k rows; rows that are fully suppressed
are near what they would show. Where every pattern but full suppression keeps a column (or a level of it) and no value
of what is kept has too many row types, the portions part at these values: a release of the table is then one of each.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.large.instances import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.leftovers import Settled
    from incrowd.tables.values import Problem

__all__ = ["Portions", "joined_up", "portioned", "with_per_row"]

PATTERNS = 4096  # that are looked through for what all of them keep


@dataclass(frozen=True, slots=True, eq=False)
class Portions:
    """The lines of a plan, each in a portion.

    Attributes
    ----------
    lines : ibis table
        As `Settled.parts`, and ``portion``.
    sizes : dict of int to int
        Lines of each portion.
    exact : bool
        Whether no class of any release lies in two portions, but for the fully suppressed rows.
    """

    lines: ir.Table
    sizes: dict[int, int]
    exact: bool


def portioned(instances: Instances, plan: Settled, most: int) -> Portions:
    """Cut a plan into portions.

    The plan is not changed. `most` is the number of lines of a portion, at least 1; it has more by what its last group,
    or value that is kept, has. There is one GROUP BY over the plan, one sort of its groups and two joins.
    """
    engine = instances.engine
    with engine.guard("cutting the plan into portions"):
        lines, exact = _by_what_is_kept(instances, plan, most), True
        if lines is None:
            lines, exact = _by_groups(instances, plan, most), False
        counted = engine.fetch(lines.group_by("portion").aggregate(lines=lines.count()).order_by("portion"))
    return Portions(lines, {int(one["portion"]): int(one["lines"]) for one in counted.to_pylist()}, exact)


def with_per_row(instances: Instances, cut: Portions, least: Floor) -> Portions:
    """Return portions whose lines say as ``best`` what a row of their type costs at least.

    `cut` is forgotten, and `least` comes with prices. It takes one GROUP BY over the row types and one join.
    """
    if least.prices is None:
        raise ValueError("a per-row bound without prices")
    engine, words = instances.engine, instances.words
    with engine.guard("cutting the plan into portions"):
        told = least.prices.table()
        best = told.group_by(words).aggregate(best=told.best.min())
        lines = engine.keep(cut.lines.join(best, words).order_by("portion"))
        engine.drop(cut.lines)
    return dataclasses.replace(cut, lines=lines)


def _by_what_is_kept(instances: Instances, plan: Settled, most: int) -> ir.Table | None:
    """Return the lines in portions that no allowed pattern joins, None where some would be too large."""
    engine, keys = instances.engine, instances.keys
    kept = _reach(instances.problem)
    if kept == tuple(instances.problem.top):
        return None
    shown = instances.under(plan.parts, kept)
    grouped = engine.keep(shown.group_by(keys).aggregate(lines=shown.count()))
    lines = None
    if int(engine.one(grouped.aggregate(most=grouped.lines.max()))["most"]) <= most:
        lines = engine.keep(shown.join(_numbered(grouped, keys, most), keys).drop(*keys).order_by("portion"))
    engine.drop(grouped)
    return lines


def _reach(problem: Problem) -> tuple[int, ...]:
    """Return the highest level of each column in any allowed pattern but full suppression."""
    patterns, top = problem.patterns, tuple(problem.top)
    if not patterns.allows_full_suppression or patterns.count() > PATTERNS:
        return tuple(patterns.reach())
    blocks = patterns.by_cost(problem.floor_costs(), problem.ties())
    others = [vector for block in blocks for vector in map(tuple, block.levels.tolist()) if vector != top]
    return tuple(max(levels) for levels in zip(*others, strict=True)) if others else top


def _by_groups(instances: Instances, plan: Settled, most: int) -> ir.Table:
    """Return the lines in portions of whole groups, those that show like values one after the other."""
    engine, words = instances.engine, instances.words
    near, order = _what_is_shown(instances, plan)
    joined = plan.parts.join(near, "seq")
    shown = {f"b{j}": joined[f"w{instances.layout.place[j][0]}"] & joined[f"m{j}"] for j in order}
    own = {f"u{w}": ibis.ifelse(joined.loose == 1, joined[w], whole(-1)) for w in words}
    joined = joined.mutate(**shown, **own)
    units = ["group", *own]
    least = {name: joined[name].min() for name in shown}
    grouped = joined.group_by(units).aggregate(lines=joined.count(), **least)
    numbered = _numbered(grouped, [*shown, *units], most).select(*units, "portion")
    return engine.keep(joined.join(numbered, units).select(*plan.parts.columns, "portion").order_by("portion"))


def _what_is_shown(instances: Instances, plan: Settled) -> tuple[ir.Table, list[int]]:
    """Return by ``seq`` which bits of each column show (``m{j}``) and whether its rows go one by one (``loose``).

    And the columns, the one that most rows show first.
    """
    engine, layout, top = instances.engine, instances.layout, tuple(instances.problem.top)
    told = engine.fetch(plan.parts.group_by("seq").aggregate(rows=plan.parts.n.sum().cast("int64")))
    rows = np.zeros(len(plan.vectors), np.int64)
    rows[told.column("seq").to_numpy().astype(np.int64)] = told.column("rows").to_numpy().astype(np.int64)
    vectors = np.array(plan.vectors, np.int64).reshape(len(plan.vectors), len(top))
    starred = (rows[:, None] * (vectors == np.array(top))).sum(axis=0)
    order = [int(j) for j in np.argsort(starred, kind="mergesort")]
    loose = [vector == top for vector in map(tuple, vectors.tolist())]
    masks = {
        f"m{j}": np.array([layout.shown(j, 0 if one else int(v[j])) for v, one in zip(vectors, loose, strict=True)])
        for j in order
    }
    lines: dict[str, Any] = {"seq": np.arange(len(vectors)), "loose": np.array(loose, np.int64), **masks}
    return engine.put(pa.table({name: pa.array(each, pa.int64()) for name, each in lines.items()})), order


def _numbered(units: ir.Table, order: Sequence[str], most: int) -> ir.Table:
    """Return units of some ``lines`` with the ``portion`` in which each begins, in an order."""
    before = units.lines.sum().over(ibis.cumulative_window(order_by=list(order))) - units.lines
    return units.mutate(portion=(before // whole(most)).cast("int64")).drop("lines")


def joined_up(instances: Instances, parts: ir.Table, vectors: Sequence[Sequence[int]]) -> ir.Table:
    """Return the lines of a plan, kept, with groups that show the same as one.

    `parts` are as `Settled.parts`, lines of one row type and group perhaps more than one. `vectors` are by ``seq``. It
    takes two GROUP BYs and two joins.
    """
    engine, words, keys = instances.engine, instances.words, instances.keys
    masks = np.array([instances.layout.masks(vector) for vector in vectors], np.int64).reshape(-1, len(words))
    told = {"seq": np.arange(len(vectors))} | {f"m{w}": masks[:, i] for i, w in enumerate(words)}
    joined = parts.join(engine.put(pa.table({name: pa.array(each, pa.int64()) for name, each in told.items()})), "seq")
    joined = joined.mutate(**{v: joined[w] & joined[f"m{w}"] for v, w in zip(keys, words, strict=True)})
    groups = joined.group_by(["seq", *keys]).aggregate(group=joined.group.min())
    named = joined.drop("group").join(groups, ["seq", *keys])
    lines = named.group_by([*words, "group", "seq", "cost"]).aggregate(n=named.n.sum().cast("int64"))
    return engine.keep(lines.select(*parts.columns))
