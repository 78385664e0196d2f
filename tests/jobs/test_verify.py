"""A release held against its original by somebody who has the two tables alone."""

import gzip

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.jobs import verify as module
from incrowd.jobs.verify import verify
from incrowd.policy.job import Job, Policy

TABLE = pa.table({"age": ["31", "31", "47", "52"], "sex": ["f", "f", "m", "m"]})
POLICY = Policy(quasi_identifiers=("age", "sex"), k=2)
JOB = Job(policy=POLICY)


@pytest.fixture(scope="module")
def release():
    with incrowd.anonymize(TABLE, policy=POLICY, solver="greedy") as release:
        yield release


def test_a_good_release_has_no_violations_in_any_row_order(release):
    for rows in ([0, 1, 2, 3], [3, 1, 0, 2]):
        checked = verify(TABLE, release.table.take(rows), JOB)
        assert checked == [] and checked.cost is None and checked.proven is None


def test_a_changed_cell_and_a_small_class_are_named():
    released = pa.table({"age": ["31", "32", "47", "52"], "sex": ["f", "f", "m", "m"]})
    rules = {violation.rule for violation in verify(TABLE, released, JOB)}
    assert {"k=2", "invented value: age"} <= rules


def test_a_certificate_adds_what_was_recounted_of_it(release):
    checked = verify(TABLE, release.table, JOB, release.certificate())
    assert checked == [] and checked.cost == release.cost
    assert (checked.question, checked.k) == ("k-anonymity", 2) and checked.lower_bound <= checked.cost


def test_a_head_that_is_none_is_refused_where_its_recount_was_ended_too(tmp_path):
    (tmp_path / "c.gz").write_bytes(gzip.compress(b'{"version": 3}\n1\n'))
    with pytest.raises(InputError, match="kind or version"):
        verify(TABLE, TABLE, JOB.replace(k=1), tmp_path / "c.gz", proved=True, time_limit=0)


def test_a_policy_without_k_is_refused_before_the_tables_are_opened(monkeypatch):
    monkeypatch.setattr(module, "open_engine", lambda *_: pytest.fail("the engine was opened"))
    with pytest.raises(PolicyError, match="k is not given"):
        verify(TABLE, TABLE, Job(policy=Policy(quasi_identifiers=("age",))))


def test_ranges_come_without_a_certificate_which_is_said_before_the_tables_are_opened(release, monkeypatch):
    monkeypatch.setattr(module, "open_engine", lambda *_: pytest.fail("the engine was opened"))
    ranged = Job(policy=Policy(quasi_identifiers=("age", "sex"), numeric=("age",), k=2, recoding="ranges"))
    with pytest.raises(PolicyError) as refused:
        verify(TABLE, release.table, ranged, release.certificate())
    assert str(refused.value) == "a release of ranges comes without a certificate; verify it without one"


def test_the_released_file_is_read_as_it_is_written_whatever_the_original_looks_like(release, tmp_path):
    original = tmp_path / "o.csv"
    original.write_text("31;f\n31;f\n47;m\n52;m\n")
    release.to_csv(tmp_path / "r.csv")
    job = JOB.replace(header=False, delimiter=";", columns=["age", "sex"])
    assert verify(original, tmp_path / "r.csv", job) == []


@pytest.mark.parametrize(
    ("line", "more", "broken"),
    [
        ("k = 1\n", {"k": 2}, "k=2"),
        ('require = ["k-anonymity k=2"]\n', {"k": 1}, None),
        ("k = 1\nmax_stars = 0\nfull_suppression = false\n", {"max_stars": 2, "full_suppression": True}, None),
        ("k = 1\n[mask]\nmax_stars = 2\n", {"full_suppression": False}, "mask"),
        ("k = 1\n", {"requirements": ["l-diversity l=2 column=sex"]}, "l-diversity l=2 column=sex"),
        ("k = 1\nother = 'drop'\n", {"identifier": ["sex"]}, "columns: identifier sex"),
    ],
)  # fmt: skip
def test_settings_beside_a_policy_s_file_take_the_place_of_its_words(line, more, broken, tmp_path):
    (tmp_path / "policy.toml").write_text('quasi_identifiers = ["age"]\n' + line)
    released = pa.table({"age": ["*", "31", "47", "52"], "sex": ["f", "f", "m", "m"]})
    found = {violation.rule for violation in incrowd.verify(TABLE, released, tmp_path / "policy.toml", **more)}
    assert found == ({broken} if broken else set())
