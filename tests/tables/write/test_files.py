"""Every kind of file is written whole or not at all, holds what was released, and is read back before it counts."""

import datetime
import decimal
import errno
import gzip
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pytest

import incrowd
from incrowd.errors import InputError, OurBug
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats import arrow_file, csv, json_lines, parquet
from incrowd.tables.roles import Roles
from incrowd.tables.table import Column, Expanded, Table
from incrowd.tables.write import as_frame, check_output, same_rows, write_file
from seeds import few_of

CANARY = "Zebedee4711"
ENDINGS = (
    ".csv",
    ".csv.gz",
    ".jsonl",
    ".jsonl.gz",
    ".ndjson",
    ".ndjson.gz",
    ".parquet",
    ".pq",
    ".arrow",
    ".feather",
    ".ipc",
)
ROWS = pa.table(
    {
        "t": ["*", None, 'two\nlines, "quoted"\t\\', "é😀\u2028"],
        "T": [1, None, -(2**62), 4],
        "day": [datetime.date(2020, 1, 2), None, datetime.date(1, 1, 1), datetime.date(9999, 12, 31)],
        "at": pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5, 6), None, None, None], pa.timestamp("us")),
        "utc": pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5), None, None, None], pa.timestamp("us", "UTC")),
        "money": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-0.05"), 0], pa.decimal128(30, 2)),
        "real": pa.array([0.1, None, 1e20, float("nan")]),
        "small": pa.array([0.1, None, 1e20, 16777216.0], pa.float32()),
        "flag": [True, None, False, False],
        "list": [["x"], None, [], [None]],
        "bytes": [b"\x00\xff", None, b"", b"x"],
        "a\"'~/$.\\{}": ["p", "q", "r", "s"],
    }
)


def expanded(engine, rows=ROWS):
    """Return rows as if they were a release."""
    columns = tuple(Column(name, f"c{i}", "other", False) for i, name in enumerate(rows.column_names))
    ids = [c.id for c in columns]
    inside = engine.put(rows.rename_columns(ids).append_column("row_key", pa.array(np.arange(rows.num_rows))))
    table = Table(engine, inside, columns, Roles(quasi_identifiers=("t",)), rows.num_rows, "pyarrow", rows.schema)
    return Expanded(table, inside, inside, "*")


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


@pytest.mark.few(6)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_back_as_the_release(engine, ending, tmp_path):
    release = expanded(engine)
    write_file(release, tmp_path / f"r{ending}", keep_order=True)
    assert same_rows(release, tmp_path / f"r{ending}")


@pytest.mark.few(10)
@pytest.mark.parametrize("ending", few_of([".csv", ".parquet", ".jsonl.gz", ".arrow"], 2))
@pytest.mark.parametrize("column", range(ROWS.num_columns))
def test_a_file_with_one_other_cell_is_not_the_release(engine, ending, column, tmp_path):
    cells = ROWS.column(column)
    other = ROWS.set_column(column, ROWS.field(column), cells.take(pa.array([3, 1, 2, 3])))
    write_file(expanded(engine, other), tmp_path / f"r{ending}", keep_order=True)
    assert not same_rows(expanded(engine), tmp_path / f"r{ending}")


@pytest.mark.few(5)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_with_a_row_more_or_less_is_not_the_release(engine, ending, tmp_path):
    for other in (ROWS.slice(1), pa.concat_tables([ROWS, ROWS.slice(0, 1)])):
        write_file(expanded(engine, other), tmp_path / f"r{ending}", keep_order=True)
        assert not same_rows(expanded(engine), tmp_path / f"r{ending}")


def test_json_lines_hold_plain_values_and_text_for_all_else(engine, tmp_path):
    write_file(expanded(engine), tmp_path / "r.jsonl", keep_order=True)
    lines = (tmp_path / "r.jsonl").read_bytes().decode().split("\n")
    assert lines.pop() == ""
    rows = [json.loads(line) for line in lines]
    assert [list(row) for row in rows] == [ROWS.column_names] * 4
    for name in ("t", "T", "flag", "a\"'~/$.\\{}"):
        assert [row[name] for row in rows] == ROWS.column(name).to_pylist()
    assert [row["real"] for row in rows] == [0.1, None, 1e20, None]
    assert [row["small"] for row in rows] == [0.1, None, 1e20, 16777216.0]
    assert rows[0]["day"] == "2020-01-02"
    assert rows[0]["at"] == "2020-01-02T03:04:05.000006"
    assert rows[0]["money"] == "1.50"
    assert rows[1] == dict.fromkeys(ROWS.column_names) | {"a\"'~/$.\\{}": "q"}


def test_infinite_numbers_are_refused_for_json_lines_alone(engine, tmp_path):
    release = expanded(engine, pa.table({"t": ["x"], "deep": [float("inf")]}))
    with pytest.raises(InputError, match="column 'deep' holds infinite numbers"):
        write_file(release, tmp_path / "r.jsonl", keep_order=True)
    write_file(release, tmp_path / "r.csv", keep_order=True)
    assert same_rows(release, tmp_path / "r.csv")


def test_arrow_and_feather_are_read_by_arrow_itself_with_their_types(engine, tmp_path):
    for name in ("r.arrow", "r.feather"):
        write_file(expanded(engine), tmp_path / name, keep_order=True)
        table = pyarrow.feather.read_table(str(tmp_path / name))
        assert table.drop_columns("real").equals(ROWS.drop_columns("real").cast(table.drop_columns("real").schema))
        assert table.schema.field("money").type == pa.decimal128(30, 2)


def test_packed_files_hold_the_plain_ones_and_neither_name_nor_time(engine, tmp_path):
    release = expanded(engine)
    for ending in (".csv", ".jsonl"):
        write_file(release, tmp_path / f"r{ending}", keep_order=True)
        write_file(release, tmp_path / f"secret{ending}.gz", keep_order=True)
        packed = (tmp_path / f"secret{ending}.gz").read_bytes()
        assert gzip.decompress(packed) == (tmp_path / f"r{ending}").read_bytes()
        assert b"secret" not in packed
        assert packed[4:8] == b"\0\0\0\0"


def test_parquet_of_a_folder_called_like_a_column_is_read_back_right(engine, tmp_path):
    (tmp_path / "t=no").mkdir()
    release = expanded(engine)
    write_file(release, tmp_path / "t=no" / "r.parquet", keep_order=True)
    assert same_rows(release, tmp_path / "t=no" / "r.parquet")
    small = expanded(engine, ROWS.select(["t", "day"]))  # no names that differ in case alone: the engine writes
    write_file(small, tmp_path / "t=no" / "r.parquet", keep_order=True)
    assert same_rows(small, tmp_path / "t=no" / "r.parquet")


def test_an_arrow_table_comes_back_in_the_types_it_had(engine):
    frame = as_frame(expanded(engine), keep_order=True)
    assert frame.schema.types == ROWS.schema.types
    assert frame.drop_columns("real").equals(ROWS.drop_columns("real"))


@pytest.mark.parametrize("name", ["r.gz", "r.parquet.gz", "r.xlsx", "r.json", "r", "csv", "r.csv.zip", "r.sav"])
def test_endings_that_say_nothing_are_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"must end in \.csv, \.csv\.gz, \.jsonl"):
        check_output(tmp_path / name)


def test_endings_are_read_in_any_case(engine, tmp_path):
    for name in ("r.CSV", "r.Parquet", "r.JSONL.gz", "a.b.csv.gz"):
        check_output(tmp_path / name)
        write_file(expanded(engine), tmp_path / name, keep_order=True)
        assert same_rows(expanded(engine), tmp_path / name)


def job(n=20_000, **more):
    rng = np.random.default_rng(0)
    table = pa.table(
        {"t": rng.integers(0, 9, n), "who": [f"{CANARY}{i}-{v}" for i, v in enumerate(rng.integers(0, 2**60, n))]}
    )
    return incrowd.anonymize(table, quasi_identifiers=["t"], k=2, solver="greedy", **more)


FULL = textwrap.dedent("""
    import resource, sys
    from pathlib import Path
    sys.path[:0] = {path!r}
    from test_files import job
    release = job()
    for out in map(Path, {outs!r}):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        said, chain = "written", ""
        try:
            release._write(out, None)
        except Exception as error:
            said = f"{{type(error).__name__}} {{error}}"
            while error is not None:
                chain += str(error)
                error = error.__cause__ or error.__context__
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(said, "CANARY" if {canary!r} in chain else "")
""")
ENDINGS = [".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet", ".arrow"]


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory):
    """Every ending written to a full disk, in one process: a limit on file sizes fails in the midst, by the operating system."""
    outs = {ending: tmp_path_factory.mktemp("full") / f"r{ending}" for ending in ENDINGS}
    for out in outs.values():
        out.write_text("old")
    path = [*filter(None, sys.path), str(Path(__file__).parent)]
    script = FULL.format(path=path, outs=[str(out) for out in outs.values()], canary=CANARY)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    return outs, dict(zip(ENDINGS, done.stdout.strip().splitlines(), strict=True))


@pytest.mark.few(3)
@pytest.mark.parametrize("ending", ENDINGS)
def test_when_the_disk_fills_up_nothing_is_left_and_an_old_file_stays(ending, full_disk):
    outs, said = full_disk
    assert "writing the release: the disk is full; free some space" in said[ending]
    assert "CANARY" not in said[ending]
    assert [found.name for found in outs[ending].parent.iterdir()] == [f"r{ending}"]
    assert outs[ending].read_text() == "old"


@pytest.mark.parametrize("ending", [".csv.gz", ".jsonl", ".arrow"])
def test_no_space_left_has_its_sentence(ending, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", CANARY)

    for module, name in ((csv, "sink"), (json_lines, "sink"), (arrow_file, "write_arrow")):
        monkeypatch.setattr(module, name, fail)
    with pytest.raises(InputError, match="the disk is full") as caught:
        job(50, output=tmp_path / f"r{ending}")
    assert CANARY not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".csv", ".jsonl.gz", ".parquet", ".arrow"])
def test_a_file_that_does_not_hold_the_release_is_not_kept(ending, tmp_path, monkeypatch):
    writers = {csv: "write_csv", json_lines: "write_json_lines", parquet: "write_parquet", arrow_file: "write_arrow"}
    for module, name in writers.items():
        real = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda engine, rows, *more, real=real, **others: real(engine, rows.limit(5), *more, **others)
        )
    with pytest.raises(OurBug, match="does not hold"):
        job(50, output=tmp_path / f"r{ending}")
    assert list(tmp_path.iterdir()) == []


MAGIC = {"jsonl": b'{"t":', "arrow": b"ARROW1", "parquet": b"PAR1", "csv": b"t,", "spss": b"t,"}
# Every job writes to the standard output of its process, which is another file each time.
OUTPUTS = """
import os, sys, incrowd
for source, out in {pairs!r}:
    into = os.open(out, os.O_WRONLY | os.O_CREAT)
    os.dup2(into, 1)
    incrowd.anonymize(source, quasi_identifiers=["t"], k=2, output="-")
    sys.stdout.flush()
"""


@pytest.fixture(scope="module")
def on_standard_output(tmp_path_factory):
    from table_kinds import KINDS

    folder = tmp_path_factory.mktemp("outputs")
    table = pa.table({"t": ["a", "a", "b", "b"], "o": ["1.5", "x", "y", "z"]})
    pairs = [(str(KINDS[kind](table, folder)), str(folder / f"{kind}.out")) for kind in MAGIC]
    subprocess.run([sys.executable, "-c", OUTPUTS.format(pairs=pairs)], timeout=300, check=True)
    return folder


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", MAGIC)
def test_standard_output_is_the_kind_of_file_that_came_in(kind, on_standard_output):
    assert (on_standard_output / f"{kind}.out").read_bytes().startswith(MAGIC[kind])


def test_nothing_lies_under_a_null_of_an_arrow_file(engine, tmp_path, monkeypatch):
    secret = np.frombuffer(CANARY.encode()[:8] * 4, np.int64)
    validity = pa.py_buffer(bytes([0b1010]))
    column = pa.Array.from_buffers(pa.int64(), 4, [validity, pa.py_buffer(secret.tobytes())])
    batch = pa.RecordBatch.from_arrays([column], ["c0"])
    monkeypatch.setattr(Engine, "batches", lambda *_: pa.RecordBatchReader.from_batches(batch.schema, [batch]))
    arrow_file.write_arrow(engine, None, ["a"], tmp_path / "r.arrow")
    with pa.memory_map(str(tmp_path / "r.arrow")) as source:
        written = pa.ipc.open_file(source).read_all().column("a").chunk(0)
        slots = np.frombuffer(written.buffers()[1], np.int64)[:4]
        assert written.is_null().to_pylist() == [True, False, True, False]
        assert slots.tolist() == [0, secret[0], 0, secret[0]]


def test_an_address_is_no_place_for_a_file():
    with pytest.raises(InputError, match="output 'out.csv' is an address on a cluster"):
        check_output("s3a://bucket/out.csv")
