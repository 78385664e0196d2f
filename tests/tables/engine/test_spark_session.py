"""Spark is started in silence, shared by the engines that need it, and gone with the last of them."""

import os
import signal
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from engines import SPARK, spark_wanted
from incrowd.errors import InputError, PolicyError
from incrowd.tables.engine import spark_session
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine


class TestStartAndEnd:
    pytestmark = SPARK

    def test_the_last_engine_stops_spark_and_nothing_is_left(self):
        spark_wanted()
        from pyspark import SparkContext

        handler, workers = signal.getsignal(signal.SIGINT), os.environ.get("PYSPARK_PYTHON")
        one = open_engine("spark", "1GB")
        assert spark_session.OURS.session.sparkContext.pythonExec == (workers or sys.executable)
        folders = [spark_session.OURS._place("spark"), Path(one.folder.name)]
        with open_engine("spark", None) as other:
            assert all(folder.is_dir() for folder in folders)
            one.close()
            assert other.fetch(other.put(pa.table({"a": [1]}))).to_pylist() == [{"a": 1}]
        assert SparkContext._active_spark_context is None
        assert not any(folder.exists() for folder in folders)
        assert signal.getsignal(signal.SIGINT) is handler
        assert os.environ.get("PYSPARK_PYTHON") == workers

    def test_a_spark_that_is_started_later_has_the_memory_that_it_is_given(self, monkeypatch):
        spark_wanted()
        from pyspark import SparkContext

        spark_session.OURS.end()
        for name in ("_gateway", "_jvm"):  # Java that somebody else has left has a heap already
            monkeypatch.setattr(SparkContext, name, None)
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local[1] pyspark-shell")
        heaps = []
        for memory in ("600MB", "1GB"):
            with open_engine("spark", memory) as engine:
                heaps.append(engine.session._jvm.java.lang.Runtime.getRuntime().maxMemory())
        spark_session.OURS.end()
        assert heaps[0] < heaps[1]

    def test_a_session_that_does_not_come_up_is_a_sentence(self, monkeypatch):
        """As where no master answers: Spark gives up after a minute, and says that a stopped context was asked."""
        spark_wanted()
        from pyspark.sql import SparkSession

        def stopped(_):
            raise RuntimeError("Cannot call methods on a stopped SparkContext.")

        monkeypatch.setattr(SparkSession.builder.__class__, "getOrCreate", stopped)
        with pytest.raises(InputError, match=r"nothing answers at its master, or one of its settings is wrong"):
            open_engine("spark", None)


def test_without_pyspark_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(
        InputError, match=r"engine spark needs PySpark 4\.0, which is not installed: pip install 'pyspark>=4\.0,<4\.1'"
    ):
        open_engine("spark", None)


def test_tables_of_this_process_take_duckdb():
    with open_engine("duckdb", None, "t.csv", pa.table({})) as engine:
        assert type(engine) is Engine


@pytest.mark.parametrize(("memory", "heap"), [("4GB", "3814m"), ("1.5 GiB", "1536m"), ("2TiB", "2097152m")])
def test_memory_is_what_spark_calls_it(memory, heap):
    assert spark_session._heap(memory) == heap


def test_too_little_memory_is_refused():
    with pytest.raises(PolicyError, match="memory must be at least 512MiB for engine spark, not '100MB'"):
        spark_session._heap("100MB")
