"""Frames of Spark Connect are released as those of a classic session, against a server that the test starts."""

import importlib.util
import json
import os
import random
import subprocess
import sys

import pyarrow as pa
import pytest

import incrowd
from engines import SPARK, spark_wanted

pytestmark = SPARK
N = 120
JOB = {"quasi_identifiers": ["age", "zip", "half"], "k": 4, "solver": "greedy", "seed": 7}
# with the row types in the engine, a table that the greedy does not release at the bound
FEW = {"age": "abcd", "zip": "vwxyz", "sex": "fm", "kind": "abcd"}
MANY = {"quasi_identifiers": list(FEW), "k": 4, "solver": "auto", "work": 300, "types_in_memory": 1, "seed": 7}
PATIENCE = 900  # seconds on a busy machine
# one process holds the server's Java and speaks to it as a stranger would
CLIENT = """
import json, sys
from pyspark.sql import SparkSession
import incrowd
rows, job, out, few, many = json.loads(sys.argv[1])
session = SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "3").getOrCreate()
assert not hasattr(session, "_jvm")
frame = session.createDataFrame([tuple(row) for row in rows], "age string, zip string, half double, n bigint")
told = {}
before = {name: session.conf.get(name) for name in ("spark.sql.ansi.enabled", "spark.sql.caseSensitive")}
with incrowd.anonymize(frame, **job) as release:
    told["cost"], told["notes"] = release.cost, release.facts["notes"]
    given = release.table
told["kind"] = type(given).__module__
told["rows"] = [list(row) for row in given.collect()]
told["few"] = given.filter("n < 10").count()
told["same"] = before == {name: session.conf.get(name) for name in before}
told["views"] = [one.name for one in session.catalog.listTables() + session.catalog.listTables("global_temp")]
told["refused"] = []
for more in ({"output": out}, {"memory": "2GB"}):
    try:
        incrowd.anonymize(frame, **job, **more)
    except incrowd.IncrowdError as error:
        told["refused"].append(str(error))
frame = session.createDataFrame([tuple(row) for row in few], [*many["quasi_identifiers"], "note"])
with incrowd.anonymize(frame, **many) as release:
    told["many"] = [release.cost, release.facts["solver_notes"], [list(row) for row in release.table.collect()]]
print(json.dumps(told))
session.stop()
"""


@pytest.mark.timeout(PATIENCE + 30)
def test_a_frame_of_connect_is_released_row_for_row_also_where_executors_improve_it(tmp_path):
    spark_wanted()
    lacking = [name for name in ("grpc", "grpc_status", "google.rpc") if not _there(name)]
    if lacking:
        pytest.skip(f"Spark Connect needs {', '.join(lacking)}: pip install 'pyspark[connect]>=4.0,<4.1'")
    rng = random.Random(1)
    rows = [(str(rng.randrange(4)), f"z{rng.randrange(5)}", rng.choice([0.5, 1e16, None]), i) for i in range(N)]
    cells = [rng.choices(values, k=100) for values in FEW.values()]
    few = [[*row, str(i)] for i, row in enumerate(zip(*cells, strict=True))]
    words = json.dumps([rows, JOB, str(tmp_path / "out.parquet"), few, MANY])
    env = {name: value for name, value in os.environ.items() if name != "PYSPARK_SUBMIT_ARGS"}
    env["PYSPARK_PYTHON"] = sys.executable  # for the server's workers
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, words], env=env, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["kind"] == "pyspark.sql.connect.dataframe"
    assert any("no checkpoint directory" in note for note in told["notes"])
    names = ["age", "zip", "half", "n"]
    with incrowd.anonymize(
        pa.table({name: list(cells) for name, cells in zip(names, zip(*rows, strict=True), strict=True)}), **JOB
    ) as plain:
        assert told["cost"] == plain.cost
        assert told["rows"] == [list(row.values()) for row in plain.table.to_pylist()]
    assert told["few"] == 10
    assert told["same"], "the session's own settings were changed"
    assert not told["views"]
    assert "write release.table" in told["refused"][0]
    assert "memory cannot be set for Spark Connect" in told["refused"][1]
    assert not list(tmp_path.iterdir())
    columns = dict(zip([*FEW, "note"], map(list, zip(*few, strict=True)), strict=True))
    with incrowd.anonymize(pa.table(columns), **MANY) as plain:
        assert any(note.startswith("improved in ") for note in plain.facts["solver_notes"])
        expected = [plain.cost, plain.facts["solver_notes"], [list(row.values()) for row in plain.table.to_pylist()]]
    assert told["many"] == expected


def _there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
