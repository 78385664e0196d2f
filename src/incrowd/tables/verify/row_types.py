"""The row types of an original table, counted by the check itself.

Not the crossing that the solvers use: its own grouping, its own ranks. Only the order is shared, for it is the
certificate's: row types sorted by the UTF-8 bytes of their values, NULL first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Row types with counts, told apart by m quasi-identifiers and s sensitive columns.

    `codes`: (t, m + s) int32, rank of each value in its column; types in lexicographic order. `counts`: (t,) int64.
    `lines`: tuple of (d,) int64 or None, length m, line of each rank in its column's hierarchy. `texts`: by sensitive
    column and rank, NULL as None.
    """

    codes: NDArray[np.int32]
    counts: NDArray[np.int64]
    lines: tuple[NDArray[np.int64] | None, ...]
    texts: tuple[tuple[str | None, ...], ...]


def grouped(engine: Engine, rows: ir.Table, columns: Sequence[ir.Value]) -> ir.Table:
    """Return the distinct rows on some columns, ``v0``, ``v1``, ..., with their counts ``n``; they stay in the engine.

    `columns` are the m quasi-identifiers, columns of `rows`. It takes one GROUP BY.
    """
    with engine.guard("counting the original's row types"):
        values = rows.select(**{f"v{j}": engine.plain(column) for j, column in enumerate(columns)})
        return engine.keep(values.group_by(values.columns).aggregate(n=lambda r: r.count()))


def count_types(
    engine: Engine, rows: ir.Table, columns: Sequence[ir.Value], sensitive: Sequence[ir.Value],
    hierarchies: Mapping[int, Any],
) -> Counted:  # fmt: skip
    """Count the distinct rows on some columns of `rows`.

    `columns` are the m quasi-identifiers, and `sensitive` the s columns beside them by which types are told apart.
    `hierarchies` are by the place of the quasi-identifier, which is text then. One GROUP BY and m + s sorts of its
    result; of the quasi-identifiers integers alone leave the engine, 8 bytes a column and type.
    """
    types = grouped(engine, rows, [*columns, *sensitive])
    m, width = len(columns), len(columns) + len(sensitive)
    with engine.guard("counting the original's row types"):
        ranks, told = {}, {}
        for j in range(width):
            text = engine.text(types[f"v{j}"])
            known = text.notnull().cast("int8")
            # [T1] equal values have equal texts, so ties are equal values
            ranks[f"r{j}"] = ibis.dense_rank().over(order_by=[known, text]).cast("int32")
            if j >= m or j in hierarchies:
                told[j] = types.select(value=text, rank=ranks[f"r{j}"]).distinct()
        found = engine.fetch(types.select("n", **ranks))
        lines = [lines_of_ranks(engine, told[j], hierarchies[j]) if j in told else None for j in range(m)]
        values = tuple(tuple(engine.fetch(told[j].order_by("rank"))["value"].to_pylist()) for j in range(m, width))
        engine.drop(types)
    codes = np.stack([found.column(f"r{j}").to_numpy() for j in range(width)], axis=1).astype(np.int32)
    order = np.lexsort(codes.T[::-1])  # [T2]
    counts = found.column("n").to_numpy().astype(np.int64)[order]
    return Counted(np.ascontiguousarray(codes[order]), counts, tuple(lines), values)


def lines_of_ranks(engine: Engine, ranked: ir.Table, tree: Any) -> NDArray[np.int64]:
    """Return the line of each rank of a column in its hierarchy, shape (d,).

    `ranked` has the text ``value`` and the ``rank`` of each of the column's d values.
    """
    leaves = [line[0] for line in tree.shown]
    known = engine.put(
        pa.table({"leaf": pa.array(leaves, pa.string()), "line": pa.array(range(len(leaves)), pa.int64())})
    )
    found = engine.fetch(ranked.join(known, ranked.value.identical_to(known.leaf)).select("rank", "line"))
    lines = np.empty(found.num_rows, np.int64)
    lines[found.column("rank").to_numpy()] = found.column("line").to_numpy()
    return lines
