"""What reaches the driver is the same for many rows as for few: counted in bytes at its sockets, and by Spark itself."""

import socket

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK

pytestmark = SPARK
MARKER = b"canary-"  # every row has a cell of its own that begins with it, and is released as it is
KINDS = [(age, word) for age in (None, 30, 41, 52) for word in ("a", "b", "c", None)]
# rows of the rarest row type; the others have two, three, ... times as many. Of both tables 19,856 rows are looked at for
# columns that tell one another: that look is the same for all larger tables
SIZES = 146, 1_460
A_ROW = 0.2  # bytes that a further row may cost: the cell above has 16, and a row number would have 8
JOB = {"quasi_identifiers": ["age", "word"], "mask": incrowd.Mask(max_stars=1)}


@pytest.fixture
def received(monkeypatch):
    """Count what this process reads from any socket, Spark's answers and Arrow's batches, and look for the marker."""
    seen = {"bytes": 0, "markers": 0}
    read = socket.SocketIO.readinto

    def counted(self, buffer):
        size = read(self, buffer)
        seen["bytes"] += size or 0
        seen["markers"] += bytes(memoryview(buffer).cast("B")[: size or 0]).count(MARKER)
        return size

    monkeypatch.setattr(socket.SocketIO, "readinto", counted)
    return seen


def table(times):
    """As many rows of each row type as its number says, times some."""
    made_of = [kind for number, kind in enumerate(KINDS, 1) for _ in range(number * times)]
    ages, words = zip(*made_of, strict=True)
    own = [f"{MARKER.decode()}{i:09}" for i in range(len(made_of))]
    return pa.table({"age": pa.array(ages, pa.int32()), "word": words, "own": own})


def results(spark):
    """Return the bytes that Spark counts as results of its tasks, which its driver is sent."""
    context = spark.session.sparkContext
    quantiles = context._gateway.new_array(context._jvm.double, 0)
    told = context._jsc.sc().statusStore().stageList(None, False, False, quantiles, None)
    return sum(told.apply(i).resultSize() for i in range(told.size()))


@pytest.mark.parametrize("types", [None, 1], ids=["row types in memory", "row types in the engine"])
@pytest.mark.timeout(1_500)
def test_what_reaches_the_driver_does_not_grow_with_the_rows(spark, received, tmp_path, types):
    files = {}
    for times in SIZES:
        files[times] = tmp_path / f"{times}.parquet"
        pq.write_table(table(times), files[times], row_group_size=4_096)
    told, rows = [], []
    for times, file in files.items():
        out = tmp_path / f"out-{times}.parquet"
        received.update(bytes=0, markers=0)
        before = results(spark)
        # k grows as the classes do, so that the plan is the same, and is one that can be improved
        job = JOB | {"k": 15 * times // 2, "types_in_memory": types, "output": out, "engine": "spark"}
        job |= {"solver": "greedy"} if types is None else {"solver": "auto", "work": 50}
        job |= {"certificate": tmp_path / f"certificate-{times}.gz"}
        with incrowd.anonymize(file, **job) as release:
            assert release.facts["row_types"] == len(KINDS)
            assert release.facts.get("types_in_engine", False) == (types is not None)
            assert any("improved" in note for note in release.facts["solver_notes"]) == (types is not None)
            rows.append(release.facts["rows"])
        told.append((received["bytes"], results(spark) - before))
        assert received["markers"] == 0
        released = pq.read_table(out)
        assert released.num_rows == rows[-1] == len(set(released.column("own").to_pylist()))
    more = A_ROW * (rows[1] - rows[0])
    assert told[1][0] - told[0][0] < more, told
    assert told[1][1] - told[0][1] < more, told


def test_the_counter_sees_a_row_that_crosses(spark, received):
    spark.session.createDataFrame(table(1)).limit(3).toArrow()
    assert received["markers"] >= 3
