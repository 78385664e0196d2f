"""Column names that are no text are refused by position, whatever file holds them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

MARK = "brokenname"


def written(path):
    table = pa.table({"fine": ["x", "y"], MARK: ["u", "v"]})
    if path.suffix == ".parquet":
        pq.write_table(table, path, store_schema=False)
    else:
        make = pa.ipc.new_file if path.name == "file.arrow" else pa.ipc.new_stream
        with make(path, table.schema) as out:
            out.write_table(table)
    path.write_bytes(path.read_bytes().replace(MARK.encode(), b"broken\xff\xfeme"))
    return path


@pytest.mark.parametrize("name", ["stream.arrow", "file.arrow"])
def test_a_column_name_that_is_no_text_is_refused_by_its_position(tmp_path, name):
    said = "name of column 2 of .* is not valid UTF-8 text; rename it"
    with Engine() as engine:
        with pytest.raises(InputError, match=said):
            open_source(engine, written(tmp_path / name), Reading())
        held = pa.ipc.open_stream(written(tmp_path / "again.arrow").read_bytes()).read_all()
        with pytest.raises(InputError, match=said):
            open_source(engine, held, Reading())


def test_a_parquet_file_with_such_a_name_is_refused(tmp_path):
    with Engine() as engine, pytest.raises(InputError, match="'t.parquet'"):
        open_source(engine, written(tmp_path / "t.parquet"), Reading())
