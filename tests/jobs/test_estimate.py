"""What a job would take, said before it is done."""

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, SolverDeclined
from incrowd.jobs import estimate as module
from incrowd.memory.process import peak

ROWS = 60
TABLE = pa.table({"a": [f"{i % 4}" for i in range(ROWS)], "b": [f"{i % 5}" for i in range(ROWS)]})
ASKED = {"quasi_identifiers": ["a", "b"], "k": 5}


def test_it_counts_rows_and_row_types_as_the_release_does_and_nothing_is_written(tmp_path):
    out = tmp_path / "out.csv"
    found = incrowd.estimate(TABLE, **ASKED, solver="greedy", output=out)
    with incrowd.anonymize(TABLE, **ASKED, solver="greedy") as release:
        facts = release.facts
    assert [found.facts[name] for name in ("rows", "row_types", "solver")] == [ROWS, facts["row_types"], "greedy"]
    assert not out.exists()
    stages = ["read", "compress", "solve", "expand", "verify", "measure", "write", "total"]
    assert list(found.facts["seconds"]) == stages
    total = found.facts["seconds"].pop("total")
    assert total == pytest.approx(sum(found.facts["seconds"].values()), abs=0.5)
    assert 0 < found.facts["memory_mb"] < 4 * peak() / 1e6


def test_a_search_takes_its_time_limit_and_one_without_an_end_nobody_knows():
    seconds = [incrowd.estimate(TABLE, **ASKED, **more).facts["seconds"] for more in (
        {}, {"time_limit": 7, "solver": "exact"}, {"solver": "exact"})]  # fmt: skip
    assert [told["solve"] for told in seconds] == [60, 7, None]
    assert seconds[2]["total"] is None


def test_memory_is_never_said_to_pass_the_limit_that_would_be_kept(monkeypatch):
    monkeypatch.setattr(module, "least_bytes", lambda _: 10**13)
    assert incrowd.estimate(TABLE, **ASKED).facts["memory_mb"] > 10**7
    limit = f"{2 * peak() // 10**6 + 1000}MB"
    assert incrowd.estimate(TABLE, **ASKED, memory=limit).facts["memory_mb"] == int(limit[:-2])


def test_what_could_not_be_done_is_refused_as_the_job_would_be():
    with pytest.raises(SolverDeclined, match="matching is exact for k=2 only"):
        incrowd.estimate(TABLE, **ASKED, solver="matching")
    with pytest.raises(InputError, match="memory 90 MB is too little"):
        incrowd.estimate(TABLE, **ASKED, memory="90MB")


def test_the_size_of_a_release_follows_that_of_its_source(tmp_path):
    source = tmp_path / "t.csv"
    source.write_text("a,b\n" + "x" * 50_000 + ",u\n" * 100_000)
    disk = [
        incrowd.estimate(source, **ASKED, output=tmp_path / name).facts["disk_mb"] for name in ("o.csv", "o.parquet")
    ]
    assert disk[0] > 0.2 and 0 < disk[1] < disk[0]
