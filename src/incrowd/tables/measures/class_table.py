"""The classes of a table as it is: what an audit counts from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.tables.coded import coded_column
from incrowd.tables.measures.context import ClassSizes
from incrowd.tables.values import Domain, Sensitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64, Outliers

    Kinds = tuple[Domain, Int64, Int64, Int64]


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
