"""One table on its way: proposed, changed, audited, released, counted again; a policy that is none changes nothing."""

from __future__ import annotations

import threading

import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.jobs.anonymize import anonymize
from incrowd.web.studio.desk import Desk
from incrowd.web.studio.value_tree import ValueTree


@pytest.fixture
def desk(tmp_path, small):
    (tmp_path / "small.csv").write_bytes(small)
    (tmp_path / "room").mkdir()
    made = Desk("0", tmp_path / "small.csv", tmp_path / "room")
    assert made.work("columns").wait(60)
    yield made
    made.close()


def test_a_policy_is_proposed_and_can_be_used(desk):
    assert desk.job.policy.quasi_identifiers == ("age", "sex")
    assert desk.job.policy.sensitive == ("diagnosis",)
    assert desk.job.dry_run


def test_a_release_is_made_written_and_counted_again(desk):
    desk.change(k=3, time_limit=0.5)
    run = desk.run()
    assert run.wait(60)
    assert run.state == "done", run.why
    assert (desk.made / "release.csv").read_text().count("\n") == 73
    check = desk.check()
    assert check.wait(60)
    assert (check.state, check.result.violations) == ("done", ())
    assert desk.fresh("run")
    desk.change(k=4)
    assert not desk.fresh("run")


def test_a_tampered_file_is_found_by_the_recount(desk):
    desk.change(k=3, time_limit=0.5)
    assert desk.run().wait(60)
    path = desk.made / "release.csv"
    path.write_text(path.read_text().replace("flu", "gout", 1))
    check = desk.check()
    assert check.wait(60)
    assert check.result.violations


def test_a_search_that_is_replaced_does_not_write_over_the_new_one(desk, monkeypatch):
    begun, late = threading.Event(), threading.Event()

    def slow(job, watch):
        if job.policy.k == 2:
            begun.set()
            assert late.wait(60)
        return anonymize(job, watch)

    monkeypatch.setattr("incrowd.web.studio.desk.anonymize", slow)
    desk.change(k=2, time_limit=0.5)
    old = desk.run()
    assert begun.wait(60)
    desk.change(k=6)
    new = desk.run()
    assert new.wait(60)
    late.set()
    assert old.wait(60)
    assert "k = 6" in (desk.made / "released-policy.toml").read_text()
    assert new.result.job.policy.k == 6
    assert sum(path.is_dir() for path in desk.room.iterdir()) == 1


def test_nothing_can_be_checked_before_there_is_a_release(desk):
    with pytest.raises(InputError, match="no release"):
        desk.check()


@pytest.mark.parametrize(
    "text", ["k = ", "kk = 5", "k = 0", 'engine = "spark"', '[hierarchies]\nage = "../secret.csv"']
)
def test_a_text_that_is_no_policy_changes_nothing(desk, text):
    before = desk.text
    with pytest.raises((InputError, PolicyError)):
        desk.take(text)
    assert desk.text == before
    assert desk.job.policy.k == 5


def test_the_files_that_a_policy_names_are_said(desk):
    desk.take('quasi_identifiers = ["age"]\nk = 2\n[hierarchies]\nage = "age.csv"\n')
    with pytest.raises(InputError, match=r"age\.csv"):
        _ = desk.job


def test_an_audit_is_made_anew_when_the_policy_changes(desk):
    first = desk.audit()
    assert first.wait(60)
    assert desk.audit() is first
    desk.change(quasi_identifiers=["age"], hierarchies={})
    assert desk.audit() is not first


def test_the_policys_own_files_of_output_are_not_written(desk, tmp_path):
    desk.take(
        f'quasi_identifiers = ["age"]\nk = 2\n[job]\noutput = "{tmp_path}/stolen.csv"\nreport = "{tmp_path}/r.html"\n'
    )
    assert desk.run().wait(60)
    assert not (tmp_path / "stolen.csv").exists()
    assert not (tmp_path / "r.html").exists()


def test_a_tree_of_values_is_forgotten_where_the_table_is_read_anew(desk):
    desk.trees["age"] = ValueTree.of(["31", "47"])
    assert desk.look(na=["31"]).wait(60)
    assert desk.trees == {}


def test_the_files_that_a_policy_names_can_be_taken_along(desk):
    (desk.room / "age.csv").write_text("31;young\n47;old\n52;old\n")
    assert desk.beside == []
    desk.take('quasi_identifiers = ["age"]\nk = 2\n[hierarchies]\nage = "age.csv"\n')
    assert [path.name for path in desk.beside] == ["age.csv"]
    (desk.room / "age.csv").unlink()
    assert desk.beside == []
