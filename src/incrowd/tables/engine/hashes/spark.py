"""Hashes of rows on Spark: those that order a release sort as DuckDB's do."""

from __future__ import annotations

import decimal
from typing import TYPE_CHECKING

import ibis

from incrowd.tables.engine import spark_functions as functions
from incrowd.tables.engine.hashes.duckdb import Hashes
from incrowd.tables.engine.spark_join import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir

__all__ = ["SparkHashes"]


class SparkHashes(Hashes):
    """What Spark makes of the texts of rows."""

    def content_hash(self, columns: Sequence[ir.Value], seed: str | None = None) -> ir.Value:
        """Return a text that sorts as the number of `Engine.content_hash` does.

        That number is the MD5 with its last byte first, and 38 digits are more than Spark's numbers have.
        """
        joined = self._joined(columns, "" if seed is None else f"{seed}|")
        backwards = functions.decode(functions.unhex(joined.hexdigest("md5")), "ISO-8859-1").reverse()
        return functions.in_hex(functions.encode(backwards, "ISO-8859-1"))

    def short_hash(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return a number that sorts as that of `Engine.short_hash` does: less by 2^63, for Spark's have a sign.

        What DuckDB calls the lower half of its number is the one with the greater weight.
        """
        number = functions.conv(self.content_hash(columns).substr(0, 16), 16, 10).cast("decimal(20, 0)")
        return (number - ibis.literal(decimal.Decimal(1 << 63), "decimal(20, 0)")).cast("int64")

    def fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return the number of rows and sums over their hashes: equal for equal multisets of texts."""
        return self.exact_fingerprint(rows, [self.text(column) for column in columns])

    def exact_fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return such numbers of the values themselves: equal for rows that the engine finds equal."""
        return self.counted_fingerprint(rows, columns, {})[0]

    def counted_fingerprint(
        self, rows: ir.Table, columns: Sequence[ir.Value], marks: Mapping[str, ir.Value]
    ) -> tuple[tuple[int, ...], dict[str, int]]:
        """Return an `exact_fingerprint`, and how many rows have each mark, of one pass over the rows."""
        return counted(self, rows, columns, marks)
