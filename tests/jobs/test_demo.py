"""The bundled hospital: made by its script, whole, and released by its policy."""

import contextlib
import csv
import importlib.util
import io
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest

from incrowd.jobs import demo
from incrowd.policy.job import Job, Policy

BUNDLED = files("incrowd.data")
SCRIPT = Path(__file__).parents[2] / "scripts" / "make_demo_table.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_demo_table", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows():
    return list(csv.DictReader(io.StringIO((BUNDLED / "hospital.csv").read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def policy():
    return Policy.load(Path(str(BUNDLED / "hospital.toml")))


def test_the_script_makes_the_bundled_table_byte_for_byte(script):
    assert script.table().encode() == (BUNDLED / "hospital.csv").read_bytes()


def test_another_seed_makes_another_table(script):
    assert script.table(rows=50, seed=1) != script.table(rows=50)


def test_the_table_is_a_few_thousand_whole_rows(rows, script):
    assert len(rows) == 3000
    assert tuple(rows[0]) == script.COLUMNS
    assert all(None not in row and None not in row.values() for row in rows)


def test_no_patient_number_is_there_twice(rows):
    numbers = [row["patient_number"] for row in rows]
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"\d{6}", number) for number in numbers)


def test_only_a_few_fields_are_empty_and_none_of_the_sensitive_ones(rows):
    empty = Counter(column for row in rows for column, value in row.items() if not value)
    assert set(empty) == {"postcode", "marital_status", "occupation"}
    assert 30 < sum(empty.values()) < 200


def test_nobody_is_what_nobody_can_be(rows):
    for row in rows:
        first = int(re.match(r"\d+", row["age_group"])[0])
        assert row["sex"] in ("female", "male")
        assert int(row["days_in_hospital"]) >= 1
        if row["diagnosis"] == "childbirth":
            assert row["sex"] == "female"
            assert 10 <= first < 50
        if row["diagnosis"] == "prostate cancer":
            assert row["sex"] == "male"
        if first < 10:
            assert row["marital_status"] in ("single", "")
            assert row["occupation"] in ("none", "pupil", "")
        if row["occupation"] == "retired":
            assert first >= 50


def test_the_columns_depend_on_one_another(rows):
    def share(column, value, of):
        chosen = [row for row in rows if of(row)]
        return sum(row[column] == value for row in chosen) / len(chosen)

    assert share("marital_status", "widowed", lambda r: r["age_group"] >= "80-89") > 0.3
    assert share("marital_status", "widowed", lambda r: r["age_group"] == "40-49") < 0.05
    assert share("insurance", "private", lambda r: r["postcode"] == "017") > 2 * share(
        "insurance", "private", lambda r: r["postcode"] in ("020", "023")
    )


def test_the_table_needs_anonymizing(rows, policy):
    types = Counter(tuple(row[column] for column in policy.quasi_identifiers) for row in rows)
    alone = sum(1 for count in types.values() if count == 1)
    assert alone > 200
    assert any(count >= policy.k for count in types.values())


def test_the_policy_gives_every_column_of_the_table_a_place(rows, policy):
    policy.roles.check(tuple(rows[0]))
    assert policy.k == 5
    assert policy.identifiers == ("patient_number",)
    assert policy.sensitive == ("diagnosis",)
    assert policy.roles.kept(tuple(rows[0])) == ("age_group", "sex", "postcode", "occupation", "diagnosis")


def test_the_policy_allows_some_patterns_and_not_others(policy):
    patterns = policy.mask.compile(policy.quasi_identifiers, [1] * 4)
    assert patterns.allows((1, 0, 1, 0))
    assert not patterns.allows((0, 1, 0, 0))
    assert not patterns.allows((1, 1, 1, 0))
    assert patterns.allows_full_suppression


def test_the_policy_survives_being_written_and_read_again(policy, tmp_path):
    policy.save(tmp_path / "policy.toml")
    assert Job.load(tmp_path / "policy.toml").policy == policy


@pytest.mark.parametrize("drawn", [True, False])
def test_a_report_is_made_where_its_charts_can_be_drawn_and_else_it_says_how_to_have_it(tmp_path, monkeypatch, drawn):
    asked = []

    @contextlib.contextmanager
    def released(job, watch):
        asked.append(job)
        yield SimpleNamespace(shell_summary=lambda: "Released.\n")

    monkeypatch.setattr(demo, "can_draw", lambda: drawn)
    monkeypatch.setattr(demo, "anonymize", released)
    told = demo.demo(tmp_path / "shown")
    assert [job.report for job in asked] == [tmp_path / "shown" / "report.html" if drawn else None]
    assert ("and report.html, to be opened in a browser.\n" in told) == drawn
    assert ('For a report with charts too: pip install "altair>=' in told) != drawn
