import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.parquet import Parquet, write_parquet
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


def test_types_and_values_of_a_file_come_in_as_they_are(tmp_path):
    table = pa.table({"n": [1, None], "t": ["a", "b"]})
    pq.write_table(table, tmp_path / "t.pq")
    with Engine() as engine:
        found = open_source(engine, tmp_path / "t.pq", Reading())
        assert (found.names, found.kind) == (("n", "t"), "parquet")
        assert engine.fetch(found.data.select("c0", "c1").order_by("c1")).to_pylist() == [
            {"c0": 1, "c1": "a"}, {"c0": None, "c1": "b"}
        ]  # fmt: skip


def test_a_folder_called_like_a_column_does_not_take_its_place(tmp_path):
    folder = tmp_path / "n=7"
    folder.mkdir()
    pq.write_table(pa.table({"n": [1]}), folder / "t.parquet")
    with Engine() as engine:
        data = open_source(engine, folder / "t.parquet", Reading()).data
        assert engine.fetch(data.select("c0")).to_pylist() == [{"c0": 1}]


def test_names_that_differ_in_case_alone_are_written(tmp_path):
    with Engine() as engine:
        rows = engine.put(pa.table({"c0": ["x"], "c1": ["y"]}))
        write_parquet(engine, rows, ["a", "A"], tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet").to_pylist() == [{"a": "x", "A": "y"}]


def test_what_is_no_parquet_is_refused_by_name(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"PAR1 cut")
    assert Parquet().begins(b"PAR1 cut")
    with Engine() as engine, pytest.raises(InputError, match=r"'t.parquet' is no whole Parquet file"):
        open_source(engine, tmp_path / "t.parquet", Reading())
