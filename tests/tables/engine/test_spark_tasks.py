"""Our own Python in Spark's tasks: group by group, and what is there to run it."""

import pyarrow as pa

import incrowd
from engines import SPARK
from incrowd.tables.engine.spark_tasks import done_by_group, in_batches, tasks_of

pytestmark = SPARK
GROUPS = 12


def test_executors_are_asked_what_they_have(spark):
    tasks, versions = tasks_of(spark, "incrowd.tables.large.improvement")
    assert (tasks, versions) == (spark.session.sparkContext.defaultParallelism, {incrowd.__version__})
    assert tasks_of(spark, "incrowd.no_such_module")[1] == {""}


def test_groups_are_done_whole_each_and_by_several_tasks(spark):
    rows = spark.put(pa.table({"group": [one for one in range(GROUPS) for _ in range(3)]}))

    def work(table):
        import os

        seen = set(table.column("group").to_pylist())
        return pa.table({"groups": [len(seen)], "rows": [table.num_rows], "process": [os.getpid()]})

    made = done_by_group(spark, rows, "group", work, "groups bigint, rows bigint, process bigint", GROUPS)
    found = spark.fetch(made).to_pydict()
    assert (found["groups"], found["rows"]) == ([1] * GROUPS, [3] * GROUPS)
    if spark.session.sparkContext.defaultParallelism > 1:
        assert len(set(found["process"])) > 1


def test_batches_of_a_frame_come_in_its_order_part_by_part(spark):
    frame = spark.session.range(0, 5_000, 1, 7).selectExpr("5000 - id AS n", "id % 3 AS m")
    every = [batch.to_pydict() for batch in in_batches(frame.orderBy("n"))]
    assert [n for one in every for n in one["n"]] == list(range(1, 5_001))
    assert [m for one in every for m in one["m"]] == [(5_000 - n) % 3 for n in range(1, 5_001)]
    assert [one.num_rows for one in in_batches(frame.limit(0))] in ([], [0])
    rows = spark.put(pa.table({"n": pa.array(range(100), pa.int64())}))
    assert spark.streamed(rows.order_by(rows.n.desc())).read_all().column("n").to_pylist() == list(range(99, -1, -1))
