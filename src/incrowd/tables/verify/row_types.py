"""The row types of an original table, counted by the check itself.

Not the crossing that the solvers use: its own grouping, its own ranks. Only the order is shared, for it is the
certificate's: row types sorted by the UTF-8 bytes of their values, NULL first.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.release.costs import Fitted


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Row types with counts.

    `codes`: (t, m) int32, rank of each value in its column; types in lexicographic order. `counts`: (t,) int64.
    `lines`: tuple of (d,) int64 or None, length m, line of each rank in its column's hierarchy.
    """

    codes: NDArray[np.int32]
    counts: NDArray[np.int64]
    lines: tuple[NDArray[np.int64] | None, ...] = ()


def grouped(engine: Engine, rows: ir.Table, columns: Sequence[ir.Value]) -> ir.Table:
    """Return the distinct rows on some columns, ``v0``, ``v1``, ..., with their counts ``n``; they stay in the engine.

    `columns` are the m quasi-identifiers, columns of `rows`. It takes one GROUP BY.
    """
    with engine.guard("counting the original's row types"):
        values = rows.select(**{f"v{j}": engine.plain(column) for j, column in enumerate(columns)})
        return engine.keep(values.group_by(values.columns).aggregate(n=lambda r: r.count()))


def count_types(
    engine: Engine,
    rows: ir.Table,
    columns: Sequence[ir.Value],
    hierarchies: Mapping[int, Fitted] = MappingProxyType({}),
) -> Counted:
    """Count the distinct rows on some columns of `rows`.

    `columns` are the m quasi-identifiers. `hierarchies` are by the place of the column, which is text then. One
    GROUP BY and m sorts of its result; integers alone leave the engine, 8 m + 8 bytes a type.
    """
    return _counted(engine, grouped(engine, rows, columns), hierarchies, told=len(columns))[0]


def _counted(
    engine: Engine, types: ir.Table, hierarchies: Mapping[int, Fitted], told: int
) -> tuple[Counted, tuple[tuple[str | None, ...], ...]]:
    """Return grouped rows counted, and by rank the texts of the columns from place `told` on; `types` is forgotten."""
    m = len(types.columns) - 1
    with engine.guard("counting the original's row types"):
        ranks = {}
        for j in range(m):
            text = engine.text(types[f"v{j}"])
            known = text.notnull().cast("int8")
            # [T1] equal values have equal texts, so ties are equal values
            ranks[f"r{j}"] = ibis.dense_rank().over(order_by=[known, text]).cast("int32")
        found = engine.fetch(types.select("n", **ranks))
        texted = [types.select(value=engine.text(types[f"v{j}"]), rank=ranks[f"r{j}"]).distinct() for j in range(m)]
        lines = [lines_of_ranks(engine, texted[j], hierarchies.get(j)) for j in range(m)]
        texts = tuple(_texts_of(engine, types, j, ranks[f"r{j}"]) for j in range(told, m))
        engine.drop(types)
    codes = np.stack([found.column(f"r{j}").to_numpy() for j in range(m)], axis=1).astype(np.int32)
    order = np.lexsort(codes.T[::-1])  # [T2]
    counts = found.column("n").to_numpy().astype(np.int64)[order]
    return Counted(np.ascontiguousarray(codes[order]), counts, tuple(lines)), texts


def lines_of_ranks(engine: Engine, ranked: ir.Table, fitted: Fitted | None) -> NDArray[np.int64] | None:
    """Return the line of each rank of a column in its hierarchy, shape (d,); None where it has no hierarchy.

    `ranked` has the text ``value`` and the ``rank`` of each of the column's d values.
    """
    if fitted is None:
        return None
    leaves = [line[0] for line in fitted.shown()]
    known = engine.put(
        pa.table({"leaf": pa.array(leaves, pa.string()), "line": pa.array(range(len(leaves)), pa.int64())})
    )
    found = engine.fetch(ranked.join(known, ranked.value.identical_to(known.leaf)).select("rank", "line"))
    lines = np.empty(found.num_rows, np.int64)
    lines[found.column("rank").to_numpy()] = found.column("line").to_numpy()
    return lines


def count_kinds(
    engine: Engine,
    rows: ir.Table,
    columns: Sequence[ir.Value],
    sensitive: Mapping[str, ir.Value],
    hierarchies: Mapping[int, Fitted] = MappingProxyType({}),
) -> tuple[Counted, NDArray[np.int64], dict[tuple[str | None, ...], int]]:
    """Count the distinct rows on some columns and sensitive ones beside them.

    `columns` are the m quasi-identifiers and `sensitive` the s sensitive columns in the table's order, all of them
    columns of `rows`. `hierarchies` are by the place of the column. Returns three things. The types are in
    lexicographic order of the quasi-identifiers' ranks, then of the sensitive columns', and have the codes of the
    quasi-identifiers. The kinds (t,) are which combination of sensitive values each type has. The rows of every
    combination, which stands as texts, are what the check's readings of models are asked with. The cost is that of
    `count_types`; the distinct texts of the sensitive columns leave the engine besides.
    """
    m = len(columns)
    found, texts = _counted(engine, grouped(engine, rows, [*columns, *sensitive.values()]), hierarchies, told=m)
    kinds, place = np.unique(found.codes[:, m:], axis=0, return_inverse=True)
    kind = place.reshape(-1).astype(np.int64)
    times = np.zeros(len(kinds), np.int64)
    np.add.at(times, kind, found.counts)
    lines = [tuple(column[code] for column, code in zip(texts, line, strict=True)) for line in kinds.tolist()]
    codes = np.ascontiguousarray(found.codes[:, :m])
    return Counted(codes, found.counts, found.lines[:m]), kind, dict(zip(lines, times.tolist(), strict=True))


def _texts_of(engine: Engine, types: ir.Table, j: int, rank: ir.Value) -> tuple[str | None, ...]:
    """Return the texts of a column by rank, NULL as None."""
    found = engine.fetch(types.select(text=engine.text(types[f"v{j}"]), rank=rank).distinct())
    by_rank = dict(zip(found.column("rank").to_pylist(), found.column("text").to_pylist(), strict=True))
    return tuple(by_rank[rank] for rank in range(len(by_rank)))
