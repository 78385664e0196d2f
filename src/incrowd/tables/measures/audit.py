"""What an audit says of the classes of a table: what models they meet, what columns and pairs give away."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np

from incrowd.settings import fraction_text
from incrowd.tables.coded import coded_column
from incrowd.tables.measures.context import ClassSizes
from incrowd.tables.models.requirement import SensitiveModel, given
from incrowd.tables.values import Domain, Sensitive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64, Outliers

    Kinds = tuple[Domain, Int64, Int64, Int64]

ALL_PAIRS = 20  # columns of which every pair is asked
MOST_CELLS = 2 * 10**9  # row types times columns that a kind of question may class


# The classes of a table as it is: what an audit counts from.
@dataclass(frozen=True, slots=True, eq=False)
class AuditedClasses:
    """The classes of a table as it is.

    `types`: one line per class and outlier type: the quasi-identifiers by their ids, ``size`` (rows), ``outlier``
    (bool) and ``group`` (a number of its own). `star`: the text of a star (None: NULL). `count`: lines of `types`.
    `known`: by sensitive columns what `kinds` counted, for those who ask again.
    """

    table: Table
    types: ir.Table
    star: str | None
    count: int
    sizes: ClassSizes
    known: dict[Sequence[str], Kinds] = field(default_factory=dict)

    def key(self, columns: Iterable[int], types: ir.Table | None = None) -> list[ir.Value]:
        """Return what is equal for lines with equal values in some quasi-identifiers.

        `columns` are the numbers of the quasi-identifiers, and `types` lines of the attribute `types` (all of them by
        default).
        """
        types, every = self.types if types is None else types, self.table.quasi_identifiers
        return [types[every[j].id] for j in columns]

    def kinds(self, columns: tuple[str, ...]) -> Kinds:
        """Return how often each combination of sensitive values occurs in each class, outliers as one class.

        `columns` are the names of the sensitive columns, and the answer is their domain over the whole table, and
        (e,) int64 each the class, the combination and the rows, as `incrowd.tables.protocols.Requirement.meets` takes
        them. There is one GROUP BY over the rows and two joins with the classes. What leaves the engine is numbers, a
        line per class and combination, and the distinct combinations.
        """
        if columns in self.known:
            return self.known[columns]
        engine = self.table.engine
        sources = self.table.judged(columns)
        ids, values = [c.id for c in self.table.quasi_identifiers], [f"v{j}" for j in range(len(sources))]
        with engine.guard("counting the sensitive values"):
            data = self.table.data
            shown = data.select(*ids, **{f"v{j}": engine.plain(data[c.id]) for j, c in enumerate(sources)})
            counted = engine.keep(shown.group_by(*ids, *values).aggregate(rows=shown.count()))
            kinds = counted.group_by(values).aggregate(n=counted["rows"].sum())
            texts = {f"t{j}": engine.text(kinds[name]) for j, name in enumerate(values)}
            kinds = engine.keep(kinds.mutate(kind=ibis.row_number().cast("int64"), **texts))
            told = engine.fetch(kinds.select("kind", "n", *texts).order_by("kind"))
            same = [counted[name].identical_to(kinds[name]) for name in values]
            joined = counted.join(kinds.select("kind", *values), same).select(*ids, "rows", "kind")
            placed = joined.join(self.types, [joined[name].identical_to(self.types[name]) for name in ids])
            found = engine.fetch(placed.select("group", "kind", "rows"))
            engine.drop(counted)
            engine.drop(kinds)
        codes, known = zip(*(coded_column(told.column(name)) for name in texts), strict=True)
        names, sizes = tuple(c.name for c in sources), tuple(len(some) for some in known)
        sensitive = Sensitive(np.stack(codes, axis=1), names, sizes)
        domain = Domain(sensitive, known, told.column("n").to_numpy().astype(np.int64))
        group, kind, rows = (found.column(name).to_numpy().astype(np.int64) for name in ("group", "kind", "rows"))
        self.known[columns] = domain, group, kind, rows
        return self.known[columns]


def class_rows(table: Table, *, star: str | None, outliers: Outliers) -> AuditedClasses:
    """Class the rows of a table by its quasi-identifiers, whatever they show.

    The table is read as it is: a star is a value like any other. `star` is the text of a star (None: NULL). `outliers`
    is ``"forbid"`` or ``"suppress"``: under the latter rows of stars alone are no class. Where a star is NULL that
    includes rows that were empty from the start. One GROUP BY over the rows; memory in the row types (the engine spills
    beyond its limit).
    """
    engine = table.engine
    with engine.guard("grouping the rows"):
        ids = [c.id for c in table.quasi_identifiers]
        grouped = table.data.group_by(ids).aggregate(size=lambda rows: rows.count())
        starred = [is_star(grouped[name], star) for name in ids]
        outlier = ibis.and_(*starred) if outliers == "suppress" else ibis.literal(False)
        types = engine.keep(grouped.mutate(outlier=outlier, group=ibis.row_number().cast("int64")))
        sizes = ClassSizes.of(engine, types)
    return AuditedClasses(table, types, star, sizes.count + bool(sizes.outliers), sizes)  # outliers are one line


def is_star(cell: ir.Value, star: str | None) -> ir.Value:
    """Return whether a cell of a table as it is counts as a star."""
    if star is None:
        return cell.isnull()
    return cell.identical_to(star) if cell.type().is_string() else ibis.literal(False)


# What models they meet.
def audit_models(
    classes: AuditedClasses, models: Sequence[Any], asked: Sequence[Any], sensitive: Sequence[str]
) -> list[dict[str, Any]]:
    """Return which threshold of each model the classes reach, and whether what was asked is met.

    Of the registered `models`, those about sensitive values are measured on every sensitive column, the others (by
    their `reached` and `failing`) once. The first setting of each model in `asked` is the threshold. Every dict has
    ``name``, ``column``, ``reached``, ``asked``, ``ok``, ``failing_classes`` and ``failing_rows``; the last four are
    None where nothing was asked. Models about sensitive values also have ``settings``, those beside the threshold, and
    ``reached_exact`` where the number is none.
    """
    found = []
    for model in models:
        mine = [one for one in asked if type(one) is model]
        if issubclass(model, SensitiveModel):
            found += _bound(classes, model, mine, sensitive)
            continue
        for one in mine or [None]:
            failing = None if one is None else one.failing(classes.sizes)
            found.append(_line(one or model, None, model.reached(classes.sizes), failing))
    return found


def _bound(
    classes: AuditedClasses, model: Any, asked: Sequence[Any], sensitive: Sequence[str]
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the lines of a model about sensitive values: what was asked, and what it measures besides."""
    found = []
    threshold = _threshold(model)
    wanted = list(asked)
    for column in sensitive:
        for probe in model.probes(column, classes.kinds((column,))[0].values[0]):
            alike = [dataclasses.replace(one, **{threshold: getattr(probe, threshold)}) for one in asked]
            if probe not in alike:
                wanted.append(probe)
    for one in wanted:
        domain, group, kind, rows = classes.kinds(one.judged)
        requirement = one.bind(domain)
        reached, failing = requirement.reached(group, kind, rows, classes.count), None
        if one in asked:
            bad = ~requirement.meets(group, kind, rows, classes.count)
            failing = int(bad.sum()), int(rows[bad[group]].sum())
        line = _line(one, ", ".join(one.judged), reached, failing)
        beside = {name: value for name, value in given(one).items() if name not in (threshold, "column", "columns")}
        found.append(line | {"settings": {name: _plain(value) for name, value in beside.items()}})
    return found


def _line(model: Any, column: str | None, reached: Any, failing: tuple[int, int] | None) -> dict[str, Any]:
    """Return what a model reaches, and where it is asked how many classes and rows fail it."""
    found = {"name": model.name, "column": column, **number_facts("reached", reached), "asked": None, "ok": None}
    if failing is None:
        return {**found, "failing_classes": None, "failing_rows": None}
    told = {"ok": failing[0] == 0, "failing_classes": failing[0], "failing_rows": failing[1]}
    return {**found, **told, **number_facts("asked", getattr(model, _threshold(model)))}


def _threshold(model: Any) -> str:
    return str(dataclasses.fields(model)[0].name)


def _plain(value: Any) -> Any:
    """Return a setting as JSON has it; of a matrix, a tree and an order only that they are given."""
    if isinstance(value, Fraction):
        return fraction_text(value)
    return value if isinstance(value, (str, bool)) else "given"


def number_facts(name: str, value: Any) -> dict[str, Any]:
    """Return a value as JSON writes it, and exactly where that is not exact."""
    if not isinstance(value, Fraction):
        return {name: value}
    if value.denominator == 1:
        return {name: int(value)}
    exact = {} if Fraction(repr(float(value))) == value else {f"{name}_exact": f"{value.numerator}/{value.denominator}"}
    return {name: float(value), **exact}


def audit_columns(
    classes: AuditedClasses, report: Callable[..., None]
) -> tuple[list[dict[str, Any]], list[Distinction]]:
    """Return what each quasi-identifier gives away, alone and in the company of the others.

    `report` is told the progress, as `columns_left_out`. The dicts are in the user's order. They have ``name``,
    ``distinct`` (values, NULL is one), ``missing`` and ``stars`` (rows), ``alone_unique`` (rows whose value is theirs
    alone), ``distinction``, ``separation`` and ``unique_without``: the rows that would be unique (and no outliers) were
    this column left out, or None where counting that takes more than the work limit. The second list has the same as
    counts.
    """
    engine, types = classes.table.engine, classes.types
    columns = classes.table.quasi_identifiers
    m = len(columns)
    apart = [one for some in measure_distinction(engine, types, [classes.key([j]) for j in range(m)]) for one in some]
    holes = _holes(classes)
    without = list[int | None]()
    if classes.count * m * (m - 1) <= MOST_CELLS:
        shown = types.filter(~types.outlier)
        for some in measure_distinction(
            engine, shown, [classes.key((i for i in range(m) if i != j), shown) for j in range(m)]
        ):
            without += [one.unique for one in some]
            report(columns_left_out=len(without))
    lines = [
        {
            "name": column.name,
            "distinct": alone.distinct,
            "missing": missing,
            "stars": stars,
            "alone_unique": alone.unique,
            "distinction": alone.distinction,
            "separation": alone.separation,
            "unique_without": unique,
        }
        for column, alone, (missing, stars), unique in zip(columns, apart, holes, without or [None] * m, strict=True)
    ]
    return lines, apart


def _holes(classes: AuditedClasses) -> list[tuple[int, int]]:
    """Return per column the rows that are NULL and those that show a star."""
    engine, types = classes.table.engine, classes.types
    sums = {}
    for j, cell in enumerate(classes.key(range(len(classes.table.quasi_identifiers)))):
        sums[f"null{j}"] = ibis.ifelse(cell.isnull(), types["size"], 0).sum()
        sums[f"star{j}"] = ibis.ifelse(is_star(cell, classes.star), types["size"], 0).sum()
    with engine.guard("counting missing values"):
        found = list(engine.one(types.aggregate(**sums)).values())
    return [(int(null), int(star)) for null, star in zip(found[::2], found[1::2], strict=True)]


def audit_pairs(
    classes: AuditedClasses, apart: Sequence[Distinction], report: Callable[..., None]
) -> list[dict[str, Any]]:
    """Return what pairs of quasi-identifiers give away, the most telling first.

    All pairs of up to 20 columns, else those of the 20 columns that separate most; of these as many as the work limit
    (2 * 10^9 cells to class) allows, those with the most possible combinations first. `apart` is what each
    quasi-identifier tells apart by itself, as `audit_columns` returns it, and `report` hears the progress, as `pairs`.
    Every dict has ``columns``, ``distinct``, ``unique`` (rows), ``distinction`` and ``separation``.
    """
    names = [c.name for c in classes.table.quasi_identifiers]
    best = sorted(sorted(range(len(apart)), key=lambda j: (apart[j].alike, j))[:ALL_PAIRS])
    pairs = sorted(itertools.combinations(best, 2), key=lambda pair: -apart[pair[0]].distinct * apart[pair[1]].distinct)
    pairs = pairs[: max(1, MOST_CELLS // (2 * classes.count))]
    found: list[Distinction] = []
    for some in measure_distinction(classes.table.engine, classes.types, [classes.key(pair) for pair in pairs]):
        found += some
        report(pairs=len(found))
    order = sorted(range(len(pairs)), key=lambda i: (-found[i].unique, found[i].alike, i))
    return [
        {
            "columns": [names[j] for j in pairs[i]],
            "distinct": found[i].distinct,
            "unique": found[i].unique,
            "distinction": found[i].distinction,
            "separation": found[i].separation,
        }
        for i in order
    ]


# Distinction and separation: how well a set of columns tells the rows of a table apart.
BATCH = 24  # questions in one query: the engine plans them together, and keeps at most this many groupings


@dataclass(frozen=True, slots=True)
class Distinction:
    """How well a set of columns tells rows apart.

    `distinct`: distinct combinations of values (NULL is a value). `unique`: rows whose combination no other row has.
    `alike`: ordered pairs of different rows with the same combination.
    """

    rows: int
    distinct: int
    unique: int
    alike: int

    @property
    def distinction(self) -> float:
        """Distinct combinations over rows: the most rows that these columns are a key for; 1 is a key."""
        return self.distinct / self.rows

    @property
    def separation(self) -> float | None:
        """Share of the pairs of rows that differ in some of the columns (None for a single row)."""
        pairs = self.rows * (self.rows - 1)
        return (pairs - self.alike) / pairs if pairs else None


def measure_distinction(
    engine: Engine, types: ir.Table, sets: Sequence[Sequence[ir.Value]]
) -> Iterator[list[Distinction]]:
    """Measure sets of columns, some sets at a time.

    `types` has one line per row type or finer, with ``size``: how many rows it stands for. A set has columns of
    `types`, or what is equal for lines with equal values; the empty set tells nothing apart. The lists are in the order
    of `sets` and together have one Apart for each.

    Notes
    -----
    One GROUP BY per set over the lines of `types`; memory grows with the distinct combinations of a batch.

    References
    ----------
    R. Motwani, Y. Xu, "Efficient Algorithms for Masking and Finding Quasi-Identifiers", SDM Workshop on
    Practical Privacy-Preserving Data Mining, 2008: alpha-distinct (a key once at most a share 1 - alpha of the
    rows is taken away) and alpha-separation (a share alpha of the pairs is separated).
    """
    for first in range(0, len(sets), BATCH):
        asked = [
            _count(types, keys).mutate(number=ibis.literal(i, "int64"))
            for i, keys in enumerate(sets[first : first + BATCH])
        ]
        with engine.guard("counting what columns tell apart"):
            found = engine.fetch(asked[0] if len(asked) == 1 else ibis.union(*asked, distinct=False)).to_pylist()
        yield [
            Distinction(*(int(line[name] or 0) for name in ("rows", "distinct", "unique", "alike")))
            for line in sorted(found, key=lambda line: line["number"])
        ]


def _count(types: ir.Table, keys: Sequence[ir.Value]) -> ir.Table:
    rows = types["size"].sum().cast("int64")
    named = {f"key{i}": key for i, key in enumerate(keys)}
    classes = types.group_by(**named).aggregate(rows=rows) if keys else types.aggregate(rows=rows)
    many = classes["rows"].cast("decimal(38, 0)")  # squares of ten digits do not fit 64 bits
    return classes.aggregate(
        rows=classes["rows"].sum().cast("int64"),
        distinct=classes.count(),
        unique=ibis.ifelse(classes["rows"] == 1, 1, 0).sum().cast("int64"),
        alike=(many * (many - 1)).sum().cast("decimal(38, 0)"),
    )
