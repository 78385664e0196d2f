"""Rows of the engine as codes and counts: the one way for those who read distinct rows by their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Int32, Int64

    Coded = tuple[Int32, Int64, list[tuple[str | None, ...]]]


def coded(engine: Engine, rows: ir.Table, columns: Sequence[str]) -> Coded:
    """Return the codes of distinct rows, how many rows are like each, and what the codes of each column stand for.

    The codes are (t, m), the numbers of rows (t,), and there is a tuple of texts by code for each of the m columns
    (None: a missing value). They are in the order of the texts, whatever that of the table, so that what is drawn by
    place is drawn by the seed alone. One GROUP BY; O(m t log t) for t distinct rows, 4 m bytes each.
    """
    return _counted(engine, _texts(engine, rows, columns))


def coded_alike(
    engine: Engine, tables: Sequence[tuple[ir.Table, Sequence[str]]]
) -> tuple[list[tuple[Int32, Int64]], list[tuple[str | None, ...]]]:
    """Return codes and counts of several tables, and what the codes of each column stand for in all of them.

    Each comes with its columns, as many as the others have, and is coded as by `coded`; one GROUP BY over all.
    """
    each = [_texts(engine, rows, columns).mutate(q=ibis.literal(str(i))) for i, (rows, columns) in enumerate(tables)]
    codes, counts, texts = _counted(engine, ibis.union(*each, distinct=False))
    table = np.array([int(text or 0) for text in texts[-1]], np.int64)[codes[:, -1]]
    return [(codes[table == i, :-1], counts[table == i]) for i in range(len(tables))], texts[:-1]


def _texts(engine: Engine, rows: ir.Table, columns: Sequence[str]) -> ir.Table:
    return rows.select(**{f"q{j}": engine.text(rows[column]) for j, column in enumerate(columns)})


def _counted(engine: Engine, texts: ir.Table) -> Coded:
    names = list(texts.columns)
    table = engine.fetch(texts.group_by(names).aggregate(n=lambda some: some.count().cast("int64")))
    codes = np.empty((table.num_rows, len(names)), np.int32)
    known = []
    for j, name in enumerate(names):
        codes[:, j], shown = coded_column(table.column(name))
        known.append(shown)
    sorting = np.lexsort(codes.T[::-1])
    return codes[sorting], table.column("n").to_numpy().astype(np.int64)[sorting], known


def coded_column(cells: pa.ChunkedArray) -> tuple[Int32, tuple[str | None, ...]]:
    """Return the codes of a column of texts, (t,), and what they stand for, in order (None, a missing value, first)."""
    encoded = cells.combine_chunks().dictionary_encode(null_encoding="encode")
    shown = encoded.dictionary.to_pylist()
    order = sorted(range(len(shown)), key=lambda code: (shown[code] is not None, shown[code] or ""))
    place = np.empty(len(shown), np.int32)
    place[order] = np.arange(len(shown))
    return place[encoded.indices.to_numpy(zero_copy_only=False)], tuple(shown[code] for code in order)
