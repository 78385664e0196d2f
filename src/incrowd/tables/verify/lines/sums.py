"""What the instances of a level vector add to a bound by prices, summed up in the engine: one GROUP BY a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Levels
    from incrowd.tables.verify.lines.dominance import Vectors

__all__ = ["Sums"]

WORD = 1 << 62  # below it columns stand side by side in one key
JOINS = 12  # a longer chain of joins is too deep for the engine's layers


class Sums:
    """Row types with prices, and what instances add below 0.

    `rows` has the columns ``type``, ``n``, ``p`` and the ranks ``r0``, ``r1``, ... of the m columns that have `levels`,
    and `vectors` are those that are allowed. Prices are in `parts` of a scaled unit; no sum leaves 64 bits [P4].
    """

    def __init__(
        self, engine: Engine, rows: ir.Table, levels: Sequence[Levels], vectors: Vectors, k: int, parts: int
    ) -> None:
        self.engine, self.rows, self.levels, self.vectors = engine, rows, levels, vectors
        self.k, self.parts = k, parts
        self.ladders: dict[tuple[int, int], ir.Table] = {}
        self.places = _places([int(level.up[0].max()) + 1 for level in levels])
        self.keys = [f"key{w}" for w in range(1 + max(word for word, _ in self.places))]
        self.between: list[ir.Table] = []

    def prices(self) -> int:
        """Return the sum of all rows' prices [P1]."""
        with self.engine.guard("adding up the prices"):
            found = self.engine.one(self.rows.aggregate(s=_wide(self.rows.n, self.rows.p)))
        return int(found["s"] or 0)

    def free(self, vector: Sequence[int]) -> int:
        """Return what an instance of all types adds that needs no rows, under a vector of stars alone [I5]."""
        with self.engine.guard("adding up the prices"):
            shown = self._shown(vector)
            found = self.engine.one(shown.aggregate(s=_wide(shown.n, ibis.least(shown.term, _whole(0)))))
            self._forget()
        return int(found["s"] or 0)

    def unchanged(self) -> int:
        """Return the scaled cost of all rows shown as they are, 0 but for costs that charge them [T4]."""
        if not any(level.cost[0].any() for level in self.levels):
            return 0
        bare = Sums(self.engine, self.rows.mutate(p=_whole(0)), self.levels, self.vectors, self.k, 1)
        with self.engine.guard("adding up the costs"):
            shown = bare._shown([0] * len(self.levels))
            found = self.engine.one(shown.aggregate(s=_wide(shown.n, shown.term)))
            bare._forget()
        return int(found["s"] or 0)

    def added(self, vector: tuple[int, ...]) -> tuple[int, int]:
        """Return what the instances of a vector add below 0, of those that matter, and how many rows these hold.

        The vector is allowed, and not that of a free instance.
        """
        with self.engine.guard("recounting the bound"):
            try:
                return self._added(vector)
            finally:
                self._forget()

    def _added(self, vector: tuple[int, ...]) -> tuple[int, int]:
        shown = self._shown(vector)
        below = shown.term < 0
        groups = shown.group_by(self.keys).aggregate(  # [I1]
            held=_sum(shown.n),
            below=_sum(ibis.ifelse(below, shown.n * shown.term, _whole(0))),
            some=_sum(ibis.ifelse(below, shown.n, _whole(0))),
            rest=ibis.ifelse(below, ibis.null("int64"), shown.term).min(),
        )
        lacks = _whole(self.k) - groups.some
        groups = groups.filter(
            (groups.held >= _whole(self.k))  # [I2]
            & (groups.below < 0)
            & ((lacks <= 0) | (groups.below + lacks * groups.rest.fill_null(_whole(0)) < 0))
        )
        found = self._kept(groups)
        told = self.engine.one(found.aggregate(g=found.count(), short=(found.some < _whole(self.k)).sum()))
        if not told["g"]:
            return 0, 0
        adds = found.select(*self.keys, "held", add=found.below)
        if told["short"]:
            adds = self._filled(shown, found)
        adds = self._kept(adds.filter(adds.add < 0))
        return self._of_those_that_matter(shown, adds, vector)

    def _filled(self, shown: ir.Table, found: ir.Table) -> ir.Table:
        """Return what instances add with the cheapest rows that they lack beside those below 0 [P2]."""
        lacking = found.filter(found.some < _whole(self.k)).select(*self.keys, "some")
        others = shown.filter(shown.term >= 0).select(*self.keys, "type", "n", "term").join(lacking, self.keys)
        window = ibis.cumulative_window(group_by=self.keys, order_by=["term", "type"])
        before = others.n.sum().over(window).cast("int64") - others.n
        left = _whole(self.k) - others.some - before
        taken = others.mutate(add=ibis.greatest(ibis.least(others.n, left), _whole(0)) * others.term)
        filled = taken.group_by(self.keys).aggregate(fill=_sum(taken.add))
        named = filled.rename({f"f{key}": key for key in self.keys})
        joined = found.left_join(named, [found[key] == named[f"f{key}"] for key in self.keys])
        return joined.select(*self.keys, "held", add=joined.below + joined.fill.fill_null(_whole(0)))

    def _of_those_that_matter(self, shown: ir.Table, adds: ir.Table, vector: tuple[int, ...]) -> tuple[int, int]:
        """Return the sums over the instances that matter [I3]; a line for each comes out of the engine."""
        members = shown.semi_join(adds, self.keys)
        members = self._climbed(members, [(j, at) for j, top in enumerate(vector) for at in range(1, top)])
        lowest: dict[str, Any] = {}
        for j, top in enumerate(vector):
            level: Any = _whole(top)
            for at in range(top - 1, -1, -1):
                label = members[f"x{j}_{at}" if at else f"r{j}"]
                level = ibis.ifelse(label.min() == label.max(), _whole(at), level)
            lowest[f"d{j}"] = level
            lowest[f"one{j}"] = members[f"r{j}"].min()
        named = members.group_by(self.keys).aggregate(**lowest).rename({f"f{key}": key for key in self.keys})
        joined = adds.join(named, [adds[key] == named[f"f{key}"] for key in self.keys])
        total = rows = 0
        told = joined.select(**{name: joined[name].cast("int64") for name in ("add", "held", *lowest)})
        for batch in self.engine.streamed(told):
            held = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
            below, ones = (np.stack([held[f"{name}{j}"] for j in range(len(vector))], axis=1) for name in ("d", "one"))
            matter = self.vectors.matter(vector, below, ones)
            total += sum(held["add"][matter].tolist())
            rows += sum(held["held"][matter].tolist())
        return total, rows

    def _shown(self, vector: Sequence[int]) -> ir.Table:
        """Return the types with what they show under a vector as keys, and a row's ``term``: its cost less price."""
        fixed, paid = 0, []
        climbed = []
        for j, (level, at) in enumerate(zip(self.levels, vector, strict=True)):
            told = level.cost[at]
            if (told == told[0]).all():
                fixed += self.parts * int(told[0])
            else:
                paid.append(f"c{j}_{at}")
            if 0 < at < level.height or f"c{j}_{at}" in paid:
                climbed.append((j, at))
        rows = self._climbed(self.rows, climbed)
        words = [_whole(0) for _ in self.keys]
        for j, at in enumerate(vector):
            if at < self.levels[j].height:
                word, width = self.places[j]
                words[word] = words[word] + rows[f"x{j}_{at}" if at else f"r{j}"].cast("int64") * _whole(width)
        term = _whole(fixed)
        for name in paid:
            term = term + rows[name]
        keys = dict(zip(self.keys, words, strict=True))
        ranks = [f"r{j}" for j in range(len(self.levels))]
        return rows.mutate(**keys, term=(term - rows.p).cast("int64")).select(*keys, "type", "n", "term", *ranks)

    def _climbed(self, rows: ir.Table, wanted: Sequence[tuple[int, int]]) -> ir.Table:
        """Return rows with what columns show at levels, ``x{j}_{level}``, and what that costs, ``c{j}_{level}``."""
        for turn, (j, at) in enumerate(wanted):
            ladder = self._ladder(j, at)
            rows = rows.join(ladder, rows[f"r{j}"] == ladder[f"rank{j}_{at}"]).drop(f"rank{j}_{at}")
            if (turn + 1) % JOINS == 0:
                rows = self._kept(rows)
        return rows

    def _ladder(self, j: int, at: int) -> ir.Table:
        """Return what every value of a column shows at a level, and what that costs in parts."""
        if (j, at) not in self.ladders:
            level = self.levels[j]
            placed = {
                f"rank{j}_{at}": np.arange(level.up.shape[1], dtype=np.int32),
                f"x{j}_{at}": level.up[at].astype(np.int32),
                f"c{j}_{at}": level.cost[at].astype(np.int64) * self.parts,
            }
            self.ladders[j, at] = self.engine.put(pa.table(placed))
        return self.ladders[j, at]

    def _kept(self, table: ir.Table) -> ir.Table:
        """Return a table, kept until the vector is done."""
        self.between.append(self.engine.keep(table))
        return self.between[-1]

    def _forget(self) -> None:
        while self.between:
            self.engine.drop(self.between.pop())


def _places(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the word of each column, and what its numbers are multiplied with there."""
    found, word, width = [], 0, 1
    for size in sizes:
        if width * size >= WORD:
            word, width = word + 1, 1
        found.append((word, width))
        width *= size
    return found


def _whole(value: int) -> ir.Value:
    """Return a whole number of 64 bits."""
    return ibis.literal(str(value)).cast("int64")


def _sum(values: ir.Value) -> ir.Value:
    return values.sum().cast("int64")


def _wide(number: ir.Value, each: ir.Value) -> ir.Value:
    """Return the sum of products, in more than 64 bits."""
    return (number.cast("decimal(38, 0)") * each.cast("decimal(38, 0)")).sum().cast("decimal(38, 0)")
