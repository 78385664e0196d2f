"""What every row type costs at least, out of the engine in the order in which a certificate names the types."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.tables.large.types import whole
from incrowd.tables.solve.bounds import lagrangian, tuning
from incrowd.tables.solve.bounds.certificate import NAME, VERSION
from incrowd.tables.solve.bounds.column_generation import MOST_PATTERNS, Pricing
from incrowd.tables.solve.shared.instances import common_step
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.tables.values import Bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.pieces import Pieces
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64, Problem, Solution


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Prices that portions of a plan have found.

    `lines`: words and ``p``, kept: a line for every row type of these portions. The others have their per-row price.
    `parts`: of a scaled unit, in which ``p`` is. `value`: what all row types' prices prove at least, scaled.
    """

    lines: ir.Table
    parts: int
    value: int


def prices(table: Table, types: PackedTypes, told: Pieces, found: Prices | None = None) -> Iterator[Int64]:
    """Give the price of every row type, some at a time, types by the UTF-8 bytes of their values, missing ones first.

    `told` has words and ``best``, a line or more for each type. `found` are those that stand in place of these, which
    are counted in the same parts then. Both are forgotten. One GROUP BY, one join (two with prices that were found) and
    one sort. On Spark the driver holds those of one part of the sort at a time.
    """
    engine = types.engine
    with engine.guard("writing the certificate's prices"):
        every = told.table()
        least = every.group_by(types.words).aggregate(p=every.best.min())
        if found is not None:
            named = found.lines.rename({f"f{word}": word for word in types.words} | {"better": "p"})
            joined = least.left_join(named, [least[word] == named[f"f{word}"] for word in types.words])
            per_row = joined.p * whole(found.parts)
            least = joined.select(*types.words, p=ibis.coalesce(joined.better, per_row))
        joined = types.values.join(least, types.words)
        order = []
        for column in table.quasi_identifiers:
            text = engine.text(joined[column.id])
            order += [text.isnull().desc(), text.asc()]
        for batch in engine.streamed(joined.order_by(order).select("p")):
            yield np.asarray(batch.column("p").to_numpy(zero_copy_only=False), np.int64)
        engine.drop(every)
        if found is not None:
            engine.drop(found.lines)


# Prices of one portion for the certificate of the whole table: a solver's where they prove more than the per-row ones.
#
# Where no class but that of the fully suppressed rows lies in two portions, any prices of the portions are prices of
# the table, and prove at least what they prove one by one (docs/papers/certificates.md, Lemma [Z4]). So a portion takes
# what is worth most in it alone; a price that is cut or rounded is worth less, never wrong, and is counted after that.

# Level vectors under which some row may cost less than its price: a check in the engine takes no more (Z4).
ASKED = 1 << 12
ROOM = 1 << 61  # no sum of a check reaches it (P4)
SEARCH = 0.8  # share of a portion's time after which prices are looked for that prove its bound without cuts and trees


@dataclass(frozen=True, slots=True)
class PriceUnit:
    """In what prices of all portions are.

    `parts`: of a scaled unit. `most`: the largest price, in parts. `step`: every release of the table costs a multiple
    of it, scaled.
    """

    parts: int
    most: int
    step: int

    def rounded_up(self, value: int) -> int:
        """Return the bound, scaled, that prices of the whole table prove. `value` is what they are worth, in parts."""
        return -(-value // (self.parts * self.step)) * self.step

    def of(self, prices: Int64, parts: int) -> Int64:
        """Return prices in this unit, rounded down where they do not fit and cut where they are too large.

        `prices` is (t,), and `parts` is in what they are.
        """
        if parts == self.parts:
            told = prices
        else:
            whole, rest = np.divmod(prices, parts)
            told = whole * self.parts + rest * self.parts // parts
        return np.clip(told, -self.most, self.most)


def price_unit(problem: Problem) -> PriceUnit:
    """Return in what the prices of a table's portions are: fine enough, and no check of them leaves its numbers.

    `problem` is that of the whole table; its row types are not looked at.
    """
    dearest = max(sum(int(level.cost.max(initial=0)) for level in problem.levels), 1)
    parts, sums = lagrangian.FINEST, 2 * problem.types.n * (1 + min(problem.patterns.count(), ASKED)) * dearest
    while parts > 1 and parts * sums >= ROOM:
        parts //= 2
    blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
    beyond = next(islice((int(cost) for block in blocks for cost in block.costs), ASKED, None), dearest)
    return PriceUnit(parts, parts * min(beyond, dearest), common_step([level.cost for level in problem.levels]))


@dataclass(frozen=True, slots=True, eq=False)
class PriceList:
    """Prices of one portion.

    `prices`: (t,) int64, in the table's unit. `value`: what they prove of this portion alone, in the same.
    """

    prices: Int64
    value: int

    @classmethod
    def per_row(cls, unit: PriceUnit, least: Int64, counts: Int64) -> PriceList:
        """Return what the cheapest instance of each type costs.

        `least` is (t,) and says what a row of each type costs, scaled. `counts` is (t,).
        """
        prices = least * unit.parts
        return cls(prices, int((prices * counts).sum()))

    def or_better(self, unit: PriceUnit, small: Problem, found: Solution, watch: Watch) -> PriceList:
        """Return the prices that prove most of a portion: these, a solver's, or some that are looked for in the time.

        `small` is the problem of the portion, and `found` a solution of it. `watch` ends the count of a solver's prices
        between blocks of patterns: then they are not taken. It takes O(p t) for p patterns and t row types, as often as
        prices are counted.
        """
        if small.patterns.count() > MOST_PATTERNS or found.bound.value * unit.parts <= self.value:
            return self
        looked = Pricing(small, encode(small), found.plan, Bound(0, 0, "none"))

        def counted(prices: Int64, parts: int, best: PriceList) -> PriceList:
            told = unit.of(prices, parts)
            assert looked.vectors is not None, "they are few enough"
            seen = lagrangian.scan(
                small, looked.encoded, looked.closure, told, unit.parts, most_pairs=0, vectors=looked.vectors,
                watch=watch,
            )  # fmt: skip
            return best if seen is None or seen.value <= best.value else PriceList(told, seen.value)

        best, held = self, found.certificate or {}
        if (held.get("certificate"), held.get("version")) == (NAME, VERSION):
            prices = np.array(held["prices"], np.int64)
            best, looked.now = counted(prices, int(held["parts"]), best), prices / int(held["parts"])
        if unit.rounded_up(best.value) < found.bound.value and not watch.stopped:
            looked.settle(TimeShare.of(watch, SEARCH), tuning.DEFAULT.release_rounds)
            best = counted(looked.whole, looked.parts, best)
        return best
