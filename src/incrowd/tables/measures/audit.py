"""What an audit says of the classes of a table: what models they meet, what columns and pairs give away."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.settings import fraction_text
from incrowd.tables.measures.class_table import is_star
from incrowd.tables.models.requirement import SensitiveModel, given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.measures.class_table import AuditedClasses

ALL_PAIRS = 20  # columns of which every pair is asked
MOST_CELLS = 2 * 10**9  # row types times columns that a kind of question may class


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
