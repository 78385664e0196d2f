"""SQL of expressions: what was compiled once in a process is not compiled again.

Compiling takes Ibis 5 to 20 ms an expression, far more than DuckDB needs to answer it for a small table. Engines of
one process name their tables alike, so that a second job on a table with the same columns asks mostly what the first
has asked.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import ibis

if TYPE_CHECKING:
    import ibis.expr.operations as ops
    import ibis.expr.types as ir

__all__ = ["sql_of"]

MOST = 2048  # expressions whose SQL is kept, some ten kilobytes each


def sql_of(table: ir.Table) -> str:
    """Return DuckDB's SQL of an expression.

    `table` is over tables of an engine, which it names; their connection has no part in it.

    Notes
    -----
    Equal expressions have equal SQL: their literals, names and types are equal, in the same places. Of two expressions
    that were asked for at once, both may be compiled.
    """
    return _compiled(table.op())


@functools.lru_cache(maxsize=MOST)
def _compiled(op: ops.Relation) -> str:
    sql: str = ibis.duckdb.compile(op.to_expr())
    return sql
