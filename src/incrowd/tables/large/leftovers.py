"""What the greedy in the engine left over: fully suppressed, or repaired here with the groups that are near.

The rows that are left and whole groups make a small problem of their own, which the repair of
`incrowd.tables.solve.greedy` solves as ever; a group is in it whole or not at all, so that all others keep their k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.errors import Infeasible
from incrowd.tables.large.instances import whole
from incrowd.tables.solve.greedy.greedy import finished
from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem, RowTypes

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.sweep import Swept
    from incrowd.tables.large.words import Layout
    from incrowd.tables.values import Int64, Plan

__all__ = ["Settled", "parts_of", "problem_of", "settled"]

# Row types that a repair looks at; groups near one leftover row, and groups that it takes rows from most cheaply.
NEAR_TYPES = 50_000
NEAR = 200


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A whole plan in the engine.

    Attributes
    ----------
    parts : ibis table
        A line a row type and group: words, ``n`` (its rows there), ``group``, ``seq`` and ``cost`` of a row.
    vectors : list of tuple of int
        Level vectors, by ``seq``.
    split : bool
        Whether some row type may lie in several groups.
    groups : int
        Numbers below it are taken.
    """

    parts: ir.Table
    vectors: list[tuple[int, ...]]
    split: bool
    groups: int


def settled(instances: Instances, swept: Swept, watch: Watch) -> Settled:
    """Return the plan in which the rows that were left have their groups.

    Raises Infeasible if the mask holds no full suppression and no place was found (not `proven`).

    Notes
    -----
    Fully suppressed rows cost nothing here. Else fewer than k rows are left (or time was up): at most 50,000 row types
    come out of the engine, those of the groups that it is cheapest to widen or to take rows from.
    """
    problem, engine = instances.problem, instances.engine
    if not swept.left:
        return Settled(swept.parts, swept.vectors, False, swept.groups)
    vectors = list(swept.vectors)
    top = tuple(problem.top)
    if problem.patterns.allows_full_suppression and (problem.outliers == "suppress" or swept.left >= problem.k):
        vectors.append(top)
        shown = instances.priced(instances.under(swept.rest, top), top)
        starred = shown.select(
            *instances.words, "n", group=whole(swept.groups),
            seq=whole(len(vectors) - 1), cost=shown.cost,
        )  # fmt: skip
        with engine.guard("suppressing what is left"):
            every = engine.keep(ibis.union(swept.parts, starred, distinct=False))
        return Settled(every, vectors, False, swept.groups + 1)
    if swept.left >= max(NEAR_TYPES, problem.k):
        raise Infeasible(
            f"no release was found in the time given, though one may exist: {swept.left} rows are in no group under a "
            "mask without full suppression; give it more time, allow full suppression or lower k",
            requirement=f"k={problem.k}", proven=False,
        )  # fmt: skip
    with engine.guard("finding groups for what is left"):
        near = _near(instances, swept)
        taken = swept.parts.semi_join(near, "group") if near is not None else swept.parts
        lines = _fetched(engine, taken, instances.words)
        rest = _fetched(engine, swept.rest, instances.words)
    small, draft = _draft(instances, vectors, lines, rest)
    plan, _ = finished(small, draft, watch)
    with engine.guard("placing what was left"):
        new = engine.put(parts_of(instances.layout, small, plan, vectors, swept.groups))
        kept = swept.parts.limit(0) if near is None else swept.parts.anti_join(near, "group")
        every = engine.keep(ibis.union(kept, new.select(*kept.columns), distinct=False))
    return Settled(every, vectors, True, swept.groups + plan.groups)


def problem_of(every: Problem, layout: Layout, words: list[Int64], counts: Int64) -> tuple[Problem, Int64]:
    """Return the problem of some packed row types alone, and their order in it.

    `every` is the problem of the whole table; its row types are not looked at. `words` are those of distinct row types,
    each (t,), and `counts` their rows, (t,).

    The problem has the levels of the whole table: what costs the same and what comes first does so here too. The order,
    (t,) int64, says which of the row types given is the first, the second, ... of the problem.
    """
    codes = layout.codes(words)
    order = np.lexsort(codes.T[::-1])
    types = RowTypes(np.ascontiguousarray(codes[order]), counts[order], every.types.sizes)
    return (
        Problem(
            types=types, levels=every.levels, patterns=every.patterns, k=every.k, outliers=every.outliers,
            scale=every.scale, columns=every.columns,
        ),
        order,
    )  # fmt: skip


def parts_of(layout: Layout, small: Problem, plan: Plan, vectors: list[tuple[int, ...]], groups: int) -> pa.Table:
    """Return a plan of some row types as lines of `Settled.parts`.

    `small` was made by `problem_of`, and `plan` is one of it. `vectors` grows by the level vectors that are new.
    `groups` is the first number of a group that is free.
    """
    place = {vector: seq for seq, vector in reversed(list(enumerate(vectors)))}
    seqs = []
    for vector in map(tuple, plan.levels.tolist()):
        if vector not in place:
            place[vector] = len(vectors)
            vectors.append(vector)
        seqs.append(place[vector])
    codes = small.types.codes[plan.part_type]
    lines: dict[str, Any] = {f"w{word}": np.zeros(len(codes), np.int64) for word in range(layout.words)}
    cost = np.zeros(len(codes), np.int64)
    for j, level in enumerate(small.levels):
        lines[f"w{layout.place[j][0]}"] += layout.shifted(j)[codes[:, j]]
        cost += level.cost[plan.levels[plan.part_group, j], codes[:, j]]
    lines["n"] = plan.part_rows
    lines["group"] = plan.part_group.astype(np.int64) + groups
    lines["seq"] = np.array(seqs, np.int64)[plan.part_group]
    lines["cost"] = cost
    return pa.table(lines)


def _draft(
    instances: Instances, vectors: list[tuple[int, ...]], lines: dict[str, Int64], rest: dict[str, Int64]
) -> tuple[Problem, PartialPlan]:
    """Return the problem of some groups and the rows that are left, and the draft that the greedy made of it."""
    words = [np.concatenate((lines[name], rest[name])) for name in instances.words]
    counts = np.concatenate((lines["n"], rest["n"]))
    small, order = problem_of(instances.problem, instances.layout, words, counts)
    # groups in the order in which one machine closes them: by pattern, then by their first row type
    groups = np.concatenate((lines["group"], np.full(len(rest["n"]), -1)))[order]
    seqs = np.concatenate((lines["seq"], np.full(len(rest["n"]), -1)))[order]
    costs = np.concatenate((lines["cost"], np.full(len(rest["n"]), -1)))[order]
    used, first = np.unique(groups[groups >= 0], return_index=True)
    inside = np.flatnonzero(groups >= 0)
    first = inside[first]
    turn = np.lexsort((first, seqs[first], costs[first]))
    number = np.empty(used.size, np.int32)
    number[turn] = np.arange(used.size)
    label = np.full(groups.size, -1, np.int32)
    label[inside] = number[np.searchsorted(used, groups[inside])]
    listed = [np.array(vectors[int(seq)], np.int8) for seq in seqs[first][turn]]
    return small, PartialPlan.of(encode(small), label, listed)


def _near(instances: Instances, swept: Swept) -> ir.Table | None:
    """Return the groups that a repair needs to look at, as ``group``; None for all of them."""
    engine, problem, words = instances.engine, instances.problem, instances.words
    told = engine.one(swept.parts.aggregate(t=swept.parts.count()))
    if told["t"] <= NEAR_TYPES:
        return None
    grouped = swept.parts.group_by("group").aggregate(
        size=swept.parts.n.sum().cast("int64"), types=swept.parts.count(), seq=swept.parts.seq.min(),
        each=swept.parts.cost.min(), first=swept.parts.w0.min(),
    )  # fmt: skip
    groups = engine.keep(grouped.filter(grouped.types <= max(NEAR_TYPES // (4 * NEAR), 1)))
    cheap = instances.priced(instances.under(swept.rest.limit(1), problem.top), problem.top)
    top = int(engine.one(cheap.aggregate(c=cheap.cost.max()))["c"])
    delta = whole(top) - groups.each
    picked = [
        groups.filter(groups.size > problem.k)
        .order_by([delta, groups.group])
        .limit(min(problem.k, 2 * NEAR))
        .select("group"),
        grouped.order_by(["types", "group"]).limit(1).select("group"),  # whole, whatever its size: k rows at least
        groups.order_by([delta * groups.size, groups.group]).limit(NEAR).select("group"),
    ]
    named = groups.select("group", "seq", "size", "each", g0="first")
    members = swept.parts.select(*words, "group").semi_join(named, "group")
    one = members.group_by("group").aggregate(w0=members.w0.min()) if len(words) == 1 else None
    if one is not None:
        rows = one.join(named.drop("g0"), "group")
        for left in engine.fetch(swept.rest.order_by(words).limit(NEAR // 20)).to_pylist():
            picked.append(_widened(instances, swept, rows, left).limit(NEAR // 4).select("group"))
    return engine.keep(ibis.union(*picked, distinct=True))


def _widened(instances: Instances, swept: Swept, groups: ir.Table, left: dict[str, int]) -> ir.Table:
    """Return groups by what it costs at least to widen them for a row type that is left."""
    layout, problem = instances.layout, instances.problem
    codes = layout.codes([np.array([left[w]]) for w in instances.words])[0]
    vectors = pa.table(
        {"seq": np.arange(len(swept.vectors), dtype=np.int64)}
        | {f"l{j}": np.array([v[j] for v in swept.vectors], np.int64) for j in range(len(codes))}
    )
    joined = groups.join(instances.engine.put(vectors), "seq")
    each: Any = whole(0)
    for j, level in enumerate(problem.levels):
        word = layout.place[j][0]
        apart = joined[f"w{word}"] ^ left[f"w{word}"]
        alike = [
            ((joined[f"l{j}"] <= at) & ((apart & layout.shown(j, at)) == 0), int(level.cost[at][codes[j]]))
            for at in range(level.height + 1)
        ]
        each = each + ibis.cases(*alike, else_=int(level.cost[-1][codes[j]]))
    cost = (joined["size"] + left["n"]) * each - joined["size"] * joined.each
    return joined.mutate(least=cost).order_by(["least", "group"])


def _fetched(engine: Any, rows: ir.Table, words: list[str]) -> dict[str, Int64]:
    """Return lines of the engine as arrays."""
    found = engine.fetch(rows.order_by(words))
    return {name: found.column(name).to_numpy().astype(np.int64) for name in found.column_names}
