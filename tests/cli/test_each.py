"""Many tables under one policy: each is released by itself, under its own name."""

import json

import pytest

from incrowd import Job
from incrowd.cli.each import jobs_of_each
from incrowd.errors import InputError

ROWS = ["31,f", "31,f", "47,m", "47,m", "52,m", "52,f"]
GOOD = ("--qi", "age,sex", "--k", "2", "--solver", "greedy")


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "out").mkdir()
    for year in (2023, 2024):
        (tmp_path / f"{year}.csv").write_text("age,sex\n" + "\n".join(ROWS) + "\n")
    return tmp_path


def test_every_table_becomes_a_release_of_its_own_name(run, tables):
    status, out, err = run(
        "anonymize", "--each", "2023.csv", "2024.csv", "-o", "out", "--report", "out", "--certificate", "out", *GOOD
    )
    assert (status, err) == (0, "")
    assert sorted(path.name for path in (tables / "out").iterdir()) == [
        "2023.csv", "2023.html", "2023.json", "2024.csv", "2024.html", "2024.json",
    ]  # fmt: skip
    assert out.count("Every one of the 6 rows") == 2 and "joins the releases" in out
    for year in ("2023", "2024"):
        assert run("verify", f"{year}.csv", f"out/{year}.csv", "--certificate", f"out/{year}.json", *GOOD[:4])[0] == 0


def test_a_table_that_cannot_be_released_is_told_and_the_others_go_on(run, tables):
    (tables / "2022.csv").write_text("age,land\n31,x\n31,x\n")
    status, out, err = run("anonymize", "--each", "*.csv", "-o", "out", *GOOD, "--json")
    assert status == 2
    assert err.startswith("incrowd: '2022.csv' is not released: quasi_identifiers names column 'sex'")
    assert err.count("\n") == 1
    told = json.loads(out)
    assert [one["table"] for one in told] == ["2022.csv", "2023.csv", "2024.csv"]
    assert told[0]["exit_status"] == 2 and told[1]["k_anonymous"]
    assert sorted(path.name for path in (tables / "out").iterdir()) == ["2023.csv", "2024.csv"]


@pytest.mark.parametrize(
    ("given", "settings", "said"),
    [
        ((), {"output": "out"}, "--each releases every file by itself"),
        (("2023.csv",), {}, "no output is given: with --each"),
        (("2023.csv",), {"output": "nowhere"}, "output 'nowhere' is no folder"),
        (("2023.csv", "nobody.csv"), {"output": "out"}, "there is no file 'nobody.csv'"),
        (("2023.csv", "-"), {"output": "out"}, "standard input"),
        (("2023.csv", "x/2023.csv"), {"output": "out"}, "two tables would both become output '2023.csv'"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(tables, monkeypatch, given, settings, said):
    monkeypatch.chdir(tables)
    (tables / "x").mkdir()
    (tables / "x" / "2023.csv").write_text("age,sex\n1,f\n")
    with pytest.raises(InputError, match=said):
        jobs_of_each(Job().replace(**settings), given)


def test_a_release_is_written_in_the_tables_own_kind_where_that_can_be_written(tables, monkeypatch):
    monkeypatch.chdir(tables)
    names = {
        "a.parquet": "a.parquet",
        "b.xlsx": "b.csv",
        "c.csv.gz": "c.csv.gz",
        "d.tsv": "d.csv",
        "e.jsonl": "e.jsonl",
    }
    for name in names:
        (tables / name).write_text("")
    made = jobs_of_each(Job().replace(output="out"), list(names))
    assert [one.output.name for one in made] == list(names.values())


def test_a_release_never_takes_the_place_of_its_table(run, tables):
    status, _, err = run("anonymize", "--each", "2023.csv", "-o", ".", *GOOD)
    assert status == 2 and "is also an input" in err
