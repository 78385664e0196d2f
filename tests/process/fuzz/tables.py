"""Tables in every format that is read, with some of their bytes changed, before the commands that read one."""

from __future__ import annotations

import contextlib
import csv
import functools
import gzip
import io
import json
import sqlite3
import tempfile
import zipfile
import zlib
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pyreadstat

from process.fuzz.calls import COLUMNS, lines
from process.fuzz.case import Case
from process.fuzz.mutation import changed_bytes, changed_json

__all__ = ["QUASI", "files", "plain_csv", "table"]

QUASI = "age,sex,job,zip"
WRITTEN = (
    "out.csv",
    "out.csv",
    "out.tsv",
    "out.csv.gz",
    "out.parquet",
    "out.jsonl",
    "out.jsonl.gz",
    "out.arrow",
    "out.feather",
)
READINGS = (
    (), (), (), (), (), ("--no-header",), ("--no-strip",), ("--na", "flu"), ("--columns", "a,b,c,d,e,f"), ("--header",),
    *(("--encoding", name) for name in ("latin-1", "utf-16", "cp1252", "utf-7", "utf-32", "utf-8-sig", "shift_jis")),
    *(("--delimiter", one) for one in (";", "", "ab", "\0", '"', "\n", " ", "\t", "e")),
)  # fmt: skip


@functools.cache
def plain_csv() -> bytes:
    """The table as CSV."""
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerows([COLUMNS, *lines()])
    return held.getvalue().encode()


def _frame() -> pd.DataFrame:
    return pd.DataFrame(lines(), columns=list(COLUMNS)).astype({"age": int})


@functools.cache
def files() -> dict[str, bytes]:
    """The table in every format, by file name."""
    rows, text, frame = lines(), plain_csv(), _frame()
    columns = {name: list(column) for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)}
    columns["age"] = [int(cell) for cell in columns["age"]]
    records = [dict(zip(COLUMNS, (int(row[0]), *row[1:]), strict=True)) for row in rows]
    jsonl = "".join(json.dumps(record) + "\n" for record in records).encode()
    found = {
        "t.csv": text, "t.tsv": text.replace(b",", b"\t"), "s.csv": text.replace(b",", b";").replace(b"\n", b"\r\n"),
        "u.csv": text.decode().encode("utf-16"), "q.csv": b'"' + text.rstrip().replace(b",", b'","').replace(b"\n", b'"\n"') + b'"\n',
        "t.jsonl": jsonl, "t.json": json.dumps(records).encode(),
    }  # fmt: skip
    found |= {"t.csv.gz": gzip.compress(text, mtime=0), "t.jsonl.gz": gzip.compress(jsonl, mtime=0)}
    arrow = pa.table(columns)
    for name, options in (("s.parquet", {}), ("z.parquet", {"compression": "zstd", "version": "2.6"}), ("n.parquet", {"compression": "none", "use_dictionary": False})):  # fmt: skip
        held = io.BytesIO()
        pq.write_table(arrow, held, **options)
        found[name] = held.getvalue()
    for name, packing in (("t.feather", "uncompressed"), ("z.arrow", "lz4")):
        held = io.BytesIO()
        pyarrow.feather.write_feather(arrow, held, compression=packing)
        found[name] = held.getvalue()
    held = io.BytesIO()
    with pa.ipc.new_stream(held, arrow.schema) as stream:
        stream.write_table(arrow)
    found["t.ipc"] = held.getvalue()
    with tempfile.TemporaryDirectory() as folder:
        found |= _of_folder(Path(folder), frame)
    return found


def _of_folder(folder: Path, frame: pd.DataFrame) -> dict[str, bytes]:
    """Formats that are written to places only."""
    with contextlib.closing(sqlite3.connect(folder / "t.sqlite")) as base:
        base.execute("create table t(age int, sex text, job text, zip text, ill text, who text)")
        base.executemany("insert into t values(?,?,?,?,?,?)", lines())
        base.commit()
    with contextlib.closing(duckdb.connect(str(folder / "t.duckdb"))) as base:
        base.register("v", pa.Table.from_pandas(frame))
        base.execute("create table t as select * from v")
    book = openpyxl.Workbook()
    for row in (COLUMNS, *lines()):
        book.active.append(row)
    book.save(folder / "t.xlsx")
    for ending, write in (
        ("sav", pyreadstat.write_sav),
        ("dta", pyreadstat.write_dta),
        ("xpt", pyreadstat.write_xport),
    ):
        write(frame, str(folder / f"t.{ending}"))
    pyreadstat.write_sav(frame, str(folder / "t.zsav"), compress=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _may_name(name: str, data: bytes, reading: tuple[str, ...]) -> bool:
    """Whether cells may have become names: the first line is another, or what says where names are was changed."""
    if name.endswith(".gz"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, ValueError, zlib.error):
            return True
        name = name.removesuffix(".gz")
    if name.endswith((".csv", ".tsv")):
        return (
            name == "u.csv" or reading[:1] == ("--encoding",) or data.splitlines()[:1] != files()[name].splitlines()[:1]
        )
    return name.endswith((".json", ".jsonl", ".xlsx"))


def _changed(rng, name: str, data: bytes) -> bytes:
    """A file changed inside its packing, or as it is."""
    deep = rng.random() < 0.6
    if name.endswith(".gz") and deep:
        return gzip.compress(changed_bytes(rng, gzip.decompress(data)), compresslevel=1, mtime=0)
    if name.endswith(".xlsx") and deep:
        return _changed_zip(rng, data)
    if name == "t.json" and deep:
        return changed_json(rng, data)
    if name == "t.jsonl" and deep:
        held = data.splitlines(keepends=True)
        at = rng.randrange(len(held))
        held[at] = changed_json(rng, held[at]) + b"\n"
        return b"".join(held)
    return changed_bytes(rng, data)


def _changed_zip(rng, data: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        changed = rng.choice(old.namelist())
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, changed_bytes(rng, text) if name == changed else text)
    return held.getvalue()


def table(rng, _: int) -> Case:
    """A changed file before `init`, `audit`, `anonymize`, `verify` or `hierarchy`, and how it is read."""
    name = rng.choice(list(files()))
    data = _changed(rng, name, files()[name])
    reading = rng.choice(READINGS)
    draw = rng.random()
    held = [(name, data)]
    if draw < 0.45:
        words = ("init", name)
    elif draw < 0.6:
        words = ("audit", name, "--qi", QUASI, "--k", "2")
    elif draw < 0.9:
        words = ("anonymize", name, "-o", rng.choice(WRITTEN), "--qi", QUASI, "--identifier", "who", "--k", "2", "--solver", "greedy", "--json")  # fmt: skip
        words += rng.choice(
            ((), (), ("--numeric", "age"), ("--suppressed", "null"), ("--spreadsheet-safe",), ("--other", "drop"))
        )
    elif draw < 0.95:
        words = ("hierarchy", "age", name, "--intervals", "5", "-o", "h.csv")
    else:
        held.append(("base.csv", plain_csv()))
        words = (
            "verify",
            *(("base.csv", name) if rng.random() < 0.5 else (name, "base.csv")),
            "--qi",
            QUASI,
            "--k",
            "2",
        )
    return Case("table", words + reading, files=tuple(held), named=_may_name(name, data, reading))
