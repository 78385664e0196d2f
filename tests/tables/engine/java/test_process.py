"""Java starts in silence, says in words why it could not, and does not stay behind."""

import signal
import subprocess
from types import SimpleNamespace

import pytest

from engines import SPARK, spark_wanted
from incrowd import recovery
from incrowd.errors import InputError
from incrowd.tables.engine import spark_session
from incrowd.tables.engine.open import open_engine
from incrowd.tables.engine.spark_session import OurSpark


class TestStart:
    pytestmark = SPARK

    @pytest.fixture(autouse=True)
    def no_java(self, monkeypatch):
        """Let there be none yet, whatever the tests before have started."""
        spark_wanted()
        from pyspark import SparkContext

        assert SparkContext._active_spark_context is None
        monkeypatch.setattr(SparkContext, "_gateway", None)
        monkeypatch.setattr(SparkContext, "_jvm", None)
        monkeypatch.setattr(spark_session, "OURS", OurSpark())

    def test_without_java_it_says_so(self, monkeypatch):
        monkeypatch.setenv("JAVA_HOME", "/nowhere")
        with pytest.raises(InputError, match="engine spark cannot start Java; install Java 17 or 21"):
            open_engine("spark", None)

    def test_a_master_that_spark_does_not_know_is_not_taken_for_a_lack_of_java(self, monkeypatch):
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master sparc://127.0.0.1:1 pyspark-shell")
        with pytest.raises(
            InputError, match=r"cannot start Spark, which ends at once: .*is its master one that it kno"
        ):
            open_engine("spark", None)

    def test_it_does_not_stay_where_it_is_broken_off_while_it_starts(self, monkeypatch):
        import pyspark.java_gateway

        popen, made = subprocess.Popen, []

        def kept(*words, **options):
            made.append((popen(*words, **options), options["env"]))
            return made[-1][0]

        def interrupted(_):
            raise KeyboardInterrupt

        monkeypatch.setattr(subprocess, "Popen", kept)
        monkeypatch.setattr(pyspark.java_gateway, "time", SimpleNamespace(sleep=interrupted))
        before, held = pyspark.java_gateway.Popen, len(recovery._held)
        with pytest.raises(KeyboardInterrupt):
            open_engine("spark", None)
        assert [one.poll() for one, _ in made] == [-signal.SIGKILL]
        assert "incrowd-" in made[0][1]["SPARK_SUBMIT_OPTS"]  # what it calls temporary
        assert pyspark.java_gateway.Popen is before
        assert spark_session.OURS.session is None
        assert len(recovery._held) == held


@pytest.mark.parametrize(("said", "version"), [("1.8.0_402", 8), ("11.0.22", 11), ("17.0.10", 17)])
def test_a_java_that_is_too_old_is_told_with_its_version(monkeypatch, tmp_path, said, version):
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{said}\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert (f"finds Java {version};" in spark_session._why_not()) == (version < 17)


def test_it_ends_with_a_process_that_has_to_end(monkeypatch):
    monkeypatch.setattr(recovery, "_held", type(recovery._held)())
    java = OurSpark()
    java._process = subprocess.Popen(["sleep", "60"])
    recovery.hold(java)
    recovery.abandon_all()
    assert java._process.wait(10) == -signal.SIGKILL
