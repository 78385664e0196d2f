"""The greedy in the engine: one GROUP BY a pattern over packed row types, and none of them crosses.

Closes the same instances in the same order as `incrowd.tables.solve.shared.pattern_scan` (papers/pattern-guided.md says
why, a line a lemma); where a pattern's instances cost differently, each waits for the turn of its cost.
"""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ibis

from incrowd.tables.large.instances import whole
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.queries import Cut, stoppable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.values import PatternBlock

__all__ = ["Sweep", "Swept", "sweep"]

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

    Attributes
    ----------
    parts : ibis table
        A line a row type in a group: words, ``n``, ``group``, ``seq`` (its place in `vectors`) and ``cost`` of a row.
    rest : ibis table
        Words and ``n`` of the row types in no group.
    left : int
        Their rows.
    vectors : list of tuple of int
        Level vectors.
    groups : int
        Numbers below it are taken.
    notes : tuple of str
    cut_short : bool
        Whether it was stopped.
    """

    parts: ir.Table
    rest: ir.Table
    left: int
    vectors: list[tuple[int, ...]]
    groups: int
    notes: tuple[str, ...]
    cut_short: bool


def sweep(types: PackedTypes, instances: Instances, rows: int, watch: Watch) -> Swept:
    """Go through the patterns, cheapest first, and close every crowd among the rows that are left.

    `instances` are those of the problem to solve, and `rows` is the number of rows of the table. `watch` ends it within
    two seconds, inside a query too; what was closed by then stands.

    Notes
    -----
    A pattern takes one GROUP BY over the row types that are left and, where it closes some, two joins. Memory is the
    engine's own, which puts on disk what is beyond it.
    """
    problem = instances.problem
    one = Sweep(types, instances, rows, watch)
    blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
    cut_short = one.run(blocks)
    notes = [] if one.complete else [f"the {one.seen} cheapest patterns of the mask"]
    if one.banded:
        notes.append(f"costs within a pattern told apart by {TURNS} steps")
    return Swept(one.done.table(), one.live, one.left, one.vectors, one.groups, tuple(notes), cut_short)


class Sweep:
    """The row types that still look for a crowd, and those that found one."""

    def __init__(self, types: PackedTypes, instances: Instances, rows: int, watch: Watch) -> None:
        self.engine = types.engine
        self.instances = instances
        self.watch = watch
        self.k = instances.problem.k
        self.live = self.engine.keep(types.rows.select(*types.words, "n"))
        self.left = rows
        self.groups = 0
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
            with stoppable(self.engine, self.watch), self.engine.guard("solving in the table engine"):
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
                    self.watch.tell("solve", patterns=self.seen, cost=self.cost, rows_left=self.left)
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
        """Make groups of instances: keys, ``crowd`` and ``cost``."""
        engine, keys = self.engine, self.instances.keys
        number = whole(self.groups) + ibis.row_number()
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
            self.groups += int(told["g"])
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
