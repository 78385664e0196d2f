"""What decides, beside the seed, which of equal rows is released how: something that only the whole original tells.

Rows that are equal on the quasi-identifiers differ in columns that pass unchanged. Were the choice among them a hash of
the row and a published seed alone, everybody could compute the hash that a hidden row would have under each guess of
its values, and drop the guesses under which another of the rows had been hidden. So the hash also takes sums over all
rows of the original: equal for the same table in any order, on every engine, and unknown to whoever lacks a cell of it.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

from incrowd.tables.table import KEY

if TYPE_CHECKING:
    import ibis.expr.operations as ops
    import ibis.expr.types as ir

    from incrowd.tables.table import Table


DIGITS = 32


@ibis.udf.scalar.builtin(name="substr", signature=((dt.string, dt.int32, dt.int32), dt.string))  # type: ignore[untyped-decorator]
def _cut(text: Any, first: Any, number: Any) -> Any:
    """Return so many characters from a place on, by the engines' own word: Ibis asks whether the place is negative."""


@ibis.udf.scalar.builtin(name="ascii", signature=((dt.string,), dt.int32))  # type: ignore[untyped-decorator]
def _code(text: Any) -> Any:
    """Return the number of the first character."""


def row_salt(table: Table, seed: int) -> str:
    """Return the seed with a fingerprint of all rows; neither is written anywhere but for the seed.

    It takes 32 sums of digits of a hash of each row, in one pass: for n rows these are some 32 log2(n) / 2 bits that
    nobody can guess.
    """
    rows = table.data.select(digest=table.engine.digest([table.data[c.id] for c in table.columns]))
    found = table.engine.one(_sums(rows.op()))
    return f"{seed}|{'.'.join(str(int(found[f's{i}'] or 0)) for i in range(DIGITS))}"


def lots(table: Table, typed: ir.Table, seed: int) -> ir.Value:
    """Return the place of each row among those of its type, from 0, drawn by the seed and the whole table.

    `typed` are rows of the table with a ``row_type``.
    """
    # equal hashes mean equal rows, whose order cannot matter
    content = table.engine.content_hash([typed[c.id] for c in table.columns], row_salt(table, seed))
    return ibis.row_number().over(group_by="row_type", order_by=[content, typed[KEY]])


@functools.lru_cache(maxsize=64)  # to make the expression takes longer than to answer it for a small table
def _sums(digests: ops.Relation) -> ir.Table:
    rows = digests.to_expr()
    return rows.aggregate(**{f"s{i}": _code(_cut(rows.digest, i + 1, 1)).sum() for i in range(DIGITS)})
