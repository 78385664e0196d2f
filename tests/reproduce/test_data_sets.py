import dataclasses

import pytest

from incrowd.errors import InputError
from incrowd.reproduce.data_sets import ADULT, ADULT_2, CANADA, CMC, NURSERY, folder_of

DATA_SETS = (ADULT, ADULT_2, NURSERY, CMC, CANADA)


@pytest.mark.parametrize("data", [d for d in DATA_SETS if d.file], ids=lambda d: d.name)
def test_a_missing_file_is_named_with_its_source_and_how_to_place_it(data, tmp_path):
    for folder in (None, tmp_path):
        with pytest.raises(InputError) as error:
            data.load(folder)
        text = str(error.value)
        assert f"'{data.file}'" in text
        assert data.source in text
        assert "--data" in text and "INCROWD_DATA" in text
        assert str(tmp_path) not in text


def test_a_folder_that_is_none_is_refused(tmp_path):
    assert folder_of(None) is None
    assert folder_of(str(tmp_path)) == tmp_path
    with pytest.raises(InputError, match="names no folder"):
        folder_of(tmp_path / "nowhere")


def test_nursery_is_the_whole_product_of_its_values():
    rows = NURSERY.load(None)
    assert len(rows) == len(set(rows)) == 12_960
    assert [len(set(column)) for column in zip(*rows, strict=True)] == [3, 5, 4, 4, 3, 2, 3, 3]


def test_every_data_set_has_the_columns_of_the_paper():
    assert [len(d.columns) for d in DATA_SETS] == [14, 9, 8, 10, 9]
    assert [d.rows for d in DATA_SETS] == [32_561, 32_561, 12_960, 1_473, 324_489]
    assert "fnlwgt" not in ADULT.columns


LINES = ["39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, US, <=50K",
         "50, ?, 83311, Bachelors, 13, Married, Exec, Husband, White, Male, 0, 0, 13, US, >50K", ""]  # fmt: skip


def test_adult_lines_lose_their_blanks_and_the_weight(tmp_path):
    (tmp_path / "adult.data").write_text("\n".join(LINES) + "\n")
    assert dataclasses.replace(ADULT_2, rows=2).load(tmp_path) == [
        ("39", "State-gov", "Bachelors", "Never-married", "Adm-clerical", "White", "Male", "US", "<=50K"),
        ("50", "?", "Bachelors", "Married", "Exec", "White", "Male", "US", ">50K"),
    ]
    assert dataclasses.replace(ADULT, rows=2).load(tmp_path)[0][:3] == ("39", "State-gov", "Bachelors")


@pytest.mark.parametrize("content", ["", "\n".join(LINES), LINES[0] + ",more\n", "a;b\n"])
def test_another_file_under_the_name_is_refused_without_quoting_it(tmp_path, content):
    (tmp_path / "adult.data").write_text(content)
    with pytest.raises(InputError, match="is not the file of Adult that the experiment needs") as error:
        ADULT.load(tmp_path)
    assert "State" not in str(error.value)


@pytest.mark.parametrize("head", ["", "a,b,c,d,e,f,g,h,i,j\n"])
def test_cmc_may_have_a_line_of_names(tmp_path, head):
    (tmp_path / "cmc.data").write_text(head + "24,2,3,3,1,1,2,3,0,1\n45,1,3,10,1,1,3,4,0,1\n")
    rows = dataclasses.replace(CMC, rows=2).load(tmp_path)
    assert rows[1] == ("45", "1", "3", "10", "1", "1", "3", "4", "0", "1")


def test_the_canada_extract_gives_its_nine_columns_and_may_have_grown(tmp_path):
    fields = [f"f{j}" for j in range(42)]
    fields[13], fields[19] = "61.5", ""
    (tmp_path / "reports.txt").write_text("$".join(f'"{field}"' for field in fields) + "\n", encoding="utf-8")
    assert CANADA.load(tmp_path) == [("f7", "f10", "61.5", "f17", "", "f22", "f26", "f34", "f37")]
    (tmp_path / "reports.txt").write_text("a$b\n")
    with pytest.raises(InputError, match="is not the file"):
        CANADA.load(tmp_path)


@pytest.mark.few(1)
@pytest.mark.parametrize("data", [ADULT, ADULT_2, CMC], ids=lambda d: d.name)
def test_the_real_files_are_read(data, data_dir):
    rows = data.load(data_dir)
    assert len(rows) == data.rows
    assert all(len(row) == len(data.columns) for row in rows)
    for name in data.numeric:
        j = data.columns.index(name)
        assert all(row[j].isdigit() for row in rows)
