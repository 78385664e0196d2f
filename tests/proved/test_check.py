import json
import os
import random
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest
from pyarrow import csv

import incrowd
from incrowd.proved import check
from incrowd.proved import program as found_program
from seeds import few_of


@pytest.fixture
def built(program, monkeypatch):
    monkeypatch.setenv("INCROWD_PROVED", program)


def people(seed=3, rows=60):
    r = random.Random(seed)
    columns = (("a", "pqrst"), ("b", "uvwx"), ("c", "lmn"), ("s", "fgh"))
    return pa.table({name: [r.choice(values) for _ in range(rows)] for name, values in columns})


POLICY = {"quasi_identifiers": ["a", "b", "c"], "sensitive": ["s"], "k": 3}


def proved(original, released, certificate, **policy):
    return incrowd.verify(original, released, certificate=certificate, proved=True, **(POLICY | policy)).proved


@pytest.mark.few(5)
@pytest.mark.parametrize("more", [
    {}, {"outliers": "suppress"}, {"weights": {"a": 2, "b": "1/3"}}, {"suppressed": "null"}, {"max_stars": 2},
    {"hierarchies": {"a": "a.csv"}, "cost": "leaves"}, {"hierarchies": {"a": "a.csv"}, "cost": "levels", "outliers": "suppress"},
    {"hierarchies": {"a": "a.csv"}, "cost": "ncp"}, {"hierarchies": {"a": "a.csv"}, "cost": "entropy"}, {"cost": "entropy"},
])  # fmt: skip
def test_releases_are_accepted_at_their_cost_and_bounds_proved(built, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # a value that is its own label one level up, and a label at two levels
    (tmp_path / "a.csv").write_text("p;p;pq;*\nq;qr;pq;*\nr;qr;pq;*\ns;st;st;*\nt;st;st;*\n")
    original = people()
    release = incrowd.anonymize(original, solver="improve", time_limit=0.2, seed=1, **(POLICY | more))
    said = proved(original, release.table, release.certificate(), **more)
    whole = release.certificate()
    recounted = incrowd.verify(original, release.table, certificate=whole, **(POLICY | more))
    assert said.holds is recounted.proven
    assert said.lower_bound == recounted.lower_bound
    assert said.why == ("" if said.holds else check.LOWER)


def test_a_bound_that_needs_its_trees_and_cuts_is_proved(built):
    original = people(seed=1, rows=24)
    release = incrowd.anonymize(original, solver="exact", outliers="suppress", **POLICY)
    whole = release.certificate()
    bare = whole | {"trees": [], "proof": "solver", "lower_bound_checked": 0}
    said, without = (proved(original, release.table, some, outliers="suppress") for some in (whole, bare))
    assert (said.holds, without.holds, without.why) == (True, False, check.LOWER)
    assert without.lower_bound < said.lower_bound == release.lower_bound


VARIED = [{"model": "l-diversity", "l": 2, "column": "s"}, {"model": "alpha-k", "alpha": 0.5, "column": "d"}]


@pytest.mark.parametrize("more", few_of([
    {"outliers": "forbid"}, {"l": 2}, {"outliers": "suppress"}, {"sensitive": ["s", "d"], "require": VARIED},
]))  # fmt: skip
def test_a_matching_is_proved(built, more):
    original, more = people(), {"k": 2} | more
    if "sensitive" in more:
        original = original.append_column("d", original["c"].take(pa.array([7 * i % 60 for i in range(60)])))
    release = incrowd.anonymize(original, solver="matching", **(POLICY | more))
    assert "matching" in release.certificate()
    said = proved(original, release.table, release.certificate(), **more)
    assert (said.holds, said.lower_bound) == (True, release.lower_bound)


@pytest.mark.parametrize("more", few_of([
    {"t": 0.5}, {"require": [{"model": "l-diversity", "kind": "entropy", "l": 1.5, "column": "s"}]}, {"l": 2},
    {"require": [{"model": "l-diversity", "kind": "recursive", "l": 2, "c": 1, "column": "s"}]},
    {"require": [{"model": "p-sensitive", "p": 2, "column": "s"}], "outliers": "suppress"},
    {"require": [{"model": "l-diversity", "kind": "joint", "l": 2, "columns": ["s"]}]},
]))  # fmt: skip
def test_a_release_under_requirements_is_accepted_and_a_bound_proved_that_may_be_lower(built, more):
    original = people()
    release = incrowd.anonymize(original, time_limit=1, seed=1, **(POLICY | more))
    certificate = release.certificate()
    assert certificate["version"] == 2
    said = proved(original, release.table, certificate, **more)
    assert said.lower_bound <= release.cost
    assert said.why == ("" if said.holds else check.LOWER)
    stronger = {**more, "t": 0.01}
    assert proved(original, release.table, certificate, **stronger).holds is False


@pytest.mark.parametrize(("more", "solver", "why"), [
    ({"k": 3, "require": [{"model": "delta-disclosure", "delta": 3, "column": "s"}]}, "greedy", check.REQUIRED),
    ({"k": 3, "recoding": "global", "suppression_limit": 0.3, "outliers": "suppress"}, "auto", check.RECODING),
])  # fmt: skip
def test_what_the_program_does_not_read_is_refused_by_name(built, more, solver, why):
    original = people()
    release = incrowd.anonymize(original, solver=solver, time_limit=1, **(POLICY | more))
    said = proved(original, release.table, release.certificate(), **more)
    assert (said.holds, said.why) == (False, why)


GRID = {"quasi_identifiers": ["age", "b"], "numeric": ["age"], "k": 3, "recoding": "grid", "round": 10}


def aged(rows=40, low=20, high=70):
    r = random.Random(4)
    return pa.table({"age": [r.randrange(low, high) for _ in range(rows)], "b": [r.choice("uvw") for _ in range(rows)]})


@pytest.mark.parametrize("more", few_of([
    {}, {"cost": "ncp", "outliers": "suppress"}, {"max_stars": 1}, {"weights": {"age": 2, "b": "1/3"}},
    {"hierarchies": {"b": "b.csv"}, "numeric": ["age"], "keep": ["b"]},
]))  # fmt: skip
def test_ranges_on_a_grid_are_accepted_and_their_bounds_proved(built, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.csv").write_text("u;uv;*\nv;uv;*\nw;w;*\n")
    policy = {**POLICY, **GRID, "sensitive": [], **more}
    original = aged()
    release = incrowd.anonymize(original, time_limit=1, seed=1, **policy)
    recounted = incrowd.verify(original, release.table, certificate=release.certificate(), proved=True, **policy)
    assert release.certificate()["certificate"] == "incrowd ranges bound"
    assert recounted.proved.holds is recounted.proven
    assert recounted.proved.lower_bound >= recounted.lower_bound


def test_a_grid_of_many_cells_is_refused_by_name(built):
    policy = {**POLICY, **GRID, "sensitive": [], "round": 1}
    original = aged(rows=300, low=0, high=400)
    release = incrowd.anonymize(original, time_limit=1, seed=1, **policy)
    said = proved(original, release.table, release.certificate(), **policy)
    assert (said.holds, said.why) == (False, check.RUNS)


def test_stars_that_are_null_beside_missing_values_are_refused_by_name(built):
    original = people().to_pydict()
    original["a"][0] = None
    original = pa.table(original)
    release = incrowd.anonymize(original, solver="greedy", **(POLICY | {"suppressed": "null"}))
    said = proved(original, release.table, release.certificate(), suppressed="null")
    assert (said.holds, said.why) == (False, check.NULLS)


def test_the_certificate_of_another_release_proves_nothing(built):
    original, more = people(), {"suppressed": "null"}
    good = incrowd.anonymize(original, solver="exact", **(POLICY | more))
    bad = incrowd.anonymize(original, solver="mondrian", **(POLICY | more))
    assert bad.cost > good.cost
    assert proved(original, bad.table, good.certificate(), **more).holds is False


def test_where_it_is_not_built_nothing_is_said(monkeypatch):
    monkeypatch.setattr(check, "find", lambda: None)
    original = people()
    release = incrowd.anonymize(original, solver="greedy", **POLICY)
    said = proved(original, release.table, release.certificate())
    assert (said.holds, said.lower_bound, said.why) == (None, None, check.NOT_BUILT)


def test_the_command_says_who_checked(built, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a,b\n" + "x,1\nx,2\ny,1\ny,2\n" * 3)
    asked = ["--qi", "a,b", "--k", "3"]
    assert run("anonymize", "t.csv", "-o", "r.csv", *asked, "--certificate", "c.json")[0] == 0
    status, out, _ = run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json", "--proved")
    assert status == 0
    assert "Checked by a program whose correctness is machine-proved" in out.replace("\n", " ")
    said = json.loads(run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json", "--proved", "--json")[1])
    assert (said["proved"], said["proved_lower_bound"], said["proved_why"]) == (True, said["lower_bound"], None)
    assert "machine-proved" not in run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json")[1]
    status, _, err = run("verify", "t.csv", "r.csv", *asked, "--proved")
    assert status == 2
    assert "--certificate" in err
    text = (tmp_path / "c.json").read_text().replace('"lower_bound": 0', '"lower_bound": 1')
    (tmp_path / "c.json").write_text(text)
    status, out, _ = run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json", "--proved")
    assert (status, "machine-proved" in out) == (1, False)


@pytest.fixture
def endless(tmp_path, monkeypatch):
    """A program that says which process it is and never answers."""
    program = tmp_path / "endless"
    program.write_text(
        f"#!/bin/sh\necho $$ > {tmp_path}/started.part\nmv {tmp_path}/started.part {tmp_path}/started\nexec sleep 600\n"
    )
    program.chmod(0o700)
    monkeypatch.setenv("INCROWD_PROVED", str(program))
    return tmp_path / "started"


def gone(started):
    """Whether the process that a file names has ended."""
    try:
        os.kill(int(started.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def test_the_time_limit_ends_the_program_and_is_told(endless):
    original = people(rows=12)
    release = incrowd.anonymize(original, solver="greedy", **POLICY)
    said = proved(original, release.table, release.certificate(), time_limit=0.5)
    assert (said.holds, said.lower_bound, said.why) == (False, None, check.LATE)
    assert gone(endless)
    with pytest.raises(incrowd.PolicyError, match="time_limit"):
        proved(original, release.table, release.certificate(), time_limit=-1)


@pytest.mark.parametrize(("signal_", "status"), few_of([(signal.SIGTERM, 143), (signal.SIGINT, 130)]))
def test_a_stop_ends_the_program_with_the_command(endless, tmp_path, signal_, status):
    original = people(rows=12)
    release = incrowd.anonymize(original, solver="greedy", output=tmp_path / "r.csv", **POLICY)
    csv.write_csv(original, tmp_path / "t.csv")
    (tmp_path / "c.json").write_text(json.dumps(release.certificate()))
    asked = ["t.csv", "r.csv", "--qi", "a,b,c", "--sensitive", "s", "--k", "3", "--certificate", "c.json", "--proved"]
    with subprocess.Popen(
        [sys.executable, "-m", "incrowd", "verify", *asked], cwd=tmp_path, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:  # fmt: skip
        while not endless.exists() and command.poll() is None:
            time.sleep(0.05)
        command.send_signal(signal_)
        assert command.wait(timeout=60) == status
    assert gone(endless)


def test_it_is_looked_for_where_it_is_named(monkeypatch):
    monkeypatch.setenv("INCROWD_PROVED", "/some/where")
    assert found_program.find() == "/some/where"
