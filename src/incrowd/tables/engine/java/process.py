"""The Java process of a Spark of our own: started in silence, ended with us, and why it could not be started."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from incrowd.errors import InputError
from incrowd.recovery.open_runs import hold, release
from incrowd.recovery.private_folder import PrivateFolder

__all__ = ["FILES", "JAVA", "MASTERS", "Java"]

OLDEST = 17  # version of Java that Spark 4 takes
LOOK, ENDING = 10.0, 0.3  # seconds that Java has to say its version, and to be gone when it is ended
MASTERS = "local[2], spark://HOST:7077, yarn with HADOOP_CONF_DIR, k8s://HOST"
FILES = "conf/spark-defaults.conf and PYSPARK_SUBMIT_ARGS"  # where settings are said


class Java:
    """The Java process of PySpark's that we started, at most one; it says nothing, for its words quote values.

    It ends when this process does, but where PySpark is broken off while it waits for it: then it would stay for ever.
    What it calls temporary lies in a private folder.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: PrivateFolder | None = None

    def launched(self, conf: Any) -> Any:
        """Return PySpark's way to it."""
        from pyspark import java_gateway

        self.end()
        folder = self._folder = PrivateFolder()
        atexit.register(folder.cleanup)
        hold(self, first=True)

        def kept(*words: Any, **options: Any) -> Any:
            place = Path(folder.name) / "java"
            place.mkdir()
            said = f'{options["env"].get("SPARK_SUBMIT_OPTS", "")} "-Djava.io.tmpdir={place}"'
            options["env"]["SPARK_SUBMIT_OPTS"] = said.strip()
            self._process = subprocess.Popen(*words, **options)  # noqa: S603 - what PySpark starts
            return self._process

        # launched here and not by the session, so that nothing Java says is seen
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        before, java_gateway.Popen = java_gateway.Popen, kept  # PySpark gives the process away only when all went well
        try:
            return java_gateway.launch_gateway(conf, silent)
        except BaseException as error:
            self.end()
            if not isinstance(error, Exception):
                raise
        finally:
            java_gateway.Popen = before
        raise InputError(_why_not())

    def end(self) -> None:
        """End it at once, and let PySpark know nothing of it."""
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        process, folder = self._process, self._folder
        self._process = self._folder = None
        if process is not None:
            process.kill()
            process.wait()
            if SparkContext._gateway is not None:
                SparkContext._gateway._gateway_client.is_connected = False  # objects that are forgotten tell it nothing
            SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
            SparkSession._instantiatedSession = SparkSession._activeSession = None
        if folder is not None:
            atexit.unregister(folder.cleanup)
            folder.cleanup()
        release(self)

    def abandon(self) -> None:
        """End it, for this process ends too."""
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)


JAVA = Java()


def _why_not() -> str:
    """Return why Java has not become a Spark."""
    version = _version_of_java()
    if version is None:
        return "engine spark cannot start Java; install Java 17 or 21, or say in JAVA_HOME where it is"
    if version < OLDEST:
        return f"engine spark needs Java 17 or 21, and finds Java {version}; say in JAVA_HOME where another one is"
    return (
        f"engine spark cannot start Spark, which ends at once: one of its settings is wrong; is its master one that it "
        f"knows ({MASTERS}), and are the packages there that {FILES} name?"
    )


def _version_of_java() -> int | None:
    """Return the version of the Java that Spark takes; None where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - the Java that Spark takes
            [java, "-version"], capture_output=True, text=True, timeout=LOOK, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(found[1]) if found else None
