"""The greedy in the engine: one GROUP BY a pattern over packed row types, and none of them crosses.

Closes the same instances in the same order as `incrowd.tables.solve.shared.pattern_scan` (docs/papers/pattern-guided.md
says why, a line a lemma); where a pattern's instances cost differently, each waits for the turn of its cost.
"""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.errors import Infeasible
from incrowd.progress import Cut, Watch
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.types import whole
from incrowd.tables.solve.greedy.greedy import finished
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem, RowTypes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import ibis.expr.types as ir

    from incrowd.tables.large.types import Instances, PackedTypes
    from incrowd.tables.large.words import Layout
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock, Plan

# Costs of one pattern's instances that are told apart; more are rounded up to so many.
TURNS = 200
# Patterns that are walked through; where a mask has more, what is left over is finished by coarser means.
PATTERNS = 4096


@dataclass(order=True)
class Turn:
    """Instances of one pattern that wait for those which cost less."""

    cost: int
    seq: int
    vector: tuple[int, ...] = field(compare=False)
    waiting: ir.Table = field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """What the greedy closed, in the engine.

    `parts`: a line a row type in a class: words, ``n``, ``group``, ``seq`` (its place in `vectors`) and ``cost`` of a
    row. `rest`: words and ``n`` of the row types in no class. `left`: their rows. `vectors`: level vectors. `groups`:
    numbers below it are taken. `cut_short`: whether it was stopped.
    """

    parts: ir.Table
    rest: ir.Table
    left: int
    vectors: list[tuple[int, ...]]
    classes: int
    notes: tuple[str, ...]
    cut_short: bool


def sweep(types: PackedTypes, instances: Instances, rows: int, watch: Watch) -> Swept:
    """Go through the patterns, cheapest first, and close every crowd among the rows that are left.

    `instances` are those of the problem to solve, and `rows` is the number of rows of the table. `watch` ends it within
    two seconds, inside a query too; what was closed by then stands. A pattern takes one GROUP BY over the row types
    that are left and, where it closes some, two joins. Memory is the engine's own, which puts on disk what is beyond
    it.
    """
    problem = instances.problem
    one = Sweep(types, instances, rows, watch)
    blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
    cut_short = one.run(blocks)
    notes = [] if one.complete else [f"the {one.seen} cheapest patterns of the mask"]
    if one.banded:
        notes.append(f"costs within a pattern told apart by {TURNS} steps")
    return Swept(one.done.table(), one.live, one.left, one.vectors, one.classes, tuple(notes), cut_short)


class Sweep:
    """The row types that still look for a crowd, and those that found one."""

    def __init__(self, types: PackedTypes, instances: Instances, rows: int, watch: Watch) -> None:
        self.engine = types.engine
        self.instances = instances
        self.watch = watch
        self.k = instances.problem.k
        self.live = self.engine.keep(types.rows.select(*types.words, "n"))
        self.left = rows
        self.classes = 0
        self.cost = 0
        self.seen = 0
        self.complete = True
        self.banded = False
        self.vectors: list[tuple[int, ...]] = []
        self.done = Pieces(self.engine, self._nothing())
        self._turns: list[Turn] = []

    def run(self, blocks: Iterable[PatternBlock]) -> bool:
        """Go through patterns by increasing floor cost; return whether it was stopped before all were seen."""
        try:
            with self.engine.stoppable(self.watch), self.engine.guard("solving in the table engine"):
                for vector, floor in _one_by_one(blocks):
                    if self.watch.stopped:
                        return True
                    self._take_turns(floor)
                    if self.left < self.k:
                        return False
                    if self.seen >= PATTERNS:
                        self.complete = False
                        break
                    self._look(vector, floor)
                    self.watch.report("solve", patterns=self.seen, cost=self.cost, rows_left=self.left)
                self._take_turns(None)
        except Cut:
            return True
        return False

    def _nothing(self) -> ir.Table:
        none = self.live.limit(0)
        return none.mutate(group=whole(0), seq=whole(0), cost=whole(0))

    def _look(self, vector: tuple[int, ...], floor: int) -> None:
        """Close the crowds of a pattern that cost its floor; the others get in line."""
        seq = len(self.vectors)
        self.vectors.append(vector)
        self.seen += 1
        crowds = self.instances.crowds(self.live, vector)
        if self.instances.uniform(vector):
            self._close(crowds.mutate(cost=whole(floor)), vector, seq)
            return
        priced = self.engine.keep(self.instances.priced(crowds, vector).drop("crowd"))
        told = self.engine.one(priced.aggregate(low=priced.cost.min(), high=priced.cost.max(), d=priced.cost.nunique()))
        if told["d"] == 0:
            self.engine.drop(priced)
            return
        turn = priced.cost
        if told["d"] > TURNS:
            self.banded = True
            step = -(-(int(told["high"]) - int(told["low"])) // TURNS)
            turn = (((priced.cost - int(told["low"]) + step - 1) // step) * step + int(told["low"])).cast("int64")
        waiting = priced.mutate(turn=turn)
        costs = self.engine.fetch(waiting.select("turn").distinct()).column("turn").to_pylist()
        for cost in sorted(costs):
            heapq.heappush(self._turns, Turn(int(cost), seq, vector, waiting))
        self._take_turns(floor)

    def _take_turns(self, up_to: int | None) -> None:
        """Close waiting instances that cost at most `up_to` (None: all of them)."""
        while self._turns and (up_to is None or self._turns[0].cost <= up_to):
            if self.watch.stopped:
                raise Cut
            turn = heapq.heappop(self._turns)
            if self.left < self.k:
                continue
            wanted = turn.waiting.filter(turn.waiting.turn == turn.cost).drop("turn")
            here = self.instances.under(self.live, turn.vector)
            there = here.join(wanted, self.instances.keys)
            crowds = there.group_by([*self.instances.keys, "cost"]).aggregate(crowd=there.n.sum().cast("int64"))
            self._close(crowds.filter(crowds.crowd >= self.k), turn.vector, turn.seq)

    def _close(self, crowds: ir.Table, vector: tuple[int, ...], seq: int) -> None:
        """Make classes of instances: keys, ``crowd`` and ``cost``."""
        engine, keys = self.engine, self.instances.keys
        number = whole(self.classes) + ibis.row_number()
        chosen = engine.keep(crowds.mutate(group=number))
        told = engine.one(
            chosen.aggregate(
                g=chosen.count(),
                rows=chosen.crowd.sum(),
                cost=(chosen.crowd * chosen.cost).sum().cast("decimal(38, 0)"),
            )
        )
        if told["g"]:
            here = self.instances.under(self.live, vector)
            words = self.instances.words
            taken = here.join(chosen.drop("crowd"), keys)
            new = engine.keep(taken.select(*words, "n", "group", seq=whole(seq), cost=taken.cost))
            left = engine.keep(here.anti_join(chosen, keys).select(*words, "n"))
            self.classes += int(told["g"])
            self.left -= int(told["rows"])
            self.cost += int(told["cost"])
            before, self.live = self.live, left  # whatever is cut from here on, what was closed is closed
            self.done.add(new)
            engine.drop(before)
        engine.drop(chosen)


def _one_by_one(blocks: Iterable[PatternBlock]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the patterns of some blocks with their floor costs."""
    pairs = (zip(block.levels.tolist(), block.costs.tolist(), strict=True) for block in blocks)
    for vector, cost in itertools.chain.from_iterable(pairs):
        yield tuple(vector), int(cost)


# What the greedy in the engine left over: fully suppressed, or repaired here with the classes that are near.
#
# The rows that are left and whole classes make a small problem of their own, which the repair of
# `incrowd.tables.solve.greedy` solves as ever; a class is in it whole or not at all, so that all others keep their k.

# Row types that a repair looks at; classes near one leftover row, and classes that it takes rows from most cheaply.
NEAR_TYPES = 50_000
NEAR = 200


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A whole plan in the engine.

    `parts`: a line a row type and class: words, ``n`` (its rows there), ``group``, ``seq`` and ``cost`` of a row.
    `vectors`: level vectors, by ``seq``. `split`: whether some row type may lie in several classes. `groups`: numbers
    below it are taken.
    """

    parts: ir.Table
    vectors: list[tuple[int, ...]]
    split: bool
    classes: int


def settled(instances: Instances, swept: Swept, watch: Watch) -> Settled:
    """Return the plan in which the rows that were left have their classes.

    Raises Infeasible if the mask holds no full suppression and no place was found (not `proven`). Fully suppressed rows
    cost nothing here. Else fewer than k rows are left (or time was up): at most 50,000 row types come out of the
    engine, those of the classes that it is cheapest to widen or to take rows from.
    """
    problem, engine = instances.problem, instances.engine
    if not swept.left:
        return Settled(swept.parts, swept.vectors, False, swept.classes)
    vectors = list(swept.vectors)
    top = tuple(problem.top)
    if problem.patterns.allows_full_suppression and (problem.outliers == "suppress" or swept.left >= problem.k):
        vectors.append(top)
        shown = instances.priced(instances.under(swept.rest, top), top)
        starred = shown.select(
            *instances.words, "n", group=whole(swept.classes),
            seq=whole(len(vectors) - 1), cost=shown.cost,
        )  # fmt: skip
        with engine.guard("suppressing what is left"):
            every = engine.keep(ibis.union(swept.parts, starred, distinct=False))
        return Settled(every, vectors, False, swept.classes + 1)
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
    small, label, listed = _draft(instances, vectors, lines, rest)
    plan, _ = finished(small, encode(small), label, listed, watch)
    with engine.guard("placing what was left"):
        new = engine.put(parts_of(instances.layout, small, plan, vectors, swept.classes))
        kept = swept.parts.limit(0) if near is None else swept.parts.anti_join(near, "group")
        every = engine.keep(ibis.union(kept, new.select(*kept.columns), distinct=False))
    return Settled(every, vectors, True, swept.classes + plan.classes)


def problem_of(every: Problem, layout: Layout, words: list[Int64], counts: Int64) -> tuple[Problem, Int64]:
    """Return the problem of some packed row types alone, and their order in it.

    `every` is the problem of the whole table; its row types are not looked at. `words` are those of distinct row types,
    each (t,), and `counts` their rows, (t,). The problem has the levels of the whole table: what costs the same and
    what comes first does so here too. The order, (t,) int64, says which of the row types given is the first, the
    second, ... of the problem.
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


def parts_of(layout: Layout, small: Problem, plan: Plan, vectors: list[tuple[int, ...]], classes: int) -> pa.Table:
    """Return a plan of some row types as lines of `Settled.parts`.

    `small` was made by `problem_of`, and `plan` is one of it. `vectors` grows by the level vectors that are new.
    `classes` is the first number of a class that is free.
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
        cost += level.cost[plan.levels[plan.part_class, j], codes[:, j]]
    lines["n"] = plan.part_rows
    lines["group"] = plan.part_class.astype(np.int64) + classes
    lines["seq"] = np.array(seqs, np.int64)[plan.part_class]
    lines["cost"] = cost
    return pa.table(lines)


def _draft(
    instances: Instances, vectors: list[tuple[int, ...]], lines: dict[str, Int64], rest: dict[str, Int64]
) -> tuple[Problem, Int32, list[Int8]]:
    """Return the problem of some classes and the rows that are left, each type's class (-1: none), and vectors."""
    words = [np.concatenate((lines[name], rest[name])) for name in instances.words]
    counts = np.concatenate((lines["n"], rest["n"]))
    small, order = problem_of(instances.problem, instances.layout, words, counts)
    # classes in the order in which one machine closes them: by pattern, then by their first row type
    classes = np.concatenate((lines["group"], np.full(len(rest["n"]), -1)))[order]
    seqs = np.concatenate((lines["seq"], np.full(len(rest["n"]), -1)))[order]
    costs = np.concatenate((lines["cost"], np.full(len(rest["n"]), -1)))[order]
    used, first = np.unique(classes[classes >= 0], return_index=True)
    inside = np.flatnonzero(classes >= 0)
    first = inside[first]
    turn = np.lexsort((first, seqs[first], costs[first]))
    number = np.empty(used.size, np.int32)
    number[turn] = np.arange(used.size)
    label = np.full(classes.size, -1, np.int32)
    label[inside] = number[np.searchsorted(used, classes[inside])]
    listed = [np.array(vectors[int(seq)], np.int8) for seq in seqs[first][turn]]
    return small, label, listed


def _near(instances: Instances, swept: Swept) -> ir.Table | None:
    """Return the classes that a repair needs to look at, as ``group``; None for all of them."""
    engine, problem, words = instances.engine, instances.problem, instances.words
    told = engine.one(swept.parts.aggregate(t=swept.parts.count()))
    if told["t"] <= NEAR_TYPES:
        return None
    grouped = swept.parts.group_by("group").aggregate(
        size=swept.parts.n.sum().cast("int64"), types=swept.parts.count(), seq=swept.parts.seq.min(),
        each=swept.parts.cost.min(), first=swept.parts.w0.min(),
    )  # fmt: skip
    classes = engine.keep(grouped.filter(grouped.types <= max(NEAR_TYPES // (4 * NEAR), 1)))
    cheap = instances.priced(instances.under(swept.rest.limit(1), problem.top), problem.top)
    top = int(engine.one(cheap.aggregate(c=cheap.cost.max()))["c"])
    delta = whole(top) - classes.each
    picked = [
        classes.filter(classes.size > problem.k)
        .order_by([delta, classes.group])
        .limit(min(problem.k, 2 * NEAR))
        .select("group"),
        grouped.order_by(["types", "group"]).limit(1).select("group"),  # whole, whatever its size: k rows at least
        classes.order_by([delta * classes.size, classes.group]).limit(NEAR).select("group"),
    ]
    named = classes.select("group", "seq", "size", "each", g0="first")
    members = swept.parts.select(*words, "group").semi_join(named, "group")
    one = members.group_by("group").aggregate(w0=members.w0.min()) if len(words) == 1 else None
    if one is not None:
        rows = one.join(named.drop("g0"), "group")
        for left in engine.fetch(swept.rest.order_by(words).limit(NEAR // 20)).to_pylist():
            picked.append(_widened(instances, swept, rows, left).limit(NEAR // 4).select("group"))
    return engine.keep(ibis.union(*picked, distinct=True))


def _widened(instances: Instances, swept: Swept, classes: ir.Table, left: dict[str, int]) -> ir.Table:
    """Return classes by what it costs at least to widen them for a row type that is left."""
    layout, problem = instances.layout, instances.problem
    codes = layout.codes([np.array([left[w]]) for w in instances.words])[0]
    vectors = pa.table(
        {"seq": np.arange(len(swept.vectors), dtype=np.int64)}
        | {f"l{j}": np.array([v[j] for v in swept.vectors], np.int64) for j in range(len(codes))}
    )
    joined = classes.join(instances.engine.put(vectors), "seq")
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
