"""Text columns held by DuckDB as places in sorted lists of their values (its ENUM type), where the values are few.

A cell is one or two bytes then and not sixteen or more: rows are grouped, joined, compared and sorted about three times
faster and take a tenth of the memory. To Ibis such a column is text, and to DuckDB it compares, groups and sorts as
text; only where a function of DuckDB's takes any type and looks at the type (hashes, casts to numbers) must it be
turned into text first, which `incrowd.tables.engine.base.Engine.text` does.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

from incrowd.tables.engine.sql import sql_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import ibis.expr.types as ir

__all__ = ["SETUP", "batched", "listed_columns", "place_in_list", "plain_text"]

MOST_VALUES = 50_000  # of a column whose cells become places: two bytes each
SAMPLE = 1 << 17
FEW, SHARE = 1000, 0.1  # values in a sample, or that share of it: where more differ a list is hardly used twice
TOGETHER = 32  # columns whose values are counted in one query
SETUP = "CREATE TEMP MACRO incrowd_text(cell) AS CAST(cell AS VARCHAR)"


@ibis.udf.scalar.builtin(name="incrowd_text", signature=((dt.string,), dt.string))  # type: ignore[untyped-decorator]
def plain_text(cell: Any) -> Any:
    """Return a cell as text, also where it is held as a place in a list: Ibis knows no difference, so casts nothing."""


@ibis.udf.scalar.builtin(name="enum_code", signature=((dt.string,), dt.uint16))  # type: ignore[untyped-decorator]
def place_in_list(cell: Any) -> Any:
    """Return the place of a cell in its list, from 0; places are in the order of the texts' bytes."""


def listed_columns(
    con: Any, sources: Sequence[ir.Table], also: Mapping[str, Collection[str]], name: str
) -> dict[str, Callable[[ir.Value], ir.Value]]:
    """Make lists for the text columns that have few values.

    The `sources` have the same columns, which share the lists. They are read twice, and so should be kept tables or
    Parquet files. `also` has the texts that a column may hold later, and `name` begins the names of what is made.

    The functions returned turn, by column, a text that stands in its list into a cell of that list. Columns with many
    values are left out.

    Notes
    -----
    One look at the first rows and one pass over the text columns, `TOGETHER` at a time, as the engine needs time with
    the square of what is counted at once; the lists stay inside the engine.
    """
    run = con.con.execute
    short = [column for column in sources[0].columns if all(source[column].type().is_string() for source in sources)]
    for source in sources:
        if not short:
            return {}
        few: list[str] = []
        for some in batched(short, TOGETHER):
            head = sql_of(source.select(some).limit(SAMPLE))
            counted = ", ".join(f"count(DISTINCT {column})" for column in some)
            rows, *distinct = run(f"SELECT count(*), {counted} FROM ({head})").fetchone()
            most = max(FEW, SHARE * rows)
            few += [column for column, number in zip(some, distinct, strict=True) if number <= most]
        short = few
    held: dict[str, Callable[[ir.Value], ir.Value]] = {}
    for some in batched(short, TOGETHER):
        held |= _lists_of(run, sources, some, also, name)
    return held


def batched(columns: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield columns in their order, `size` (at least 1) at a time."""
    for at in range(0, len(columns), size):
        yield list(columns[at : at + size])


def _lists_of(
    run: Callable[..., Any],
    sources: Sequence[ir.Table],
    short: list[str],
    also: Mapping[str, Collection[str]],
    name: str,
) -> dict[str, Callable[[ir.Value], ir.Value]]:
    rows_of_all = " UNION ALL ".join(f"SELECT * FROM ({sql_of(source.select(short))})" for source in sources)
    found = ", ".join(
        f"coalesce(len(list(DISTINCT {column})), 0) AS {column}_number, "
        f"list_sort(list_distinct(coalesce(list(DISTINCT {column}), []) || ${j}::VARCHAR[])) AS {column}"
        for j, column in enumerate(short, 1)
    )
    more = [list(also.get(column, ())) for column in short]
    run(f"CREATE TEMP TABLE {name} AS SELECT {found} FROM ({rows_of_all})", more)
    lengths = run(f"SELECT {', '.join(f'{column}_number' for column in short)} FROM {name}").fetchone()
    held: dict[str, Callable[[ir.Value], ir.Value]] = {}
    for column, length in zip(short, lengths, strict=True):
        if length > MOST_VALUES:
            continue
        kind = f"{name}_{column}"
        run(f"CREATE TEMP TYPE {kind} AS ENUM (SELECT unnest({column}) FROM {name})")
        run(f"CREATE TEMP MACRO {kind}_of(cell) AS CAST(cell AS {kind})")
        held[column] = _cell_of(f"{kind}_of")
    run(f"DROP TABLE {name}")
    return held


@functools.cache  # each engine counts its names from 0: Ibis makes a class of every function
def _cell_of(name: str) -> Callable[[ir.Value], ir.Value]:
    """Return the function of that name: from a text to a cell of its list."""

    def cell(text: Any) -> Any:
        """Return the cell."""

    made: Callable[[ir.Value], ir.Value] = ibis.udf.scalar.builtin(cell, name=name, signature=((dt.string,), dt.string))
    return made
