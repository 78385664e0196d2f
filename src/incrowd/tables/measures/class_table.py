"""The classes of a table as it is: what an audit counts from."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.tables.measures.context import ClassSizes
from incrowd.tables.values import Domain, Sensitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64, Outliers


NULL, STAR = 0, 1  # codes; those of other values follow
JOINS = 12  # a longer chain of joins is too deep for the engine's layers
WORD = 62


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """The values of a sensitive column in each class, outliers left out.

    `group`, `value`: (p,) int64, number of the class and of the value (NULL is one); no pair twice, sorted. `rows`:
    (p,) int64, rows with that value in that class, at least 1.
    """

    group: Int64
    value: Int64
    rows: Int64


@dataclass(frozen=True, slots=True, eq=False)
class KindCounts:
    """The combinations of sensitive values in each class, outliers as a class of their own.

    `domain`: the judged columns over the whole table. `group`, `kind`, `rows`: (e,) int64, as
    `incrowd.tables.protocols.Requirement.meets` takes them.
    """

    domain: Domain
    group: Int64
    kind: Int64
    rows: Int64
    classes: int


def _sensitive(found: pa.Table, names: tuple[str, ...]) -> Domain:
    """Return a domain from one line per combination, in order: codes, texts and rows."""
    codes = np.stack([found.column(f"c{j}").to_numpy() for j in range(len(names))], axis=1).astype(np.int32)
    values = []
    for j in range(len(names)):
        texts = dict(zip(codes[:, j].tolist(), found.column(f"t{j}").to_pylist(), strict=True))
        values.append(tuple(texts[code] for code in range(len(texts))))
    sizes = tuple(len(some) for some in values)
    return Domain(Sensitive(codes, names, sizes), tuple(values), found.column("n").to_numpy().astype(np.int64))


@dataclass(frozen=True, slots=True)
class Bits:
    """Where the code of a column lies: some bits of a word of 62. `word`: name of the column that holds the word."""

    word: str
    shift: int
    width: int

    @property
    def mask(self) -> int:
        """The bits of this column, set."""
        return ((1 << self.width) - 1) << self.shift


@dataclass(frozen=True, slots=True, eq=False)
class AuditedClasses:
    """The classes of a table as it is.

    `types`: one line per class and outlier type: the words that hold its codes, ``size`` (rows), ``outlier`` (bool) and
    ``group`` (a number of its own). Code 0 is NULL, 1 a star text, others are equal for equal values. `bits`: per
    quasi-identifier where its code lies. `coded`: the rows of the table with the words; computed when asked. `count`:
    lines of `types`. `known`: by sensitive column what `kinds` counted, for those who ask again.
    """

    table: Table
    types: ir.Table
    bits: tuple[Bits, ...]
    coded: ir.Table
    count: int
    sizes: ClassSizes
    known: dict[str, KindCounts] = field(default_factory=dict)

    def key(self, columns: Iterable[int], types: ir.Table | None = None) -> list[ir.Value]:
        """Return expressions that are equal for lines with equal values in some quasi-identifiers.

        `columns` are the numbers of the quasi-identifiers, and `types` lines of the attribute `types` (all of them by
        default).
        """
        types = self.types if types is None else types
        masks: dict[str, int] = {}
        for j in columns:
            masks[self.bits[j].word] = masks.get(self.bits[j].word, 0) | self.bits[j].mask
        return [types[word] & ibis.literal(mask, "int64") for word, mask in masks.items()]

    def rows_where(self, column: int, code: int) -> ir.Value:
        """Return the sum of the rows whose code in quasi-identifier number `column` is `code`."""
        return ibis.ifelse(_holds(self.types, self.bits[column], code), self.types["size"], 0).sum()

    def values(self, column: str) -> ValueCounts:
        """Return how often each value of a sensitive column occurs in each class.

        There is one GROUP BY over the rows and one join with the classes. What leaves the engine is numbers, a line per
        class and value.
        """
        engine = self.table.engine
        source = next(c for c in self.table.columns if c.name == column)
        words = sorted({place.word for place in self.bits})
        types = self.types.filter(~self.types.outlier).select("group", *words)
        with engine.guard("counting the sensitive values"):
            shown = self.coded.select(*words, value=engine.text(self.coded[source.id]))
            counted = shown.group_by(*words, "value").aggregate(rows=shown.count())
            number = ibis.dense_rank().over(order_by=counted.value)
            joined = counted.mutate(number=number).join(types, words)
            found = engine.fetch(joined.select("group", "rows", value=joined.number).order_by("group", "value"))
        group, value, rows = (found.column(name).to_numpy().astype(np.int64) for name in ("group", "value", "rows"))
        return ValueCounts(group, value, rows)

    def kinds(self, columns: Sequence[str]) -> KindCounts:
        """Return how often each combination of sensitive values occurs in each class, outliers as one class.

        `columns` are the names of the sensitive columns. There is one GROUP BY over the rows and two joins with the
        classes. What leaves the engine is numbers, a line per class and combination, and the distinct values of each
        column.
        """
        engine = self.table.engine
        sources = self.table.judged(columns)
        words = sorted({place.word for place in self.bits})
        values = [f"v{j}" for j in range(len(sources))]
        with engine.guard("counting the sensitive values"):
            shown = {f"v{j}": engine.plain(self.coded[c.id]) for j, c in enumerate(sources)}
            counted = engine.keep(
                self.coded.select(*words, **shown).group_by(*words, *values).aggregate(rows=lambda r: r.count())
            )
            kinds = counted.group_by(values).aggregate(n=counted["rows"].sum())
            texts = {f"t{j}": engine.text(kinds[name]) for j, name in enumerate(values)}
            order = [[kinds[f"v{j}"].notnull(), text, kinds[f"v{j}"]] for j, text in enumerate(texts.values())]
            ranks = {f"c{j}": ibis.dense_rank().over(order_by=keys).cast("int32") for j, keys in enumerate(order)}
            every = ibis.row_number().over(order_by=[key for keys in order for key in keys])
            kinds = engine.keep(kinds.mutate(kind=every, **texts, **ranks))
            domain = _sensitive(engine.fetch(kinds.order_by("kind")), tuple(c.name for c in sources))
            same = [counted[name].identical_to(kinds[name]) for name in values]
            joined = counted.join(kinds.select("kind", *values), same).select(*words, "rows", "kind")
            placed = joined.join(self.types.select("group", *words), words).select("group", "kind", "rows")
            found = engine.fetch(placed)
            engine.drop(counted)
            engine.drop(kinds)
        group, kind, rows = (found.column(name).to_numpy().astype(np.int64) for name in ("group", "kind", "rows"))
        return KindCounts(domain, group, kind, rows, self.count)


def class_rows(table: Table, *, star: str | None, outliers: Outliers) -> AuditedClasses:
    """Class the rows of a table by its quasi-identifiers, whatever they show.

    The table is read as it is: a star is a value like any other. `star` is the text of a star (None: NULL). `outliers`
    is ``"forbid"`` or ``"suppress"``: under the latter rows of stars alone are no class. Where a star is NULL that
    includes rows that were empty from the start. A column that the engine holds as places in a list of its values has
    those for codes; per other column one GROUP BY and one join over the rows code its values. The codes share words of
    62 bits, so that this GROUP BY and every later question has whole numbers for keys. Time linear in rows times
    columns, memory in the row types and the distinct values (the engine spills beyond its limit).
    """
    engine, columns = table.engine, table.quasi_identifiers
    with engine.guard("grouping the rows"):
        domains = {j: _domain(table, c.id, j, star) for j, c in enumerate(columns) if c.id not in table.held}
        bits = _places(_numbers_of_values(table, domains))
        coded, words = _coded(table, domains, bits, star), sorted({place.word for place in bits})
        grouped = coded.group_by(words).aggregate(size=coded.count())
        code = NULL if star is None else STAR
        stars = {word: sum(code << place.shift for place in bits if place.word == word) for word in words}
        starred = [grouped[word] == ibis.literal(held, "int64") for word, held in stars.items()]
        outlier = functools.reduce(operator.and_, starred) if outliers == "suppress" else ibis.literal(False)
        types = engine.keep(grouped.mutate(outlier=outlier, group=ibis.row_number().cast("int64")))
        histogram = types.group_by("outlier", "size").aggregate(times=types.count()).order_by("size")
        found = engine.fetch(histogram).to_pylist()
    sizes = ClassSizes(
        tuple((int(f["size"]), int(f["times"])) for f in found if not f["outlier"]),
        sum(int(f["size"]) * int(f["times"]) for f in found if f["outlier"]),
    )
    return AuditedClasses(table, types, bits, coded, sum(int(f["times"]) for f in found), sizes)


def _domain(table: Table, name: str, j: int, star: str | None) -> ir.Table:
    """Return the distinct values of a column with their codes."""
    distinct = table.data.select(**{f"value{j}": table.data[name]}).distinct()
    value = distinct[f"value{j}"]
    return table.engine.keep(distinct.mutate(**{f"code{j}": _code(value, ibis.row_number(), star)}))


def _numbers_of_values(table: Table, domains: Mapping[int, ir.Table]) -> list[int]:
    """Return by column how many codes its values take at most."""
    engine, columns = table.engine, table.quasi_identifiers
    found = {j: int(engine.one(domain.aggregate(n=domain.count()))["n"]) for j, domain in domains.items()}
    held = {f"n{j}": engine.place(table.data[c.id]).max() for j, c in enumerate(columns) if j not in domains}
    last = engine.one(table.data.aggregate(**held)) if held else {}
    return [found[j] if j in domains else int(last[f"n{j}"] or 0) + 1 for j in range(len(columns))]


def _coded(table: Table, domains: Mapping[int, ir.Table], bits: Sequence[Bits], star: str | None) -> ir.Table:
    """Return the rows with the words that hold their codes in place of the quasi-identifiers: a join a domain."""
    engine, ids, joins = table.engine, [c.id for c in table.quasi_identifiers], list(domains)
    held = [j for j in range(len(ids)) if j not in domains]
    codes = {j: _code(table.data[ids[j]], engine.place(table.data[ids[j]]), star) for j in held}
    coded = _packed(table.data, codes, bits, ids)
    for first in range(0, len(joins), JOINS):
        before, coded = coded, engine.keep(coded) if first else coded
        if first > JOINS:  # what the first ones read is the table itself
            engine.forget(before)
        some, joined = joins[first : first + JOINS], coded
        for j in some:
            joined = joined.join(domains[j], [joined[ids[j]].identical_to(domains[j][f"value{j}"])])
        coded = _packed(joined, {j: joined[f"code{j}"] for j in some}, bits, ids)
    return coded


def _packed(rows: ir.Table, codes: Mapping[int, ir.Value], bits: Sequence[Bits], ids: Sequence[str]) -> ir.Table:
    """Return rows with some columns' codes added to their words."""
    words: dict[str, ir.Value] = {}
    for j, code in codes.items():
        word = bits[j].word
        before = words.get(word, rows[word] if word in rows.columns else None)
        words[word] = code * (1 << bits[j].shift) if before is None else before + code * (1 << bits[j].shift)
    gone = {*words, *(ids[j] for j in codes), *(f"{name}{j}" for j in codes for name in ("value", "code"))}
    return rows.select(*(name for name in rows.columns if name not in gone), **words)


def _code(value: ir.Value, number: ir.Value, star: str | None) -> ir.Value:
    """Return the codes of values that are numbered from 0."""
    starred = value.identical_to(star) if star is not None and value.type().is_string() else ibis.literal(False)
    return ibis.cases((value.isnull(), NULL), (starred, STAR), else_=number + STAR + 1).cast("int64")


def _places(distinct: Sequence[int]) -> tuple[Bits, ...]:
    """Lay the codes of columns with so many distinct values into words, side by side."""
    places: list[Bits] = []
    word = shift = 0
    for count in distinct:
        width = (count + STAR).bit_length()
        if shift + width > WORD:
            word, shift = word + 1, 0
        places.append(Bits(f"word{word}", shift, width))
        shift += width
    return tuple(places)


def _holds(types: ir.Table, place: Bits, code: int) -> ir.Value:
    return (types[place.word] & ibis.literal(place.mask, "int64")) == ibis.literal(code << place.shift, "int64")
