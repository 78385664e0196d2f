"""A file format is one file and one line: whatever reads and writes asks the registry."""

import gzip
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

import incrowd
from incrowd import registry
from incrowd.errors import InputError
from incrowd.tables.formats import Format, every_format
from incrowd.tables.formats.base import sink
from incrowd.tables.formats.csv import write_csv
from incrowd.tables.formats.import_columns import from_arrow


@dataclass(frozen=True)
class Bars(Format):
    """Cells between bars: what somebody may add."""

    name = "bars"
    summary = "cells between bars"
    endings = (".bars",)
    written = (".bars",)
    empty_is_null = True

    def read(self, engine, path, reading, label, part=""):
        import pyarrow as pa

        names, *rows = [line.split("|") for line in path.read_text().splitlines()]
        table = pa.table({name: [row[j] for row in rows] for j, name in enumerate(names)})
        return from_arrow(engine, table.schema, table.to_batches(), "bars", None, label)

    def begins(self, head):
        return head.startswith(b"bars|")

    def write(self, engine, rows, names, path, *, packed):
        write_csv(engine, rows, names, path, packed=False)
        path.write_text(path.read_text().replace(",", "|"))

    def read_back(self, engine, path, names, rows):
        import pyarrow as pa

        _, *lines = [line.split("|") for line in path.read_text().splitlines()]
        return engine.put(pa.table({i: [line[j] for line in lines] for j, i in enumerate(rows.columns)}))


@pytest.fixture
def bars(monkeypatch):
    module = types.ModuleType("a_format_of_its_own")
    module.Bars = Bars
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.FORMATS, "bars", f"{module.__name__}:Bars")


def test_a_format_of_one_file_and_one_line_is_read_and_written_by_a_job(bars, tmp_path):
    (tmp_path / "in.bars").write_text("a|b\nx|1\nx|1\ny|2\ny|2\n")
    asked = {"quasi_identifiers": ["a", "b"], "k": 2, "solver": "greedy"}
    with incrowd.anonymize(tmp_path / "in.bars", **asked, output=tmp_path / "out.bars") as release:
        assert release._expanded.table.kind == "bars"
    assert sorted((tmp_path / "out.bars").read_text().splitlines()) == ["a|b", "x|1", "x|1", "y|2", "y|2"]
    with pytest.raises(InputError, match=r"must end in .*\.ipc, \.bars, which"):
        incrowd.anonymize(tmp_path / "in.bars", **asked, output=tmp_path / "out.odd")


def test_every_ending_belongs_to_one_format():
    endings = [ending for kind in every_format() for ending in kind.endings]
    assert len(endings) == len(set(endings))
    assert all(set(kind.written) <= set(kind.endings) for kind in every_format())


def test_lists_of_endings_in_messages_keep_their_order(tmp_path):
    (tmp_path / "t.odd").write_text("a\n1\n")
    with pytest.raises(InputError) as said:
        incrowd.audit(tmp_path / "t.odd", quasi_identifiers=["a"])
    assert "one of .csv, .tsv, .txt, .data, .parquet, .pq, .jsonl, .ndjson, .json, .arrow, .feather, .ipc, " in str(
        said.value
    )
    assert str(said.value).endswith(".duckdb, .ddb, .db, .sqlite, .sqlite3, .xlsx, .sav, .zsav, .dta, .sas7bdat, .xpt")
    with pytest.raises(InputError) as said:
        incrowd.anonymize(tmp_path / "t.csv", quasi_identifiers=["a"], k=1, output=tmp_path / "o.odd")
    assert (
        "must end in .csv, .csv.gz, .jsonl, .jsonl.gz, .ndjson, .ndjson.gz, .parquet, .pq, .arrow, .feather, .ipc, which"
        in str(said.value)
    )


def test_no_other_module_knows_a_format_by_its_ending():
    folder = Path(incrowd.__file__).parent / "tables"
    asked = [path for stage in ("read", "write") for path in (folder / stage).rglob("*.py")]
    endings = {f'"{ending}"' for kind in every_format() for ending in kind.endings} - {'".csv"'}
    assert [path.name for path in asked if any(ending in path.read_text(encoding="utf-8") for ending in endings)] == []


def test_packed_files_hold_neither_name_nor_time(tmp_path):
    for name in ("one.gz", "two.gz"):
        with sink(tmp_path / name, packed=True) as out:
            out.write(b"same")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert gzip.decompress((tmp_path / "one.gz").read_bytes()) == b"same"
