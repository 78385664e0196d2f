"""One table as every kind that `incrowd` reads."""

from __future__ import annotations

import decimal
import gzip
import json
import sqlite3
import struct
from typing import TYPE_CHECKING, Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["BY_NAME", "KINDS", "drawn_floats", "plain"]
FLOATS = (1e16, 1e15, 123456789.0, 0.1, 1e-5, 1e-4, 2e23, 5e-324, 8.41e21, -0.5, 0.0, -0.0, 1e22, 9007199254740993.0)


def drawn_floats(draw, many, bits="d"):
    """Floats that are known to be hard to spell, `many` of any bits, and `many` short sums of powers of two: their texts tie."""
    short = (
        draw.choice([1, -1]) * draw.getrandbits(draw.randrange(1, 54)) * 2.0 ** draw.randrange(-60, 12)
        for _ in range(many)
    )
    size = struct.calcsize(bits)
    return [
        *FLOATS,
        float("inf"),
        float("nan"),
        *(struct.unpack(bits, draw.randbytes(size))[0] for _ in range(many)),
        *short,
    ]


def csv_file(table: pa.Table, folder: Path) -> Path:
    pyarrow.csv.write_csv(table, folder / "t.csv")
    return folder / "t.csv"


def packed(path: Path, name: str) -> Path:
    path.with_name(name).write_bytes(gzip.compress(path.read_bytes()))
    return path.with_name(name)


def parquet(table: pa.Table, folder: Path) -> Path:
    pq.write_table(table, folder / "t.parquet")
    return folder / "t.parquet"


def json_lines(table: pa.Table, folder: Path) -> Path:
    path = folder / "t.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for row in table.to_pylist():
            out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
    return path


def arrow_file(table: pa.Table, folder: Path) -> Path:
    with pa.ipc.new_file(folder / "t.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=17)
    return folder / "t.arrow"


def arrow_stream(table: pa.Table, folder: Path) -> Path:
    with pa.ipc.new_stream(folder / "s.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=17)
    return folder / "s.arrow"


def feather(table: pa.Table, folder: Path) -> Path:
    pyarrow.feather.write_feather(table, str(folder / "t.feather"), compression="zstd")
    return folder / "t.feather"


def duckdb_file(table: pa.Table, folder: Path) -> str:
    with duckdb.connect(folder / "t.duckdb") as con:
        con.register("given", table)
        con.execute('CREATE TABLE "my ""table""" AS FROM given')
        con.execute("CREATE TABLE another AS SELECT 1 AS one")
    return f'{folder / "t.duckdb"}::my "table"'


def sqlite_file(table: pa.Table, folder: Path) -> str:
    path = folder / "t.sqlite"
    path.unlink(missing_ok=True)
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in table.column_names)
    marks = ", ".join("?" * table.num_columns)
    con = sqlite3.connect(path)
    con.execute(f'CREATE TABLE "my ""table""" ({names})')
    rows = [[_for_sqlite(cell) for cell in row.values()] for row in table.to_pylist()]
    con.executemany(f'INSERT INTO "my ""table""" VALUES ({marks})', rows)
    con.commit()
    con.close()
    return f'{path}::my "table"'


def _for_sqlite(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, (int, float, str)) else str(cell)


def relation(table: pa.Table, folder: Path) -> duckdb.DuckDBPyRelation:
    return duckdb.connect().from_arrow(table)


def ibis_duckdb(table: pa.Table, folder: Path) -> ibis.Table:
    return ibis.duckdb.connect().create_table("t", table)


def ibis_sqlite(table: pa.Table, folder: Path) -> ibis.Table:
    for position, field in enumerate(table.schema):  # its backend cannot bind decimals
        if pa.types.is_decimal(field.type):
            table = table.set_column(position, field.name, table.column(position).cast(pa.string()))
    return ibis.sqlite.connect().create_table("t", table)


def ibis_memtable(table: pa.Table, folder: Path) -> ibis.Table:
    return ibis.memtable(table)


def pandas_frame(table: pa.Table, folder: Path) -> pd.DataFrame:
    return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def polars_frame(table: pa.Table, folder: Path) -> pl.DataFrame:
    return pl.from_arrow(table)


def lazy_frame(table: pa.Table, folder: Path) -> pl.LazyFrame:
    return pl.from_arrow(table).lazy()


def record_batch(table: pa.Table, folder: Path) -> pa.RecordBatch:
    return table.combine_chunks().to_batches()[0]


def excel(table: pa.Table, folder: Path) -> Path:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(table.column_names)
    for row in table.to_pylist():
        book.active.append([float(cell) if isinstance(cell, decimal.Decimal) else cell for cell in row.values()])
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def _statistics(writer: str, ending: str) -> Callable[[pa.Table, Path], Path]:
    def write(table: pa.Table, folder: Path) -> Path:
        import pyreadstat

        frame = pd.DataFrame(table.to_pydict())
        for field in table.schema:
            if pa.types.is_decimal(field.type) or pa.types.is_integer(field.type):
                frame[field.name] = frame[field.name].astype(float)
        getattr(pyreadstat, writer)(frame, folder / f"t{ending}")
        return folder / f"t{ending}"

    return write


KINDS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "csv": csv_file,
    "csv.gz": lambda *made: packed(csv_file(*made), "t.csv.gz"),
    "parquet": parquet,
    "jsonl": json_lines,
    "jsonl.gz": lambda *made: packed(json_lines(*made), "t.ndjson.gz"),
    "arrow": arrow_file,
    "arrow stream": arrow_stream,
    "feather": feather,
    "duckdb file": duckdb_file,
    "sqlite file": sqlite_file,
    "duckdb relation": relation,
    "ibis on duckdb": ibis_duckdb,
    "ibis on sqlite": ibis_sqlite,
    "ibis in memory": ibis_memtable,
    "pandas": pandas_frame,
    "polars": polars_frame,
    "polars lazy": lazy_frame,
    "pyarrow": lambda table, folder: table,
    "record batch": record_batch,
    "excel": excel,
    "spss": _statistics("write_sav", ".sav"),
    "spss packed": _statistics("write_sav", ".zsav"),
    "stata": _statistics("write_dta", ".dta"),
    "sas transport": _statistics("write_xport", ".xpt"),
}
# kinds whose columns cannot be called as one likes
BY_NAME = ("spss", "spss packed", "stata", "sas transport")


def plain(table: Any) -> pa.Table:
    """Return whatever kind of table came out as Arrow."""
    if isinstance(table, pd.DataFrame):
        return pa.Table.from_pandas(table, preserve_index=False)
    if isinstance(table, pl.DataFrame):
        return table.to_arrow()
    if isinstance(table, duckdb.DuckDBPyRelation):
        return table.to_arrow_table()
    return table.to_pyarrow() if isinstance(table, ibis.Table) else table
