"""Spark is started in silence, shared by the engines that need it, and gone with the last of them."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

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
        folders = [Path(spark_session._ours.folder.name), Path(one.folder.name)]
        with open_engine("spark", None) as other:
            assert all(folder.is_dir() for folder in folders)
            one.close()
            assert other.fetch(other.put(pa.table({"a": [1]}))).to_pylist() == [{"a": 1}]
        assert SparkContext._active_spark_context is None
        assert not any(folder.exists() for folder in folders)
        assert signal.getsignal(signal.SIGINT) is handler
        assert os.environ.get("PYSPARK_PYTHON") == workers

    @pytest.fixture
    def no_spark(self, monkeypatch):
        spark_wanted()
        from pyspark import SparkContext

        assert SparkContext._active_spark_context is None
        monkeypatch.setattr(SparkContext, "_gateway", None)

    def test_without_java_it_says_so(self, monkeypatch, no_spark):
        monkeypatch.setenv("JAVA_HOME", "/nowhere")
        with pytest.raises(InputError, match="engine spark cannot start Java; install Java 17 or 21"):
            open_engine("spark", None)

    def test_a_master_that_spark_does_not_know_is_not_taken_for_a_lack_of_java(self, monkeypatch, no_spark):
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master sparc://127.0.0.1:1 pyspark-shell")
        with pytest.raises(
            InputError, match=r"cannot start Spark, which ends at once: .*is its master one that it kno"
        ):
            open_engine("spark", None)

    def test_java_that_is_broken_off_while_it_starts_does_not_stay(self, monkeypatch, no_spark):
        import pyspark.java_gateway

        popen, made = subprocess.Popen, []

        def kept(*words, **options):
            made.append(popen(*words, **options))
            return made[-1]

        def interrupted(_):
            raise KeyboardInterrupt

        monkeypatch.setattr(subprocess, "Popen", kept)
        monkeypatch.setattr(pyspark.java_gateway, "time", SimpleNamespace(sleep=interrupted))
        before = pyspark.java_gateway.Popen
        with pytest.raises(KeyboardInterrupt):
            open_engine("spark", None)
        assert [process.poll() for process in made] == [-signal.SIGKILL]
        assert pyspark.java_gateway.Popen is before
        assert spark_session._ours is None

    def test_a_session_that_does_not_come_up_is_a_sentence(self, monkeypatch, no_spark):
        """As where no master answers: Spark gives up after a minute, and says that a stopped context was asked."""
        from pyspark.sql import SparkSession

        def stopped(_):
            raise RuntimeError("Cannot call methods on a stopped SparkContext.")

        monkeypatch.setattr(SparkSession.builder.__class__, "getOrCreate", stopped)
        with pytest.raises(InputError, match=r"nothing answers at its master, or one of its settings is wrong"):
            open_engine("spark", None)


@pytest.mark.parametrize(("said", "version"), [("1.8.0_402", 8), ("11.0.22", 11), ("17.0.10", 17)])
def test_a_java_that_is_too_old_is_told_with_its_version(monkeypatch, tmp_path, said, version):
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{said}\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert (f"finds Java {version};" in spark_session._why_not()) == (version < 17)


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
