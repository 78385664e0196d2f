"""Our own Python in Spark's tasks: a slot a piece, and what is there to run it."""

import pyarrow as pa
import pytest

import incrowd
from engines import SPARK, spark_kept
from incrowd.tables.engine.open import open_engine
from incrowd.tables.engine.spark_tasks import done_by_executors, in_batches, slots

pytestmark = SPARK
SLOTS = 5


@pytest.fixture(scope="module")
def spark():
    with spark_kept(), open_engine("spark", None) as made:
        yield made


def test_executors_are_asked_what_they_have(spark):
    found = slots(spark, "incrowd.tables.large.improvement")
    assert found.versions == {incrowd.__version__}
    assert len(found.sent) == spark.session.sparkContext.defaultParallelism
    assert slots(spark, "incrowd.no_such_module").versions == {""}


def test_every_slot_is_a_task_of_its_own(spark, monkeypatch):
    """As many numbers as slots, each sent to a task that has no other."""
    real = spark.session

    class Wider:
        def range(self, *given):
            return (
                real.range(*given, numPartitions=SLOTS)
                if len(given) == 2 and given[1] == 1 << 16
                else real.range(*given)
            )

    class Engine:
        session = Wider()

    sent = slots(Engine(), "incrowd").sent
    assert len(set(sent)) == SLOTS
    rows = spark.put(pa.table({"slot": [one for one in sent for _ in range(3)], "n": list(range(3 * SLOTS))}))

    def work(batches):
        import pyarrow

        held = [batch for batch in batches if batch.num_rows]
        seen = sorted({one for batch in held for one in batch.column("slot").to_pylist()})
        yield pyarrow.RecordBatch.from_pydict({"slots": [len(seen)], "rows": [sum(len(batch) for batch in held)]})

    made = done_by_executors(spark, rows, "slot", SLOTS, work, [("slots", "bigint"), ("rows", "bigint")])
    assert spark.fetch(made).to_pydict() == {"slots": [1] * SLOTS, "rows": [3] * SLOTS}


def test_batches_of_a_frame_come_in_its_order_part_by_part(spark):
    frame = spark.session.range(0, 5_000, 1, 7).selectExpr("5000 - id AS n", "id % 3 AS m")
    every = [batch.to_pydict() for batch in in_batches(frame.orderBy("n"))]
    assert [n for one in every for n in one["n"]] == list(range(1, 5_001))
    assert [m for one in every for m in one["m"]] == [(5_000 - n) % 3 for n in range(1, 5_001)]
    assert [one.num_rows for one in in_batches(frame.limit(0))] in ([], [0])
    rows = spark.put(pa.table({"n": pa.array(range(100), pa.int64())}))
    assert spark.streamed(rows.order_by(rows.n.desc())).read_all().column("n").to_pylist() == list(range(99, -1, -1))
