from __future__ import annotations

import threading
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import incrowd
from engines import SPARK, spark_kept
from incrowd.jobs.large import release as module
from incrowd.tables.large import improvement
from seeds import how_many

COLUMNS = ["a", "b", "c", "d"]


def people(seed, n=60):
    rng = np.random.default_rng([96, seed])
    return pd.DataFrame(
        {
            "a": rng.integers(0, 9, n),
            "b": rng.choice(["x", "y", "é", None], n),
            "c": rng.integers(0, 4, n).astype(str),
            "d": rng.integers(0, 3, n),
            "s": rng.integers(0, 5, n),
        }
    )


def policies(seed):
    rng = np.random.default_rng([97, seed])
    asked = {"k": int(rng.integers(2, 7))}
    if seed % 2:
        asked["hierarchies"] = {"a": "intervals:2,4"}
    if seed % 3 == 1:
        asked["max_stars"] = 3
    if seed % 4 == 2:
        asked["outliers"] = "suppress"
    if seed % 5 == 3:
        asked["weights"] = {"b": 2}
    if seed % 7 == 4 and not seed % 2:
        asked["suppressed"] = "null"
    return asked


@pytest.mark.parametrize("seed", range(how_many(40, 1)))
def test_the_release_is_the_same_row_by_row_wherever_the_row_types_lie(seed):
    asked = {"quasi_identifiers": COLUMNS, "sensitive": ["s"], "solver": "greedy", **policies(seed)}
    try:
        here = incrowd.anonymize(people(seed), **asked)
    except incrowd.errors.Infeasible as error:
        with pytest.raises(incrowd.errors.Infeasible) as other:
            incrowd.anonymize(people(seed), **asked, types_in_memory=1)
        assert str(other.value) == str(error)
        return
    there = incrowd.anonymize(people(seed), **asked, types_in_memory=1)
    assert there.facts["types_in_engine"]
    pd.testing.assert_frame_equal(here.table, there.table)
    other = {"seconds", "peak_mb", "progress", "settled", "gives_away", "stars_alone"}
    for name in here.facts.keys() - other:
        assert there.facts[name] == here.facts[name], name


def test_a_bound_that_the_check_cannot_follow_is_our_bug_and_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "recount_per_row", lambda *_, **__: Fraction(1))
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "types_in_memory": 1, "output": tmp_path / "out.csv"}
    with pytest.raises(incrowd.errors.OurBug, match="a lower bound below the one claimed; nothing was written"):
        incrowd.anonymize(people(0), **asked)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_bound_is_a_note_of_the_release_and_refuses_the_certificate(monkeypatch, tmp_path):
    def refused(*_, **__):
        raise incrowd.errors.InputError("no room for it")

    monkeypatch.setattr(module, "floor", refused)
    asked = {"quasi_identifiers": COLUMNS, "k": 3, "types_in_memory": 1}
    release = incrowd.anonymize(people(0), **asked)
    assert release.lower_bound == 0 and "no lower bound was found (no room for it)" in " ".join(release.facts["advice"])
    with pytest.raises(incrowd.errors.InputError, match="no room for it"):
        incrowd.anonymize(people(0), **asked, output=tmp_path / "out.csv", certificate=tmp_path / "proof.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_stop_ends_with_the_best_so_far_and_a_bound_that_holds():
    stop = threading.Event()
    stop.set()
    release = incrowd.anonymize(people(0), quasi_identifiers=COLUMNS, k=3, types_in_memory=1, stop=stop, keep_best=True)
    assert release.status == "interrupted"
    assert (release.lower_bound, release.facts["fully_suppressed_rows"]) == (0, 60)


def test_what_needs_row_types_in_memory_is_refused_by_its_name_and_the_number_decides():
    asked = {"quasi_identifiers": COLUMNS, "k": 3}
    with pytest.raises(incrowd.errors.PolicyError, match=r"^solver exact needs the row types in memory, and the tab"):
        incrowd.anonymize(people(0), **asked, solver="exact", types_in_memory=1)
    t = len(people(0)[COLUMNS].drop_duplicates())
    assert "types_in_engine" not in incrowd.anonymize(people(0), **asked, types_in_memory=t).facts
    assert incrowd.anonymize(people(0), **asked, types_in_memory=t - 1).facts["types_in_engine"]


def test_a_file_is_written_checked_and_read_back(tmp_path):
    people(1, 200).to_csv(tmp_path / "in.csv", index=False)
    out = tmp_path / "out.csv"
    incrowd.anonymize(tmp_path / "in.csv", output=out, quasi_identifiers=COLUMNS, k=3, types_in_memory=1)
    verdict = incrowd.verify(tmp_path / "in.csv", out, quasi_identifiers=COLUMNS, k=3)
    assert list(verdict) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_auto_improves_what_the_greedy_made_and_the_check_agrees():
    asked = {"quasi_identifiers": COLUMNS, "k": 4, "types_in_memory": 1}
    greedy = incrowd.anonymize(people(3, 150), **asked, solver="greedy")
    better = incrowd.anonymize(people(3, 150), **asked, work=2000)
    assert better.facts["cost"] < greedy.facts["cost"]
    assert (better.facts["solver"], better.facts["types_in_engine"]) == ("improve", True)
    assert better.facts["lower_bound"] == greedy.facts["lower_bound"] == better.facts["lower_bound_checked"]
    assert list(incrowd.verify(people(3, 150), better.table, quasi_identifiers=COLUMNS, k=4)) == []


def test_where_a_column_is_kept_the_portions_bound_may_be_the_higher_and_says_what_it_rests_on():
    asked = {"quasi_identifiers": COLUMNS, "k": 4, "types_in_memory": 1, "keep": ["c"]}
    greedy = incrowd.anonymize(people(3, 150), **asked, solver="greedy")
    better = incrowd.anonymize(people(3, 150), **asked, work=2000)
    assert better.facts["lower_bound"] > greedy.facts["lower_bound"]
    assert better.facts["lower_bound_checked"] == greedy.facts["lower_bound"]
    assert (better.facts["proof"], greedy.facts["proof"]) == ("solver", "certificate")


@pytest.fixture(scope="module")
def spark():
    with spark_kept():
        yield


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=SPARK) for seed in range(1, 4)])
def test_spark_makes_the_release_that_duckdb_makes(spark, seed, tmp_path):
    people(seed).to_csv(tmp_path / "in.csv", index=False)
    asked = {
        "quasi_identifiers": COLUMNS,
        "sensitive": ["s"],
        "solver": "greedy",
        "types_in_memory": 1,
        **policies(seed),
    }
    here = incrowd.anonymize(tmp_path / "in.csv", **asked)
    there = incrowd.anonymize(tmp_path / "in.csv", **asked, engine="spark")
    assert there.facts["types_in_engine"]
    for name in ("cost", "lower_bound", "lower_bound_checked", "status", "row_types", "classes"):
        assert there.facts[name] == here.facts[name], name
    assert there.table.to_pylist() == here.table.to_pylist()


@pytest.mark.parametrize("fault", [pytest.param(fault, marks=SPARK) for fault in ("they lack it", "they break")])
def test_where_executors_cannot_improve_it_the_plan_stays_and_a_note_says_so(spark, fault, monkeypatch, tmp_path):
    people(3, 150).to_csv(tmp_path / "in.csv", index=False)
    asked = {"quasi_identifiers": COLUMNS, "k": 4, "types_in_memory": 1, "engine": "spark"}
    greedy = incrowd.anonymize(tmp_path / "in.csv", **asked, solver="greedy")

    def broken(*_):
        raise ValueError("Zebedee")

    if fault == "they lack it":
        monkeypatch.setattr(improvement, "tasks_of", lambda *_: (1, frozenset({""})))
    else:
        monkeypatch.setattr(improvement, "done_by_group", broken)
    release = incrowd.anonymize(tmp_path / "in.csv", **asked, work=20)
    assert release.cost == greedy.cost
    said = " ".join(release.summary(details=True).split())
    assert ("these lack it; send the environment" if fault == "they lack it" else "ended early") in said
    assert "Zebedee" not in said
