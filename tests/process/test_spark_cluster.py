"""On a standalone master with two workers: one of two executors killed at any stage, and the release is the same."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK
from process.clusters import cluster

pytestmark = SPARK
N = 3_000
JOB = {"quasi_identifiers": ["age", "zip"], "k": 5, "solver": "greedy", "seed": 7}
KILLED_AFTER = ["read", "compress", "expand", "verify", "measure", "in write"]  # stages
FEW = {"age": "abcd", "zip": "vwxyz", "sex": "fm", "kind": "abcd"}
PATIENCE = 1_700  # seconds on a busy machine
# a driver of its own: after each of some stages it kills an executor, and says what came of it
DRIVER = """
import contextlib, json, os, signal, sys, threading, time
from pathlib import Path
import incrowd
from process.clusters import executors_below
from incrowd.jobs import shares as clock
source, folder, checkpoints, workers, stages, job = json.loads(sys.argv[1])
from incrowd.tables.engine.open import open_engine
call, told = clock.Clock.__call__, {}

def two():
    for _ in range(600):  # one that died before is started again
        there = executors_below(workers)
        if len(there) == 2:
            break
        time.sleep(0.1)
    return there

def kill(stage):
    os.kill(two()[0], signal.SIGKILL)
    killed.append(stage)

def killing(stage):
    @contextlib.contextmanager
    def timed(self, name):
        with call(self, name):
            yield
        if name == stage:
            kill(stage)
    return timed

from incrowd.tables.large import improvement as executors
from incrowd.tables import write as output
work = executors.done_by_group

def wave(*given):  # an executor goes before it finds anything
    made = work(*given)
    kill("wave")
    return made

make = executors._work

def slow(*given):  # a task says where it runs, and is killed there
    inner, begun = make(*given), f"{folder}/begun"

    def work(table):
        import os, time
        with open(begun, "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(3)
        return inner(table)

    def watch():
        for _ in range(3000):
            if os.path.exists(begun) and (lines := open(begun).read().split()):
                break
            time.sleep(0.05)
        number, there = int(lines[0]), executors_below(workers)
        while number not in there:
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(number, signal.SIGKILL)
        killed.append("in wave")

    threading.Thread(target=watch).start()
    return work

write = output._write

def writing(engine, *given, **named):
    context, over = engine.session.sparkContext, threading.Event()

    def watch():
        while not over.wait(0.01) and not context.statusTracker().getActiveStageIds():
            pass
        kill("in write")

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        write(engine, *given, **named)
    finally:
        over.set()
        thread.join()

with open_engine("spark", None) as kept:
    if checkpoints:
        kept.session.sparkContext.setCheckpointDir(checkpoints)
    for stage in stages:
        context = kept.session.sparkContext._jsc.sc()
        for _ in range(3000):  # two executors that know of one another, beside the driver
            if context.getExecutorMemoryStatus().size() == 3:
                break
            time.sleep(0.1)
        killed, out = [], f"{folder}/{stage or 'whole'}.parquet"
        clock.Clock.__call__ = killing(stage)
        executors.done_by_group = wave if stage == "wave" else work
        executors._work = slow if stage == "in wave" else make
        output._write = writing if stage == "in write" else write
        try:
            with incrowd.anonymize(source, engine="spark", output=out, **job) as release:
                told[stage] = [release.cost, release.facts["notes"] + release.facts["solver_notes"]]
        except incrowd.IncrowdError as error:
            told[stage] = str(error)
        assert killed == ([stage] if stage else []), killed
    told["limit"] = kept.session.sparkContext.getConf().get("spark.driver.maxResultSize")
    told["python"] = kept.session.sparkContext.pythonExec
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("workers")) as made:
        yield made


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    rng = random.Random(1)
    path = tmp_path_factory.mktemp("table") / "people.parquet"
    columns = {"age": [str(rng.randrange(9)) for _ in range(N)], "zip": [f"z{rng.randrange(40)}" for _ in range(N)]}
    pq.write_table(pa.table(columns | {"note": [str(i) for i in range(N)]}), path)
    return path


def driven(spark, source, folder, stages, *, checkpoints="", more="", cwd=None, **job):
    workers = [worker.pid for worker in spark.workers]
    folder.mkdir(exist_ok=True)
    words = json.dumps([str(source), str(folder), checkpoints, workers, stages, JOB | job])
    env = os.environ | {"PYSPARK_SUBMIT_ARGS": more + spark.submitted}
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), env.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, words], env=env, capture_output=True, text=True, timeout=PATIENCE, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def digest(folder):
    rows = [str(row) for part in sorted(folder.glob("part-*")) for row in pq.read_table(part).to_pylist()]
    return len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()


@pytest.mark.timeout(PATIENCE + 60)
def test_an_executor_killed_at_any_stage_changes_nothing(spark, source, tmp_path):
    directory = tmp_path / "checkpoints"
    told = driven(spark, source, tmp_path, KILLED_AFTER, checkpoints=str(directory))
    with incrowd.anonymize(source, **JOB) as plain:
        rows = plain.table.to_pylist()
        expected = len(rows), hashlib.sha256("\n".join(map(str, rows)).encode()).hexdigest()
        cost = plain.cost
    for stage in KILLED_AFTER:
        assert not isinstance(told[stage], str), (stage, told[stage])
        assert told[stage][0] == cost
        assert not any("no checkpoint directory" in note for note in told[stage][1])
        assert digest(tmp_path / f"{stage}.parquet") == expected, stage
    assert not list(directory.glob("*/incrowd-*")), "personal data stays behind"


@pytest.mark.timeout(PATIENCE + 60)
def test_a_limit_on_results_is_kept_and_told(spark, source, tmp_path):
    more = "--conf spark.driver.maxResultSize=1k --conf spark.sql.autoBroadcastJoinThreshold=-1 "
    more += "--conf spark.pyspark.python=./env/bin/python "
    told = driven(spark, source, tmp_path, [""], more=more)
    assert "than spark.driver.maxResultSize allows" in told[""]
    assert told["limit"] == "1k"
    assert told["python"] == "./env/bin/python"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.timeout(PATIENCE + 60)
def test_where_tables_are_kept_on_one_machine_only_is_refused(spark, source, tmp_path):
    """Its name is the same for the driver and the executors, but each has a folder of its own under it."""
    own = Path("/proc/self/cwd")
    if not own.exists():
        pytest.skip("this system has no name that means another folder to each process")
    driver, out = tmp_path / "driver", tmp_path / "out"
    for folder in (driver, out):
        folder.mkdir()
    told = driven(spark, source, out, [""], checkpoints=str(own / "kept"), cwd=driver)
    assert "the checkpoint directory " in told[""]
    assert "lies on one machine only" in told[""]
    assert str(tmp_path) not in told[""]
    assert list(out.iterdir()) == []
    left = list((driver / "kept").rglob("part-*"))
    assert left == [], "personal data stays behind"


@pytest.mark.timeout(PATIENCE + 60)
def test_a_place_for_the_release_on_one_machine_only_is_refused_before_the_work(spark, source, tmp_path):
    own, driver = Path("/proc/self/cwd"), tmp_path / "driver"
    if not own.exists():
        pytest.skip("this system has no name that means another folder to each process")
    driver.mkdir()
    told = driven(spark, source, own, [""], checkpoints=str(tmp_path / "checkpoints"), cwd=driver)
    assert told[""].startswith("the place of output 'whole.parquet' lies on one machine only")
    assert list(driver.iterdir()) == []


@pytest.mark.timeout(PATIENCE + 60)
@pytest.mark.parametrize("stage", ["pack", "wave", "in wave"])
def test_an_executor_killed_while_the_row_types_are_in_the_engine_changes_nothing(spark, source, tmp_path, stage):
    directory = tmp_path / "checkpoints"
    job = JOB | {"types_in_memory": 1}
    if stage != "pack":  # a table that the greedy does not release at the bound
        source = tmp_path / "few.parquet"
        rng = random.Random(2)
        columns = {name: rng.choices(cells, k=100) for name, cells in FEW.items()}
        pq.write_table(pa.table(columns | {"note": [str(i) for i in range(100)]}), source)
        job |= {"quasi_identifiers": list(FEW), "k": 4, "solver": "auto", "work": 300}
    told = driven(spark, source, tmp_path / "out", [stage], checkpoints=str(directory), **job)
    with incrowd.anonymize(source, **job) as here:
        rows = here.table.to_pylist()
        expected = len(rows), hashlib.sha256("\n".join(map(str, rows)).encode()).hexdigest()
        assert told[stage][0] == here.cost, told
        assert ("improved in 1 of 1 portions, 1 of them looked at" in here.facts["solver_notes"]) == (stage != "pack")
        assert set(here.facts["solver_notes"]) <= set(told[stage][1])
    assert digest(tmp_path / "out" / f"{stage}.parquet") == expected
    assert not list(directory.glob("*/incrowd-*")), "personal data stays behind"
