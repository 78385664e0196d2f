"""The main job: its stages in order, and nothing written unless all of them agree."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, OurBug, PolicyError
from incrowd.jobs import anonymize as module
from incrowd.jobs.anonymize import anonymize
from incrowd.policy.job import Job, Policy
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.recoding.levels import LevelRecoding
from incrowd.tables.verdict import Violation

TABLE = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
POLICY = Policy(quasi_identifiers=("age", "sex"), k=2)


def job(**settings):
    return dataclasses.replace(Job(policy=POLICY, source=TABLE, solver="greedy"), **settings)


def test_the_stages_follow_one_another(tmp_path):
    heard = []
    with anonymize(job(output=tmp_path / "r.csv"), Watch(on_event=heard.append)) as release:
        stages = [event.stage for event in heard]
        assert {"read", "compress", "expand", "verify", "measure", "write", "total"} <= set(release.facts["seconds"])
    order = [stages.index(s) for s in ("read", "compress", "solve", "expand", "verify", "measure", "write")]
    assert order == sorted(order)


def test_a_release_that_the_check_refuses_is_not_written_and_the_engine_is_closed(tmp_path, monkeypatch):
    closed, recount, close = [], LevelRecoding.recount, Engine.close

    def refusing(self, release, rules):
        return dataclasses.replace(recount(self, release, rules), violations=(Violation("k=2", 1),))

    monkeypatch.setattr(LevelRecoding, "recount", refusing)
    monkeypatch.setattr(Engine, "close", lambda engine: closed.append(1) or close(engine))
    with pytest.raises(OurBug, match=r"the independent check refused the release \(k=2 \(1\)\)"):
        anonymize(job(output=tmp_path / "r.csv"))
    assert closed and list(tmp_path.iterdir()) == []


def test_a_dry_run_does_everything_but_write(tmp_path):
    with anonymize(job(output=tmp_path / "r.csv", report=tmp_path / "r.html", dry_run=True)) as release:
        assert release.cost == 2 and release.facts["dry_run"]
    assert list(tmp_path.iterdir()) == []


def test_files_that_could_not_be_written_are_refused_before_the_table_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "open_engine", lambda *_: pytest.fail("the engine was opened"))
    with pytest.raises(InputError):
        anonymize(job(output=tmp_path / "missing" / "r.csv"))
    with pytest.raises(InputError):
        anonymize(job(output=tmp_path / "r.csv", certificate=tmp_path / "r.csv"))
    with pytest.raises(PolicyError, match="no k is given"):
        anonymize(job(policy=Policy(quasi_identifiers=("age",))))


def test_ranges_tell_of_stars_what_the_cells_show():
    table = pa.table({"age": ["1", "2", "3", "4"], "sex": ["f", "m", "f", "m"]})
    policy = Policy(quasi_identifiers=("age", "sex"), numeric=("age",), k=2, recoding="ranges")
    with anonymize(Job(policy=policy, source=table, solver="mondrian")) as release:
        cells = [cell for name in ("age", "sex") for cell in release.table.column(name).to_pylist()]
        assert release.facts["suppressed_cells"] == cells.count("*")
        assert release.facts["recoding"] == "ranges" and release.facts["changed_cells"] > cells.count("*")


BLUNT = {
    "quasi_identifiers": ["a", "b", "c"], "k": 2, "blunt": 3, "solver": "greedy", "certificate": "told.json",
    "output": "out.csv",
}  # fmt: skip


def _many_rows() -> pa.Table:
    rng = np.random.default_rng(4)
    return pa.table({name: [str(v) for v in rng.geometric(p, 600)] for name, p in (("a", 0.4), ("b", 0.1), ("c", 0.5))})


def test_a_blunted_release_differs_from_run_to_run_and_keeps_bound_and_certificate(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = _many_rows()
    best = incrowd.anonymize(table, **{**BLUNT, "blunt": None, "certificate": None, "output": None})
    seen = set()
    for _ in range(2):
        made = incrowd.anonymize(table, **BLUNT, seed=3)
        facts = made.facts
        assert (facts["seed"], facts["settled"], facts["blunt"]) == (None, False, 3)
        assert best.cost < made.cost <= 1.1 * best.cost
        assert made.lower_bound == best.lower_bound
        asked = {name: BLUNT[name] for name in ("quasi_identifiers", "k")}
        assert incrowd.verify(table, "out.csv", certificate="told.json", **asked) == []
        seen.add((tmp_path / "out.csv").read_text())
    assert len(seen) == 2


def test_only_a_release_by_levels_is_blunted():
    with pytest.raises(PolicyError, match="blunt moves rows between classes of recoding=levels"):
        incrowd.anonymize(_many_rows(), quasi_identifiers=["a"], k=2, blunt=1, recoding="global")


@pytest.mark.parametrize("blunt", [0, 4])
def test_there_are_three_levels_of_blunting(blunt):
    with pytest.raises(PolicyError, match="blunt"):
        incrowd.anonymize(_many_rows(), quasi_identifiers=["a"], k=2, blunt=blunt)
