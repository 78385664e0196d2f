"""Kept tables are computed once and outlive what made them; nothing of them stays behind."""

from pathlib import Path

import pyarrow as pa

from engines import SPARK
from incrowd.tables.engine.open import open_engine

pytestmark = SPARK


def folder_of(engine):
    return Path(engine.kept_in.removeprefix("file:"))


def test_they_lie_in_a_private_folder_that_goes_with_the_engine(spark):
    del spark
    with open_engine("spark", None) as engine:
        kept = engine.keep(engine.con.sql("SELECT uuid() AS u, INTERVAL '1' DAY AS d FROM range(20)").select("u"))
        folder = folder_of(engine)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert list(folder.glob("*/part-*"))
        assert engine.fetch(kept) == engine.fetch(kept)
        assert engine.notes == ()
    assert not folder.exists()


def test_types_that_files_lack_are_kept_all_the_same(spark):
    frame = spark.session.sql("SELECT NULL AS n, uuid() AS u FROM range(3)")
    kept = spark.view(spark.keep_frame(frame))
    assert spark.fetch(kept) == spark.fetch(kept)


def test_a_checkpoint_directory_of_the_session_is_used(spark, tmp_path):
    context = spark.session.sparkContext
    context.setCheckpointDir(str(tmp_path))
    with open_engine("spark", None) as engine:
        engine.keep(engine.con.sql("SELECT 1 AS one"))
        assert folder_of(engine).parent.parent == tmp_path
        assert folder_of(engine).is_dir()
    assert not folder_of(engine).exists()


def test_whole_numbers_of_this_process_are_read_from_one_file(spark):
    table = pa.table(
        {"a": pa.array([3, None, 1], pa.int64()), "b": pa.array([1, 2, 3], pa.int8()), "c": [True, False, None]}
    )
    told = spark.fetch(spark.put(table).order_by("b"))
    assert told.to_pydict() == table.to_pydict()
    assert spark.fetch(spark.put(table.slice(0, 0))).num_rows == 0


def test_some_columns_of_a_kept_table_outlive_it(spark):
    kept = spark.keep(spark.con.sql("SELECT id AS i, uuid() AS u FROM range(5)"))
    told = spark.fetch(kept.order_by("i")).column("u")
    some = spark.some(kept, ["i", "u"])
    spark.drop(kept)
    assert spark.fetch(some.order_by("i")).column("u") == told
