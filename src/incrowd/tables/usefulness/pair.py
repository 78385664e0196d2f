"""Original and release as the engine holds them, made the same integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.usefulness.coded_tables import CodedTables, coded_column, coded_rows
from incrowd.tables.verify.release.range_labels import read_labels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int64

__all__ = ["coded_pair", "coded_release"]


def coded_pair(
    engine: Engine,
    original: ir.Table,
    released: ir.Table,
    names: Mapping[str, str],
    *,
    changing: Collection[str],
    star: str | None,
    hierarchies: Mapping[str, Fitted],
    ranges: bool,
) -> CodedTables:
    """Return both tables coded.

    The engine holds both; they have the columns of `names`, which maps the engine's name of a column to the user's. The
    `changing` columns may show other labels than the original's values. `star` is the text of a star (None: NULL). The
    `hierarchies` are by the user's name. `ranges` says whether changed cells show ranges.

    Raises InputError if a released cell is neither a value of the original nor a label for some. One GROUP BY over each
    table; what comes out grows with the distinct rows.
    """
    with engine.guard("counting the rows of both tables"):
        read = []
        for table in (original, released):
            texts = table.select(**{short: engine.text(table[short]) for short in names})
            grouped = texts.group_by(list(names)).aggregate(n=lambda r: r.count().cast("int64"))
            read.append(coded_rows(engine.fetch(grouped), list(names)))
    (codes, rows, values), (shown, counts, labels) = read
    columns = tuple(
        coded_column(
            name, values[j], labels[j], changing=name in changing, star=star, fitted=hierarchies.get(name),
            ranges=_ranges(values[j], labels[j], name) if ranges and name in changing else None,
        )
        for j, name in enumerate(names.values())
    )  # fmt: skip
    return CodedTables(columns, codes, rows, shown, counts)


def _ranges(values: tuple[str | None, ...], labels: tuple[str | None, ...], name: str) -> dict[str | None, Int64]:
    reading = read_labels(values, labels, name)
    ends = np.cumsum(np.bincount(reading.label, minlength=len(reading.labels)))
    # pairs of a label stand together
    return dict(zip(reading.labels, np.split(reading.value, ends[:-1]), strict=False))


def coded_release(release: Expanded, others: Sequence[str], *, ranges: bool) -> CodedTables:
    """Return a release that is still in its engine, coded beside the table that it was made of.

    `others` are the columns of the release beside its quasi-identifiers that are looked at. `ranges` says whether
    changed cells show ranges. Raises InputError if the engine was closed.
    """
    table = release.table
    judged = [column for column in table.others if column.name in others]
    names = {column.id: column.name for column in (*table.quasi_identifiers, *judged)}
    return coded_pair(
        table.engine, table.data, release.rows, names, changing=table.roles.quasi_identifiers, star=release.star,
        hierarchies={names[short]: ladder.fitted for short, ladder in table.ladders.items()}, ranges=ranges,
    )  # fmt: skip
