"""The per-row bound in the engine: no row is cheaper than its cheapest instance with a crowd in the whole table.

The same number as `incrowd.tables.solve.bounds.counting`, by one GROUP BY a pattern; nothing but sums crosses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

from incrowd.progress import Cut, Watch
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.types import whole
from incrowd.tables.solve.bounds.counting import no_crowd

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.large.sweep import Swept
    from incrowd.tables.large.types import Instances, PackedTypes


NEVER = (1 << 62) - 1
# Patterns looked at; whatever was not looked at costs at least what the next one does.
PATTERNS = 4096
# Where fewer than one in so many row types still ask, only instances that they show are counted.
FEW = 4


@dataclass(frozen=True, slots=True)
class Floor:
    """What the rows of a table cost at least.

    `value`: scaled. `complete`: whether all patterns that matter were looked at. `prices`: words and ``best``, what a
    row costs at least: a line or more for every row type. None where not wanted. `patterns`: how many were looked at.
    """

    value: int
    complete: bool
    prices: Pieces | None = None
    patterns: int = 0


def floor(types: PackedTypes, instances: Instances, swept: Swept, watch: Watch, *, prices: bool = False) -> Floor:
    """Return the per-row bound of a problem.

    `swept` is what the greedy closed: a row need not be looked for above what it costs there. `watch` ends it within
    two seconds, and the bound is then what the patterns looked at prove. `prices` says whether what every row type
    costs at least is kept in the engine. A pattern takes one GROUP BY over all row types and one join with those that
    still ask. Raises Infeasible if some row has no allowed instance with a crowd: then no release exists, which is a
    proof.
    """
    one = _Asking(types, instances, swept, prices=prices)
    try:
        with types.engine.stoppable(watch), types.engine.guard("bounding in the table engine"):
            return Floor(one.run(watch), one.complete, one.prices, one.seen)
    except Cut:
        with types.engine.guard("bounding in the table engine"):
            return Floor(one.broken_off(), False, one.prices, one.seen)


class _Asking:
    """The row types whose cheapest instance is not known yet: words, ``n`` and ``best``."""

    def __init__(self, types: PackedTypes, instances: Instances, swept: Swept, *, prices: bool) -> None:
        self.types, self.instances = types, instances
        self.engine, self.problem = types.engine, instances.problem
        self.proven = self.floor = self.seen = 0
        self.complete = True
        self.asking = self.engine.keep(self._ceilings(swept))
        self.prices = Pieces(self.engine, self._told(self.asking).limit(0)) if prices else None

    def _ceilings(self, swept: Swept) -> ir.Table:
        words, parts = self.instances.words, swept.parts
        best = parts.select(*words, "n", best=parts.cost)
        if not swept.left:
            return best
        rest = swept.rest
        if self.problem.patterns.allows_full_suppression:  # all rows agree there, and there are at least k of them
            shown = self.instances.priced(self.instances.under(rest, self.problem.top), self.problem.top)
            rest = shown.select(*words, "n", best=shown.cost)
        else:
            rest = rest.select(*words, "n", best=whole(NEVER))
        return ibis.union(best, rest, distinct=False)

    def _told(self, lines: ir.Table) -> ir.Table:
        return lines.select(*self.instances.words, "best")

    def run(self, watch: Watch) -> int:
        """Look at the patterns, cheapest first; return the bound."""
        problem = self.problem
        for block in problem.patterns.by_cost(problem.floor_costs(), problem.ties()):
            for vector, cost in zip(block.levels.tolist(), block.costs.tolist(), strict=True):
                self.floor = int(cost)
                asking = self._known_below(self.floor)
                if not asking:
                    return self.proven
                if self.seen >= PATTERNS or watch.stopped:
                    self.complete = False
                    return self.broken_off()
                self._look(vector, self.floor, few=asking * FEW < self._t())
                self.seen += 1
                watch.report("bound", patterns=self.seen, rows_open=asking)
        self._hopeless()
        self._known_below(NEVER)
        return self.proven

    def broken_off(self) -> int:
        """Return the bound as far as patterns were looked at: the others cost every row at least the floor."""
        asking = self.asking
        each = ibis.least(asking.best, whole(self.floor))
        if self.prices is not None:
            self.prices.add(self.engine.keep(self._told(asking.mutate(best=each))))
        return self.proven + int(self.engine.one(asking.aggregate(s=_sum(asking.n, each)))["s"] or 0)

    def _t(self) -> int:
        if not hasattr(self, "_types"):
            self._types = int(self.engine.one(self.types.rows.aggregate(t=self.types.rows.count()))["t"])
        return self._types

    def _known_below(self, floor: int) -> int:
        """Let the row types go that no later pattern can lower; return how many still ask."""
        asking = self.asking
        known = asking.best <= floor
        told = self.engine.one(
            asking.aggregate(t=known.sum(), s=_sum(asking.n, ibis.ifelse(known, asking.best, 0)), every=asking.count())
        )
        gone = int(told["t"] or 0)
        if gone:
            left = self.engine.keep(asking.filter(~known))
            priced = None if self.prices is None else self.engine.keep(self._told(asking.filter(known)))
            self.asking, self.proven = left, self.proven + int(told["s"])
            if self.prices is not None and priced is not None:
                self.prices.add(priced)
            self.engine.drop(asking)
        return int(told["every"]) - gone

    def _look(self, vector: list[int], cost: int, *, few: bool) -> None:
        engine, keys, words = self.engine, self.instances.keys, self.instances.words
        here = self.instances.under(self.asking, vector)
        every = self.types.rows.select(*words, "n")
        if few:
            asked = here.select(*keys).distinct()
            every = self.instances.under(every, vector).semi_join(asked, keys).select(*words, "n")
        crowds = self.instances.crowds(every, vector)
        if self.instances.uniform(vector):
            found = crowds.select(*keys, found=whole(cost))
        else:
            priced = self.instances.priced(crowds, vector)
            found = priced.select(*keys, found=priced.cost)
        named = found.rename({f"f{key}": key for key in keys})
        joined = here.left_join(named, [here[key] == named[f"f{key}"] for key in keys])
        best = ibis.ifelse(joined.found < joined.best, joined.found, joined.best)
        best = ibis.ifelse(joined.found.isnull(), joined.best, best)
        before, self.asking = self.asking, engine.keep(joined.select(*words, "n", best=best))
        engine.drop(before)

    def _hopeless(self) -> None:
        asking = self.asking
        told = self.engine.one(asking.aggregate(rows=ibis.ifelse(asking.best == NEVER, asking.n, 0).sum()))
        rows = int(told["rows"] or 0)
        if rows:
            raise no_crowd(self.problem, rows)


def _sum(number: ir.Value, each: ir.Value) -> ir.Value:
    """Return the sum of the products of two whole numbers, wide enough for every table."""
    return (number.cast("decimal(38, 0)") * each.cast("decimal(38, 0)")).sum().cast("decimal(38, 0)")
