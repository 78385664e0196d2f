"""A policy from the data: it runs as it stands, loses little, holds no cell, and survives what tables hold."""

import io
import tomllib

import pyarrow as pa
import pyarrow.csv
import pytest

import incrowd
from data.admissions import COLUMNS, admissions, as_csv
from incrowd import Job
from incrowd.errors import InputError
from incrowd.jobs.proposal.starting_policy import starting_policy

CANARY = "Zebedee-4711"


def proposed(source):
    text = starting_policy(Job().replace(source=source))
    assert CANARY not in text
    return text, tomllib.loads(text)


def test_following_it_keeps_three_quarters_of_an_invented_hospitals_table(tmp_path):
    rows = 5000
    (tmp_path / "t.csv").write_text(as_csv(rows), encoding="utf-8")
    text, said = proposed(tmp_path / "t.csv")
    assert said["identifiers"] == ["patient_id", "name", "birth_date", "note"]
    assert said["sensitive"] == ["icd10", "bmi", "crp_mg_l"]
    assert set(said["quasi_identifiers"]) == {*COLUMNS} - {*said["identifiers"], *said["sensitive"]}
    assert said["hierarchies"] == {
        "age": "intervals:5,10,20,90+", "zip": "prefix:3,2,1", "admission_date": "dates:month,quarter,year",
        "los_days": "intervals:2,10,20",
    }  # fmt: skip
    assert (said["k"], said["read"]) == (5, {"na": ["NA"]})
    assert "identifier (dropped: age says the same, more coarsely)" in text
    assert not any(cell in text for row in admissions(50) for cell in (row[1], row[2], row[13]) if cell)
    (tmp_path / "p.toml").write_text(text, encoding="utf-8")
    with incrowd.anonymize(tmp_path / "t.csv", policy=tmp_path / "p.toml", solver="greedy") as release:
        assert release.cost <= 0.25 * rows * len(said["quasi_identifiers"])
        assert incrowd.verify(tmp_path / "t.csv", release.table, tmp_path / "p.toml") == []


def test_what_is_expected_is_said():
    table = pyarrow.csv.read_csv(io.BytesIO(as_csv(300).encode()))
    assert "## To expect: at k = 5 a quick search lost" in proposed(table)[0]


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "columns",
    [
        {"x": [float("nan"), float("inf"), 1.5, -0.0] * 20, "y": ["a", "b"] * 40},
        {"born": ["0000-01-01", "-0044-03-15", CANARY, "2021-02-30"] * 5, "y": ["a", "b"] * 10},
        {"born": ["2021-02-03", "1950-02-03", CANARY, "1971-02-30", *["1990-01-01"] * 26], "y": ["a"] * 30},
        {"same": ["x"] * 9, "y": ["1", "2", "NA"] * 3},
        {"none": pa.array([None] * 6, "string"), "y": [1, 1, 2, 2, 3, 3]},
        {"none": pa.array([None] * 6, "string")},
        {"mixed": ["1", "two", CANARY, "2021-01-01", None, "?"] * 4, "flag": [True, False] * 12},
        {"age": ["31", "47", CANARY, "NA", *map(str, range(30))] * 2, 'a"b\nk = 7': ["x", "y"] * 34},
        {"only": ["x"], "row": ["y"]},
        {"no": pa.array([], "string"), "rows": pa.array([], "int64")},
    ],
)
def test_no_table_breaks_it_and_what_it_writes_is_read(columns, tmp_path):
    text, said = proposed(pa.table(columns))
    (tmp_path / "p.toml").write_text(text, encoding="utf-8")
    job = Job.load(tmp_path / "p.toml")
    assert list(job.policy.quasi_identifiers) == said["quasi_identifiers"]
    if job.policy.quasi_identifiers and pa.table(columns).num_rows > 1:
        with incrowd.anonymize(pa.table(columns), policy=job, solver="greedy") as release:
            assert release.classes["min"] >= job.policy.k


def test_a_first_line_that_looks_like_data_is_not_repeated(tmp_path):
    (tmp_path / "t.csv").write_text(f"1,{CANARY},2.5\n2,x,3.5\n3,y,4.5\n")
    with pytest.raises(InputError, match="looks like a row of data") as caught:
        proposed(tmp_path / "t.csv")
    assert CANARY not in str(caught.value)
