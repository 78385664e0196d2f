"""Distinction and separation: how well a set of columns tells the rows of a table apart."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine

__all__ = ["Apart", "pairs_to_ask", "tell_apart"]

BATCH = 24  # questions in one query: the engine plans them together, and keeps at most this many groupings


@dataclass(frozen=True, slots=True)
class Apart:
    """How well a set of columns tells rows apart.

    Attributes
    ----------
    rows : int
    distinct : int
        Distinct combinations of values (NULL is a value).
    unique : int
        Rows whose combination no other row has.
    alike : int
        Ordered pairs of different rows with the same combination.
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


def tell_apart(engine: Engine, types: ir.Table, sets: Sequence[Sequence[ir.Value]]) -> Iterator[list[Apart]]:
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
            Apart(*(int(line[name] or 0) for name in ("rows", "distinct", "unique", "alike")))
            for line in sorted(found, key=lambda line: line["number"])
        ]


def _count(types: ir.Table, keys: Sequence[ir.Value]) -> ir.Table:
    rows = types["size"].sum().cast("int64")
    named = {f"key{i}": key for i, key in enumerate(keys)}
    groups = types.group_by(**named).aggregate(rows=rows) if keys else types.aggregate(rows=rows)
    many = groups["rows"].cast("decimal(38, 0)")  # squares of ten digits do not fit 64 bits
    return groups.aggregate(
        rows=groups["rows"].sum().cast("int64"),
        distinct=groups.count(),
        unique=ibis.ifelse(groups["rows"] == 1, 1, 0).sum().cast("int64"),
        alike=(many * (many - 1)).sum().cast("decimal(38, 0)"),
    )


def pairs_to_ask(apart: Sequence[Apart], *, columns: int, most: int) -> list[tuple[int, int]]:
    """Return the pairs of columns worth measuring, the most telling first.

    `apart` is what each column tells apart alone. `columns` says of how many columns all pairs are taken: of all
    columns, or else of those that separate most. There are at most `most` pairs. A pair has the positions of its
    columns, the first one smaller, and pairs come by falling number of combinations there could be.
    """
    best = sorted(sorted(range(len(apart)), key=lambda j: (apart[j].alike, j))[:columns])
    pairs = itertools.combinations(best, 2)
    return sorted(pairs, key=lambda pair: -apart[pair[0]].distinct * apart[pair[1]].distinct)[:most]
