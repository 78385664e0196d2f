"""What a certificate of lines proves, recounted from row types that stay in the engine [Z4].

The same number as `incrowd.check.prices` finds in memory for prices without components and trees.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.check.certificate import LIMIT, MOST_HEAD, read_certificate, too_large, unpacked, whole
from incrowd.check.exact import Unreadable, refuse
from incrowd.check.mask import allowed_vectors
from incrowd.check.prices import rounded_up
from incrowd.check.verdict import Verdict
from incrowd.errors import InputError
from incrowd.tables.verify.recount import WORD, Vectors
from incrowd.tables.verify.row_types import grouped, lines_of_ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Levels
    from incrowd.tables.verify.rules import Rules

    Int64 = NDArray[np.int64]

MOST_ASKED = 1 << 12  # [Z4] level vectors that take a GROUP BY each


def recount(
    types: TypeTable, file: PriceFile, head: Mapping[str, Any], rules: Rules, levels: Sequence[Levels], scale: int,
    own: int, cost: int | None, ask: Callable[[], object], told: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Recount a certificate of lines, and return `check`'s verdict; the row types are forgotten.

    `head` is the certificate's head, its claims in the numbers that prices add up to, `own` what the rows cost as they
    are, and `cost` what the release costs, recounted from its rows, both scaled; `told` is what else the head must say.
    `levels` and `scale` are what rules make of the types' values. `ask` is asked at every level vector; ends the
    recount by an exception. Raise `InputError` if the certificate cannot be read, or asks for more than is recounted.
    The file is unpacked three times, a megabyte at a time. One GROUP BY over the row types for each level vector under
    which some row costs less than its price; a line leaves the engine for each instance that adds below 0.
    """
    k, outliers = rules.policy.k, rules.policy.outliers
    facts = {"rows": types.n, "row_types": types.t, "k": k, "outliers": outliers, "scale": scale, **told}  # [T2]

    def value(*_: Any) -> int:
        parts = whole(head, "parts", 1)
        ends = [(int(some.min()), int(some.max())) for some in file.prices(types.t)]
        most = max(high for _, high in ends)
        dearest = sum(int(level.cost.max()) for level in levels)
        largest = max(most, -min(low for low, _ in ends), parts * dearest)
        too_large(types.n * largest * 2)  # [P4, F5]
        step = max(math.gcd(*(int(np.gcd.reduce(level.cost, axis=None)) for level in levels)), 1)  # [T5]
        top = tuple(level.height for level in levels)
        vectors = Vectors(levels, allowed_vectors(rules.mask, top, rules.gapped, outliers))
        free = top if outliers == "suppress" and top in vectors.known else None  # [I5]
        least = [level.cost.min(axis=1) for level in levels]
        asking = [
            vector
            for vector in map(tuple, vectors.allowed.tolist())
            if vector != free and parts * sum(int(one[at]) for one, at in zip(least, vector, strict=True)) < most
        ]
        if len(asking) > MOST_ASKED:
            raise Unreadable(
                f"{len(asking):,} level vectors cost less than its prices, and {MOST_ASKED:,} are asked where row "
                "types stay in the engine; allow them in memory as types_in_memory"
            )
        rows = with_prices(types, file.prices(types.t))
        sums = Sums(types.engine, rows, levels, vectors, k, parts)
        total, listed = sums.prices(), 0  # [P1]
        for vector in asking:
            ask()
            added, held = sums.added(vector)
            total, listed = total + added, listed + held
            too_large((listed + types.n) * largest * 2)  # [P4]
        if free is not None:
            total += sums.free(free)
        types.engine.drop(rows)
        return int(rounded_up(total, parts, step))

    try:
        file.unpack(types.t)
        return Verdict(SimpleNamespace(facts=facts, grids=[], t=types.t, own=own), head, cost, lambda t: t, value)
    except Unreadable as error:
        raise file.refused(error) from None


# What the instances of a level vector add to a bound by prices, summed up in the engine: one GROUP BY a vector.
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

    def _shown(self, vector: Sequence[int], some: ir.Table | None = None) -> ir.Table:
        """Return all or some types with what a vector shows of them as keys, and their ``term``: cost less price."""
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
        rows = self._climbed(self.rows if some is None else some, climbed)
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
        return rows.mutate(**keys, term=(term - rows.p).cast("int64")).select(*keys, "type", "n", "p", "term", *ranks)

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

    def per_row(self, floors: Mapping[tuple[int, ...], int], free: tuple[int, ...] | None) -> int | None:
        """Return what all rows cost at least, each in the cheapest instance of some vectors that k rows agree with.

        `floors` are what a row costs at least under each vector, and `free` is that of an instance that needs no rows.
        Prices are at least what a row costs in any of them; None where some row lies in none.
        """
        total, asking = 0, self.rows
        for vector in (*sorted(floors, key=lambda one: (floors[one], one)), None):
            known = asking.p < UNKNOWN if vector is None else asking.p <= floors[vector]
            with self.engine.guard("recounting the bound"):
                paid = _wide(ibis.ifelse(known, asking.n, 0), asking.p)
                sums = self.engine.one(asking.aggregate(open=(~known).sum(), paid=paid))
                total += int(sums["paid"] or 0)
                if vector is None or not sums["open"]:
                    return None if sums["open"] else total
                shown, before = self._shown(vector), asking
                crowds = shown.group_by(self.keys).aggregate(crowd=_sum(shown.n))
                crowds = crowds.filter(crowds.crowd >= _whole(1 if vector == free else self.k))
                joined = self._shown(vector, asking.filter(~known)).left_join(crowds, self.keys)
                less = ibis.ifelse(joined.crowd.notnull(), ibis.least(joined.term, _whole(0)), _whole(0))
                asking = self.engine.keep(joined.mutate(p=joined.p + less).select(*before.columns))
                self._forget()
                if before is not self.rows:
                    self.engine.drop(before)
        return None

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


# The per-row bound: every row lies in an allowed instance that k rows of the table agree with, so it costs at least the
# cheapest such instance. That needs no certificate: the table and the policy say it all.
VECTORS, PATTERNS = 1 << 16, 1 << 10  # level vectors that are looked through for allowed ones, and those that are asked
UNKNOWN = (1 << 62) - 1


def recount_per_row(engine: Engine, rows: ir.Table, columns: Sequence[str], rules: Rules) -> Fraction | None:
    """Return what the rows of a table cost at least in any release under some rules, None where that is too much work.

    The cost is in the user's units, and also None where some row has no allowed instance that k rows agree with. `rows`
    are the original rows, and `columns` their m quasi-identifiers in the order of the rules. The costs of the rules
    look at no other row. It takes one GROUP BY over the rows, and one over the row types for each allowed vector that
    costs less than what is known.
    """
    tops = rules.heights
    if math.prod(top + 1 for top in tops) > VECTORS:
        return None
    vectors = list(allowed_vectors(rules.mask, tops, rules.gapped, rules.policy.outliers))
    if len(vectors) > PATTERNS:
        return None
    types = type_table(engine, grouped(engine, rows, [rows[name] for name in columns]), rules.climbed)
    levels, scale = rules.levels(types.sizes, types.lines, types.n)
    least = [level.cost.min(axis=1) for level in levels]
    floors = {one: sum(int(paid[at]) for paid, at in zip(least, one, strict=True)) for one in vectors}
    asked = types.rows.mutate(p=_whole(UNKNOWN), type=_whole(0))
    known = Vectors(levels, dict.fromkeys(vectors))
    found = Sums(engine, asked, levels, known, rules.policy.k, 1).per_row(
        floors, tops if rules.policy.outliers == "suppress" else None
    )
    return None if found is None else Fraction(found, scale) - rules.unchanged()


# The row types of an original table, counted, ranked and numbered in the engine; counts alone and lines leave it.
ORDERED = "duckdb"  # the engine whose kept tables have their lines in the order in which they were computed
PRICES = pa.schema([("type", pa.int64()), ("p", pa.int64())])


@dataclass(frozen=True, slots=True, eq=False)
class TypeTable:
    """Row types in the engine.

    `rows`: ``n`` and the rank ``r0``, ``r1``, ... of every value in its column, a line a type; in the order of these
    where the engine keeps one (DuckDB). `t`, `n`: row types, and rows of them all. `sizes`: distinct values of each
    column. `lines`: tuple of (d,) int64 or None, length m, line of each rank in its column's hierarchy.
    """

    engine: Engine
    rows: ir.Table
    t: int
    n: int
    sizes: tuple[int, ...]
    lines: tuple[NDArray[np.int64] | None, ...]


def type_table(engine: Engine, types: ir.Table, hierarchies: Mapping[int, Any]) -> TypeTable:
    """Return row types with the ranks of their values; `types`, which is as `grouped` returns it, is forgotten.

    `hierarchies` are by the place of the column, which is text then. One sort of the values and one join a column, and
    one sort of the types. Of columns with a hierarchy 16 bytes a value leave the engine.
    """
    rows, m = types, len(types.columns) - 1
    sizes, lines, between = [], [], [rows]
    with engine.guard("ranking the original's row types"):
        for j in range(m):
            ranked = _ranked(engine, types, j)
            sizes.append(int(engine.one(ranked.aggregate(d=ranked.count()))["d"]))
            texted = ranked.select(value=engine.text(ranked[f"u{j}"]), rank=ranked[f"r{j}"])
            lines.append(lines_of_ranks(engine, texted, hierarchies[j]) if j in hierarchies else None)
            rows = rows.join(ranked, [rows[f"v{j}"].identical_to(ranked[f"u{j}"])]).drop(f"u{j}", f"v{j}")
            if (j + 1) % JOINS == 0 and j + 1 < m:
                rows = engine.keep(rows)
                between.append(rows)
        ranks = [f"r{j}" for j in range(m)]
        ordered = rows.select("n", *ranks)
        ordered = engine.keep(ordered.order_by(ranks) if engine.name == ORDERED else ordered)  # [T2]
        told = engine.one(ordered.aggregate(t=ordered.count(), n=ordered.n.sum()))
        for done in between:
            engine.drop(done)
    return TypeTable(engine, ordered, int(told["t"]), int(told["n"]), tuple(sizes), tuple(lines))


def _ranked(engine: Engine, rows: ir.Table, j: int) -> ir.Table:
    """Return the distinct values ``u{j}`` of a column with the rank ``r{j}`` of each [T1]."""
    distinct = rows.select(**{f"u{j}": rows[f"v{j}"]}).distinct()
    text = engine.text(distinct[f"u{j}"])
    rank = ibis.dense_rank().over(order_by=[text.notnull().cast("int8"), text])
    return engine.keep(distinct.mutate(**{f"r{j}": rank.cast("int32")}))


def with_prices(types: TypeTable, prices: Iterator[NDArray[np.int64]]) -> ir.Table:
    """Return row types, kept, with their number ``type`` and their price ``p``; those without prices are forgotten.

    The prices are in the order of the types, and as many of them. It takes one join; on Spark, which keeps no order,
    also one GROUP BY and one sort of the types of each value of the first column.
    """
    engine = types.engine
    with engine.guard("reading the prices"):
        put = engine.take(PRICES, _batches(prices))
        priced = engine.keep(_numbered(types).join(put, "type"))
        for done in (put, types.rows):
            engine.drop(done)
    return priced


def _numbered(types: TypeTable) -> ir.Table:
    """Return row types with their number [T2]."""
    rows = types.rows
    if types.engine.name == ORDERED:
        return rows.mutate(type=ibis.row_number().cast("int64"))
    ranks = [f"r{j}" for j in range(len(types.sizes))]
    held = rows.group_by("r0").aggregate(types=rows.count())
    before = held.types.sum().over(ibis.cumulative_window(order_by=held.r0)) - held.types
    starts = held.select(begins=held.r0, before=before.cast("int64"))
    own = rows.mutate(own=ibis.row_number().over(group_by=rows.r0, order_by=[rows[rank] for rank in ranks]))
    numbered = own.join(starts, own.r0 == starts.begins)
    return numbered.mutate(type=(numbered.own + numbered.before).cast("int64")).drop("own", "begins", "before")


def _batches(prices: Iterator[NDArray[np.int64]]) -> Iterator[pa.RecordBatch]:
    """Give the prices with their numbers as the engine takes them."""
    begin = 0
    for some in prices:
        numbers = np.arange(begin, begin + len(some))
        yield pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(some)], schema=PRICES)
        begin += len(some)


# A packed certificate: a head, and a price a line. Nothing in it is believed; no more of it is unpacked than fits.
#
# Read a piece at a time: what lies in memory at once is a megabyte, whatever the file unpacks to.
MAGIC = b"\x1f\x8b"  # of gzip
LINE = 21  # bytes of a price at most, with its line feed
SOME_PRICES = re.compile(rb"(?:(?:0|-?[1-9][0-9]{0,18})\n)*")


class PriceFile:
    """A certificate of version 13 in its file.

    Raises `InputError` if the file cannot be read, or its beginning holds no head. `head`: its first line: nothing in
    it is checked but that it is an object.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.head: Mapping[str, Any] = read_certificate(self.path)
        except Unreadable as error:
            raise self.refused(error) from None

    def refused(self, why: Unreadable) -> InputError:
        """Return the error that says why it cannot be read."""
        return InputError(
            f"certificate '{self.path.name}' cannot be read: {str(why).removeprefix('the certificate: ')}"
        )

    def _pieces(self, types: int) -> Iterator[bytes]:
        """Give what it unpacks to; raise `Unreadable` where that is more than so many row types can have [Z1]."""
        return unpacked(self.path, MOST_HEAD + 1 + LINE * types)  # type: ignore[no-any-return]

    def unpack(self, types: int) -> None:
        """Unpack all of it and keep nothing [Z1, Z2]; raise `Unreadable` if it is no certificate of so many types."""
        last = b""
        for piece in self._pieces(types):
            last = piece[-1:] or last
        refuse(last != b"\n", "its last line does not end")

    def prices(self, types: int) -> Iterator[NDArray[np.int64]]:
        """Give the prices in their order, some at a time [Z3].

        There must be as many as `types`. Raise `Unreadable` if they are more or fewer, or something stands there that
        is no price.
        """
        rest, head, left = b"", True, types
        for piece in self._pieces(types):
            whole, ended, rest = (rest + piece).rpartition(b"\n")
            if head and ended:
                whole, ended = (whole + ended).partition(b"\n")[2], b""
                head = False
            refuse(len(rest) >= LINE and not head, "a line is longer than a price can be")
            some = _read(whole + ended)
            left -= len(some)
            if left < 0:
                break
            if len(some):
                yield some
        refuse(left or rest, f"it has not the {types:,} prices that its head says, one a line")


def _read(lines: bytes) -> NDArray[np.int64]:
    """Return the prices of whole lines."""
    refuse(not SOME_PRICES.fullmatch(lines), "a line behind the first is no price")
    found = list(map(int, lines.split()))
    large = bool(found) and (max(found) >= LIMIT or min(found) <= -LIMIT)  # [F4]
    refuse(large, "a price is no whole number of its size")
    return np.array(found, np.int64)
