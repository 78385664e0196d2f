"""A driver that is killed between two stages goes on from what it had computed, to the same release."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK, spark_kept, spark_wanted

pytestmark = SPARK
N = 600
JOB = {"quasi_identifiers": ["age", "zip"], "k": 4, "solver": "greedy", "seed": 7}
FEW = {"age": "abcd", "zip": "vwxyz", "sex": "fm", "kind": "abcd"}  # a greedy release of it is not at the bound
PATIENCE = 900  # seconds on a busy machine
# a driver of its own, which ends itself after a stage as nothing else could
DRIVER = """
import contextlib, json, os, signal, sys, threading, time
import incrowd
from incrowd.jobs import clock
source, out, folder, stage, job = json.loads(sys.argv[1])
call = clock.Clock.__call__

@contextlib.contextmanager
def timed(self, name):
    with call(self, name):
        yield
    if name == stage:
        os.kill(os.getpid(), signal.SIGKILL)

clock.Clock.__call__ = timed
if stage == "in wave":  # a task has begun to improve the plan
    from incrowd.tables.large import executors
    make, begun = executors._work, out + ".begun"

    def slow(*given):
        inner = make(*given)

        def work(batches):
            import time
            open(begun, "w").close()
            time.sleep(5)
            yield from inner(batches)

        def watch():
            while not os.path.exists(begun):
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=watch, daemon=True).start()
        return work

    executors._work = slow
if stage == "in write":  # the release is written, and has not got its name
    from incrowd.tables.write import folder as output
    output.StagedFolder.is_whole = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with incrowd.anonymize(source, engine="spark", output=out, resume=folder, **job) as release:
    told = [release.cost, release._rows.table.engine.keeping.resumed.found, os.path.isdir(folder)]
print(json.dumps([*told, os.path.exists(folder)]))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    rng = random.Random(1)
    path = tmp_path_factory.mktemp("table") / "people.parquet"
    columns = {"age": [str(rng.randrange(9)) for _ in range(N)], "zip": [f"z{rng.randrange(20)}" for _ in range(N)]}
    pq.write_table(pa.table(columns | {"note": [str(i) for i in range(N)]}), path)
    return path


def driven(source, out, folder, stage, **job):
    spark_wanted()
    words = json.dumps([str(source), str(out), str(folder), stage, JOB | job])
    command = [sys.executable, "-c", DRIVER, words]
    return subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=PATIENCE)


def digest(rows):
    return len(rows), hashlib.sha256("\n".join(map(str, rows)).encode()).hexdigest()


@pytest.mark.timeout(PATIENCE + 60)
def test_a_killed_driver_goes_on(source, tmp_path):
    out, folder = tmp_path / "out.parquet", tmp_path / "resumed"
    there = []
    for stage in ("compress", "expand"):
        assert driven(source, out, folder, stage).returncode == -signal.SIGKILL
        assert not out.exists()
        assert folder.stat().st_mode & 0o777 == 0o700
        whole = {place.parent.name for place in folder.glob("*/_SUCCESS")}
        names = "\n".join(place.name for place in folder.iterdir())
        assert not any(word in names for word in ("age", "zip", "people", "z1"))
        assert len(whole) > len(there)
        assert whole >= set(there)  # what was there was not made anew under another name
        there = sorted(whole)
    done = driven(source, out, folder, "")
    assert done.returncode == 0, done.stderr
    cost, found, stood, stands = json.loads(done.stdout.splitlines()[-1])
    assert found == len(there)
    assert (stood, stands) == (True, False)
    with incrowd.anonymize(source, **JOB) as plain:
        assert cost == plain.cost
        expected = digest(plain.table.to_pylist())
    assert digest([row for part in sorted(out.glob("part-*")) for row in pq.read_table(part).to_pylist()]) == expected


@pytest.mark.timeout(3 * PATIENCE + 60)
def test_a_driver_killed_while_executors_improve_the_plan_or_write_the_release_goes_on(tmp_path):
    rng = random.Random(2)
    columns = {name: rng.choices(cells, k=100) for name, cells in FEW.items()}
    source, out, folder = tmp_path / "few.parquet", tmp_path / "out.parquet", tmp_path / "resumed"
    pq.write_table(pa.table(columns | {"note": [str(i) for i in range(100)]}), source)
    job = {"quasi_identifiers": list(FEW), "solver": "auto", "work": 300, "types_in_memory": 1}
    there = []
    for stage in ("in wave", "in write"):
        assert driven(source, out, folder, stage, **job).returncode == -signal.SIGKILL
        assert not out.exists()
        whole = {place.parent.name for place in folder.glob("*/_SUCCESS")}
        assert len(whole) > len(there)
        assert whole >= set(there)
        there = sorted(whole)
    staged = list(tmp_path.glob(".out.parquet.*.part"))  # as the page says of a job that is killed outright
    assert [path.stat().st_mode & 0o777 for path in staged] == [0o700]
    done = driven(source, out, folder, "", **job)
    assert done.returncode == 0, done.stderr
    cost, found, stood, stands = json.loads(done.stdout.splitlines()[-1])
    assert (found, stood, stands) == (len(there), True, False)
    with incrowd.anonymize(source, **(JOB | job)) as plain:
        assert any(note.startswith("improved in ") for note in plain.facts["solver_notes"])
        assert cost == plain.cost
        expected = digest(plain.table.to_pylist())
    assert digest([row for part in sorted(out.glob("part-*")) for row in pq.read_table(part).to_pylist()]) == expected


@pytest.mark.timeout(PATIENCE + 60)
def test_a_folder_of_something_else_is_refused(source, tmp_path):
    folder = tmp_path / "resumed"
    assert driven(source, tmp_path / "out.parquet", folder, "read").returncode == -signal.SIGKILL
    before = sorted(place.name for place in folder.iterdir())
    other = tmp_path / "other.parquet"
    other.write_bytes(Path(source).read_bytes())
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "mine").write_text("kept")
    with spark_kept():

        def refused(table, resume, **job):
            with pytest.raises(incrowd.IncrowdError) as told:
                incrowd.anonymize(table, engine="spark", output=tmp_path / "o.parquet", resume=resume, **(JOB | job))
            return str(told.value)

        assert "another table" in refused(other, folder)
        assert "another policy" in refused(source, folder, k=5)
        assert "something else" in refused(source, strange)
        plate = next(folder.glob("incrowd-resume-*"))
        words = plate.name.split("-")
        plate.rename(folder / "-".join([*words[:3], "0" * 32, *words[4:]]))
        assert "another version" in refused(source, folder)
    assert [place.name for place in strange.iterdir()] == ["mine"]
    assert len(list(folder.iterdir())) == len(before)


def test_the_command_says_what_the_folder_holds(source, tmp_path):
    words = ["anonymize", str(source), "-o", str(tmp_path / "o.parquet"), "--qi", "age", "--k", "3"]
    command = [sys.executable, "-m", "incrowd", *words, "--resume", str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "folder 'kept' holds personal data" in done.stderr
    assert "resume goes with engine spark" in done.stderr


def test_it_goes_with_files_on_spark_alone(source, tmp_path):
    with pytest.raises(incrowd.PolicyError, match="resume goes with engine spark"):
        incrowd.anonymize(source, output=tmp_path / "o.parquet", resume=tmp_path / "r", **JOB)
    with spark_kept(), pytest.raises(incrowd.PolicyError, match="resume goes with engine spark"):
        incrowd.anonymize(pq.read_table(source), engine="spark", resume=tmp_path / "r", **JOB)
