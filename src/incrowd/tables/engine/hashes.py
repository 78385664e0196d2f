"""Hashes of rows on DuckDB, and what every engine joins of a row before it is hashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir


@ibis.udf.scalar.builtin(name="md5_number", signature=((dt.string,), dt.Decimal(38, 0)))
def _md5_number(text: Any) -> Any:
    """Return the MD5 of a text as a number; only ever compared and sorted."""


@ibis.udf.scalar.builtin(name="md5_number_lower", signature=((dt.string,), dt.uint64))
def _md5_lower(text: Any) -> Any:
    """Return the lower half of the MD5 of a text."""


@ibis.udf.scalar.builtin(name="hash", signature=((dt.uint64, *(dt.string,) * 8), dt.uint64))
def _hash_eight(code: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Return the engine's hash of a hash and eight texts."""


class Hashes:
    """What an engine makes of the texts of rows."""

    if TYPE_CHECKING:
        text: Callable[[ir.Value], ir.Value]
        one: Callable[[ir.Table], dict[str, Any]]

    def content_hash(self, columns: Sequence[ir.Value], seed: str | None = None) -> ir.Value:
        """Return a 128-bit number that depends on the texts of the columns alone (and on a seed).

        The texts are joined with their lengths, so that different rows have different texts; equal numbers for
        different rows have a chance of about n^2 / 2^129, n the rows.
        """
        return _md5_number(self._joined(columns, "" if seed is None else f"{seed}|"))

    def digest(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return the MD5 of the texts of the columns, as 32 digits that are the same on every engine."""
        return self._joined(columns, "").hexdigest("md5")

    def row_sum(self, rows: ir.Table, columns: Sequence[ir.Value]) -> str:
        """Return the sum modulo 2^128 of the `digest` of every row, as 32 digits; an empty text counts as missing."""
        told = rows.select(digest=self.digest([self.text(column).nullif("") for column in columns]))
        parts = {f"s{i}": self.from_hex(told.digest.substr(8 * i, 8)).sum() for i in range(4)}
        found = self.one(told.aggregate(**parts))
        total = sum(int(found[f"s{i}"] or 0) << (96 - 32 * i) for i in range(4))
        return f"{total % 2**128:032x}"

    def from_hex(self, digits: ir.Value) -> ir.Value:
        """Return the whole number that a few hexadecimal digits write."""
        return (ibis.literal("0x") + digits).cast("int64")

    def short_hash(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return the lower half of such a number, which can be kept; equal for different rows about n^2 / 2^65."""
        return _md5_lower(self._joined(columns, ""))

    def fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return the number of rows and sums over their hashes: equal for equal multisets of texts.

        The hash is the engine's own (64 bits): it is compared within a session and never kept. Different rows go unseen
        with a chance of about 2^-64; it guards against our own mistakes, not against forgery.
        """
        return self.sums(rows, [self.text(column) for column in columns])

    def sums(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return a `fingerprint` of texts as they are."""
        halves = rows.select(h=self._hash(columns))
        found = self.one(
            halves.aggregate(
                n=halves.count(),
                a=(halves.h >> 32).cast("int64").sum(),
                b=(halves.h & 0xFFFFFFFF).cast("int64").sum(),
            )
        )
        return tuple(int(found[name] or 0) for name in "nab")

    def exact_fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return such numbers of the values themselves: equal for rows that the engine finds equal."""
        return self.fingerprint(rows, columns)

    def _hash(self, texts: Sequence[ir.Value]) -> ir.Value:
        """Return the engine's own hash of some texts, one after the other, so that their places count."""
        code = ibis.literal(0, "uint64")
        for first in range(0, len(texts), 8):
            some = texts[first : first + 8]
            code = _hash_eight(code, *some, *[ibis.literal("")] * (8 - len(some)))
        return code

    def _joined(self, columns: Sequence[ir.Value], joined: Any) -> ir.Value:
        texts = [self.text(column) for column in columns]
        parts = [ibis.literal(joined)]
        parts += [ibis.ifelse(text.isnull(), "n", text.length().cast("string") + ":" + text) for text in texts]
        while len(parts) > 1:  # by halves: a chain of hundreds is too deep for Ibis
            parts = [one + two for one, two in zip(parts[::2], parts[1::2], strict=False)] + parts[len(parts) & ~1 :]
        return parts[0]
