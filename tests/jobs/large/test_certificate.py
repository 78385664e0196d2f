"""The certificate of a release whose row types stay in the engine, held against the tables wherever these are counted."""

from __future__ import annotations

import gzip
import json
import threading

import pytest

import incrowd
from checkers import page_script
from checkers.ask import second
from checkers.needed import NODE
from engines import SPARK, spark_kept
from incrowd.errors import OurBug, PolicyError, SolverDeclined
from incrowd.jobs.large import release as module
from incrowd.jobs.large import release as module_of_release
from incrowd.tables.large.prices import prices
from jobs.large.test_release import COLUMNS, people, policies
from seeds import seeds


def lines_in(path):
    head, *prices = gzip.decompress(path.read_bytes()).decode().splitlines()
    return json.loads(head), [int(price) for price in prices]


@seeds(60, 1)
def test_it_is_good_wherever_it_is_recounted_and_proves_the_per_row_bound(tmp_path, seed):
    asked = {"quasi_identifiers": COLUMNS, "sensitive": ["s"], **policies(seed)}
    out, file = tmp_path / "r.csv", tmp_path / "c.gz"
    try:
        release = incrowd.anonymize(
            people(seed), **asked, solver="greedy", types_in_memory=1, output=out, certificate=file
        )
    except incrowd.errors.Infeasible:
        return
    assert release.facts["types_in_engine"]
    head, told = lines_in(file)
    assert (head["version"], head["row_types"], head["proof"]) == (13, len(told), "certificate")
    assert head["lower_bound_checked"] == head["lower_bound"]
    for most in (1, 10**6):
        found = incrowd.verify(people(seed), out, certificate=file, types_in_memory=most, **asked)
        assert not found
        assert (found.cost, found.lower_bound) == (release.exact_cost, release.exact_lower_bound)
        assert found.proven


POLICY = """quasi_identifiers = ["a", "b", "c", "d"]
k = {k}
outliers = "{outliers}"
[mask]
keep = ["d"]
"""


@seeds(20, 1, first=1)
def test_what_portions_prove_is_written_where_a_column_is_kept_and_every_checker_finds_it(tmp_path, monkeypatch, seed):
    """No less than the per-row bound, and here and there more."""
    monkeypatch.setattr(module_of_release, "portion_types", lambda *_: 50)  # several portions
    source, out, file = tmp_path / "in.csv", tmp_path / "r.csv", tmp_path / "c.gz"
    people(seed, 100).drop(columns="s").to_csv(source, index=False)
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY.format(k=2 + seed % 3, outliers=("forbid", "suppress")[seed % 2]))
    greedy = incrowd.anonymize(source, policy=policy, types_in_memory=1, solver="greedy")
    release = incrowd.anonymize(source, policy=policy, types_in_memory=1, work=20, output=out, certificate=file)
    head, prices = lines_in(file)
    assert len(prices) == head["row_types"]
    assert release.exact_lower_bound >= greedy.exact_lower_bound
    assert greedy.exact_lower_bound <= head["lower_bound_checked"] <= head["lower_bound"] <= head["cost"]
    assert (head["parts"] == 1) == (head["lower_bound_checked"] == greedy.exact_lower_bound)
    if seed == 1:
        assert greedy.exact_lower_bound < head["lower_bound_checked"]
    for most in (1, 10**6):
        found = incrowd.verify(source, out, policy=policy, certificate=file, types_in_memory=most)
        assert not found
        assert found.proven == (head["proof"] == "certificate")
        assert found.lower_bound >= head["lower_bound_checked"]
    asked = [source, out, "--policy", policy, "--certificate", file]
    assert second(list(map(str, asked))) == 0
    if NODE is not None:
        said = page_script.page().checked(original=source, release=out, policy=policy, certificate=file)
        assert said["verdict"] == "good"


def test_a_release_is_improved_beside_it_and_what_rests_on_the_solver_is_said(tmp_path):
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "keep": ["d"], "full_suppression": False}
    file = tmp_path / "c.gz"
    release = incrowd.anonymize(
        people(0, 300), **asked, types_in_memory=1, work=2, output=tmp_path / "r.csv", certificate=file
    )
    head, _ = lines_in(file)
    assert head["lower_bound"] >= head["lower_bound_checked"] > 0
    assert head["proof"] == release.proof
    found = incrowd.verify(people(0, 300), tmp_path / "r.csv", certificate=file, types_in_memory=1, **asked)
    assert not found
    assert found.proven == (head["proof"] == "certificate")


def test_a_search_that_is_stopped_claims_nothing_that_was_not_recounted(tmp_path):
    stop = threading.Event()
    stop.set()
    asked = {"quasi_identifiers": COLUMNS, "k": 3}
    file = tmp_path / "c.gz"
    incrowd.anonymize(
        people(0), **asked, types_in_memory=1, stop=stop, keep_best=True, output=tmp_path / "r.csv", certificate=file
    )
    head, told = lines_in(file)
    assert (head["lower_bound"], set(told)) == (0, {0})
    assert not incrowd.verify(people(0), tmp_path / "r.csv", certificate=file, **asked)


def test_a_bound_that_the_check_cannot_follow_is_our_bug_and_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "prices", lambda *some: (0 * one for one in prices(*some)))
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "types_in_memory": 1, "output": tmp_path / "out.csv"}
    with pytest.raises(OurBug, match="finds less in the certificate than it claims; nothing was written"):
        incrowd.anonymize(people(0), **asked, solver="greedy", certificate=tmp_path / "c.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_recount_that_time_ends_leaves_a_certificate_that_claims_no_recount(monkeypatch, tmp_path):
    class Over:
        def __init__(self, *_):
            raise module.Cut

    monkeypatch.setattr(module, "recheck_in_engine", Over)
    file = tmp_path / "c.gz"
    asked = {"quasi_identifiers": COLUMNS, "k": 3}
    incrowd.anonymize(
        people(0), **asked, solver="greedy", types_in_memory=1, output=tmp_path / "r.csv", certificate=file
    )
    head, _ = lines_in(file)
    assert (head["lower_bound_checked"], head["proof"]) == (0, "solver")
    found = incrowd.verify(people(0), tmp_path / "r.csv", certificate=file, **asked)
    assert not found
    assert found.proven  # the prices are there all the same


def test_what_it_does_not_go_with_is_refused_in_words(tmp_path):
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "types_in_memory": 1, "output": tmp_path / "out.csv"}
    with pytest.raises(PolicyError, match="certificate without the ending .gz needs the row types in memory"):
        incrowd.anonymize(people(0), **asked, certificate=tmp_path / "c.json")
    release = incrowd.anonymize(people(0), **asked, solver="greedy")
    with pytest.raises(SolverDeclined, match="comes without a certificate"):
        release.certificate(tmp_path / "c.gz")
    release = incrowd.anonymize(people(0), **asked, solver="greedy", certificate=tmp_path / "c.gz")
    with pytest.raises(SolverDeclined, match="write it to a file that ends in .gz"):
        release.certificate()
    release.certificate(tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == (tmp_path / "c.gz").read_bytes()


@pytest.fixture(scope="module")
def spark():
    with spark_kept():
        yield


@pytest.mark.parametrize("work", [pytest.param(20, marks=SPARK)])
def test_spark_writes_the_certificate_that_duckdb_writes_and_recounts_it(spark, tmp_path, work):
    people(1, 100).to_csv(tmp_path / "in.csv", index=False)
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "keep": ["d"], "max_stars": 1, "types_in_memory": 1, "work": work}
    files = {}
    for engine in ("duckdb", "spark"):
        out, file = tmp_path / f"{engine}.csv", tmp_path / f"{engine}.gz"
        release = incrowd.anonymize(tmp_path / "in.csv", **asked, engine=engine, output=out, certificate=file)
        assert release.facts["types_in_engine"]
        files[engine] = file.read_bytes()
    assert files["spark"] == files["duckdb"]
    head, _ = lines_in(tmp_path / "spark.gz")
    assert 0 < head["lower_bound_checked"] <= head["lower_bound"]
    found = incrowd.verify(
        tmp_path / "in.csv", tmp_path / "spark.csv", certificate=tmp_path / "spark.gz", engine="spark", **asked
    )
    assert not found
    assert found.proven == (head["proof"] == "certificate")
    assert found.lower_bound >= head["lower_bound_checked"]
