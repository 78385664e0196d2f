"""A release is written whole or not at all, with what belongs to it."""

import pytest

import incrowd
from incrowd.errors import OurBug

ROWS = [{"age": age, "sex": "f"} for age in ("31", "47") for _ in range(3)]
JOB = {"quasi_identifiers": ["age", "sex"], "k": 3}


def test_the_files_of_a_job_appear_together(tmp_path):
    with incrowd.anonymize(ROWS, **JOB, output=tmp_path / "o.csv", certificate=tmp_path / "c.json"):
        assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "o.csv"]


def test_a_file_that_does_not_hold_the_release_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("incrowd.results.outputs.same_rows", lambda *given, **named: False)
    with pytest.raises(OurBug, match="does not hold the verified release; nothing was kept"):
        incrowd.anonymize(ROWS, **JOB, output=tmp_path / "o.csv", certificate=tmp_path / "c.json")
    assert list(tmp_path.iterdir()) == []
