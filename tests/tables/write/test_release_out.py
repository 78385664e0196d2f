"""What goes out is what was released, in an order that says nothing, and the kind that came in."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.write import check_output, same_rows, write_file
from written_releases import SOURCE, release_of


def test_csv_has_comma_lf_header_and_quotes_where_needed(tmp_path):
    release = release_of(SOURCE)
    path = tmp_path / "out.csv"
    write_file(release, path, keep_order=True)
    assert path.read_bytes().decode() == (
        'p,A,day,a\nb,1,2020-01-01,"say ""hi"""\nb,1,2020-01-01,"x,y"\n*,*,2020-01-01,"two\nlines"\n*,*,2020-01-01,""\n'
    )
    assert same_rows(release, path)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_with_another_cell_is_not_the_release(tmp_path, ending):
    release = release_of(SOURCE)
    path = tmp_path / f"out.{ending}"
    write_file(release, path, keep_order=False)
    assert same_rows(release, path)
    if ending == "csv":
        path.write_text(path.read_text().replace("x,y", "x,z"))
    else:
        table = pq.read_table(path)
        pq.write_table(table.slice(1), path)
    assert not same_rows(release, path)


def test_parquet_keeps_the_types_of_unchanged_columns_and_names_that_differ_in_case(tmp_path):
    release = release_of(SOURCE)
    write_file(release, tmp_path / "out.parquet", keep_order=True)
    schema = pq.read_schema(tmp_path / "out.parquet")
    assert schema.names == ["p", "A", "day", "a"]
    assert schema.field("day").type == pa.date32()
    assert schema.field("A").type == pa.string()


def test_one_column_with_null_survives_csv(tmp_path):
    source = pa.table({"p": ["x", "x", None, None]})
    release = release_of(source, quasi=("p",))
    write_file(release, tmp_path / "out.csv", keep_order=False)
    assert same_rows(release, tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 5


def test_outputs_that_cannot_be_are_refused_before_anything_runs(tmp_path):
    (tmp_path / "in.csv").write_text("a\nx\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "in.csv")
    for name, said in [
        ("out.txt", "must end in .csv"),
        ("missing/out.csv", "folder does not exist"),
        ("in.csv", "is also an input"),
        ("link.csv", "is also an input"),
    ]:
        with pytest.raises(InputError, match=said):
            check_output(tmp_path / name, tmp_path / "in.csv")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        check_output(tmp_path / "d.csv", tmp_path / "in.csv")
