"""Several files of equal columns are one table: the same release as of one file with all rows."""

import itertools
import random

import pandas as pd
import pytest

import incrowd
from incrowd.errors import InputError
from seeds import few_of

ASKED = {"quasi_identifiers": ["age", "sex"], "k": 3, "solver": "greedy"}


def rows(number, seed):
    rng = random.Random(seed)
    return [
        {"age": f"0{rng.randrange(30, 36)}", "sex": rng.choice("fm"), "ill": rng.choice("xyz")} for _ in range(number)
    ]


def written(folder, parts, ending="csv"):
    paths = []
    for i, part in enumerate(parts):
        path = folder / f"part-{i}.{ending}"
        frame = pd.DataFrame(part)
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path, index=False)
        paths.append(path)
    return paths


@pytest.mark.parametrize("ending", few_of(["csv", "parquet"]))
def test_a_list_a_pattern_and_a_folder_are_the_table_of_all_their_rows(tmp_path, ending):
    every = rows(120, 1)
    cuts = [0, 1, 50, 51, 120]
    parts = [every[a:b] for a, b in itertools.pairwise(cuts)]
    (tmp_path / "t").mkdir()
    paths = written(tmp_path / "t", parts, ending)
    (tmp_path / "one").mkdir()
    (whole,) = written(tmp_path / "one", [every], ending)
    expected = incrowd.anonymize(whole, **ASKED, keep_order=True).table
    for source in (paths, str(tmp_path / "t" / f"part-*.{ending}"), tmp_path / "t"):
        release = incrowd.anonymize(source, **ASKED, keep_order=True)
        assert release.table.equals(expected)  # the rows in the order of the files
        assert incrowd.verify(source, release.table, **ASKED) == []
        assert "4 files were read as one table" in release.facts["notes"]


def test_columns_in_another_order_are_told_apart_by_their_names(tmp_path):
    every = rows(60, 2)
    (tmp_path / "0.csv").write_text(
        "age,sex,ill\n" + "".join(f"{r['age']},{r['sex']},{r['ill']}\n" for r in every[:30])
    )
    (tmp_path / "1.csv").write_text(
        "ill,age,sex\n" + "".join(f"{r['ill']},{r['age']},{r['sex']}\n" for r in every[30:])
    )
    release = incrowd.anonymize(str(tmp_path / "*.csv"), **ASKED)
    same = incrowd.anonymize(every, **ASKED)
    assert incrowd.verify(every, release.table, **ASKED) == []
    assert release.cost == same.cost


def test_other_columns_or_types_are_refused_by_name(tmp_path):
    written(tmp_path, [[{"age": "1", "sex": "f"}], [{"age": "1", "zip": "0"}]])
    with pytest.raises(InputError, match=r"but 'part-1.csv' lacks sex \('part-0.csv'\)"):
        incrowd.anonymize(tmp_path, **ASKED)
    other = tmp_path / "typed"
    other.mkdir()
    written(other, [[{"age": 1, "sex": "f"}], [{"age": "1", "sex": "f"}]], "parquet")
    with pytest.raises(
        InputError, match=r"column 'age' has one type in 'part-0.parquet' and another in 'part-1.parquet'"
    ):
        incrowd.anonymize(other, **ASKED)


def test_an_output_that_would_be_a_part_of_its_own_table_is_refused(tmp_path):
    paths = written(tmp_path, [rows(20, 3), rows(20, 4)])
    with pytest.raises(InputError, match="be read as a part of it the next time"):
        incrowd.anonymize(tmp_path, **ASKED, output=tmp_path / "r.csv")
    for source in (paths, str(tmp_path / "*.csv")):
        with pytest.raises(InputError, match="is also an input"):
            incrowd.anonymize(source, **ASKED, output=paths[1])


def test_a_policy_file_may_name_several_files_beside_it(tmp_path, monkeypatch):
    written(tmp_path, [rows(20, 5), rows(20, 6)])
    listed = incrowd.Job(source=[tmp_path / "part-0.csv", tmp_path / "part-1.csv"]).replace(**ASKED)
    listed.save(tmp_path / "p.toml")
    assert "part-0.csv" in (tmp_path / "p.toml").read_text()
    monkeypatch.chdir(tmp_path.parent)
    again = incrowd.Job.load(tmp_path / "p.toml")
    assert incrowd.anonymize(policy=again).facts["rows"] == 40
    (tmp_path / "q.toml").write_text('source = "part-*.csv"\nquasi_identifiers = ["age", "sex"]\nk = 3\n')
    assert incrowd.anonymize(policy=tmp_path / "q.toml", solver="greedy").facts["rows"] == 40


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (b"", "'part-1.parquet' is no whole Parquet file; it may be cut short"),
        (None, "'part-1.parquet' is no whole Parquet file; it may be cut short"),
    ],
)
def test_a_part_that_is_empty_or_cut_short_is_named_and_nothing_is_published(tmp_path, part, said):
    folder = tmp_path / "parts"
    folder.mkdir()
    written(folder, [[{"age": "1", "sex": "f"}] * 3] * 2, "parquet")
    last = folder / "part-1.parquet"
    last.write_bytes(last.read_bytes()[:-20] if part is None else part)
    with pytest.raises(InputError, match=said):
        incrowd.anonymize(folder, **ASKED, output=tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]
