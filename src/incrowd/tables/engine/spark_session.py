"""Spark sessions for `incrowd.tables.engine.spark`: the caller's own, or one of ours that prints and leaves nothing.

A process has one Spark at most. Where there is none, one is started in local mode: no page in a browser, bound to the
loopback, its words (which quote values) thrown away, its files in a private folder. The last engine that closes stops
it. Where somebody's Spark runs already it is used as it is, through a session of its own settings, and left running.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.memory import as_bytes
from incrowd.recovery import PrivateFolder, hold, release, remove
from incrowd.tables.engine.spark_places import remove_again

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",  # else what does not fit becomes NULL unseen, and decimals get exponents
    "spark.sql.caseSensitive": "true",  # names that differ in case alone are different columns
    "spark.sql.timestampType": "TIMESTAMP_NTZ",  # a time without a zone stays one
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # as everybody reads them
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.codegen.aggregate.map.twolevel.enabled": "false",  # its first level is for few groups, and ours are many
}
# by which somebody says how Spark or Java are to be started
SAID = ("PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_HOME", "SPARK_SUBMIT_OPTS", "JDK_JAVA_OPTIONS")
# they log what is carried to Java and back, and PySpark's errors, cells and all
LOGGERS = ("py4j", "SQLQueryContextLogger", "DataFrameQueryContextLogger")
LEAST = 512 * 2**20  # Spark does not start with less
_lock = threading.RLock()  # an engine may be collected, and released, while another one is made


def _by_others(record: logging.LogRecord) -> bool:
    return Path(record.pathname).parent.name != "py4j"


def session_for(theirs: Any, memory: str | None) -> tuple[Any, bool]:
    """Return a session with our settings, and whether it is of a Spark that we started.

    `theirs` is the session of the table that came in. `memory` is a size such as ``"4GB"``, for a Spark that we start.
    Raises InputError if Java or Spark cannot be started, and PolicyError if `memory` is too small, or asked of a Spark
    that runs already.
    """
    heap = _heap(memory)
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if is_remote(theirs):
        if heap:
            raise PolicyError("memory cannot be set for Spark Connect; set it where its server is started")
        session, ours = type(theirs)(connection=theirs.client._builder), False  # Connect has no newSession
    else:
        logging.getLogger().addFilter(_by_others)  # and Ctrl-C, with a traceback, by the logger of nobody
        with _lock:
            running = OURS.session or theirs or _running()
            if running is None:
                running = OURS.started(heap)
            elif heap and OURS.session is None:
                raise PolicyError(
                    "memory cannot be set for a Spark that runs already; set it where that one is started"
                )
            session, ours = running.newSession(), OURS.session is not None
            OURS.engines += ours
    for name, value in SETTINGS.items():
        session.conf.set(name, value)
    return session, ours


def session_of(source: Any) -> Any:
    """Return the session of a Spark frame or of an Ibis table on Spark, and None for everything else."""
    module = type(source).__module__
    if module.startswith("pyspark.sql") and hasattr(source, "sparkSession") and hasattr(source, "toDF"):
        return source.sparkSession
    if module.startswith("ibis."):
        with contextlib.suppress(Exception):
            backend = source.get_backend()
            return backend._session if backend.name == "pyspark" else None
    return None


def is_remote(session: Any) -> bool:
    """Return whether a session is one of Spark Connect, which has no Java process here."""
    return type(session).__module__.startswith("pyspark.sql.connect")


@contextlib.contextmanager
def as_active(session: Any) -> Iterator[None]:
    """Let a session be the active one inside the block alone.

    PySpark makes every session that takes in a table the active one, and gives to that one what Connect checkpoints.
    """
    from pyspark.sql import SparkSession

    remote = is_remote(session)
    place, name = (type(session)._active_session, "session") if remote else (SparkSession, "_activeSession")
    before = getattr(place, name, None)
    setattr(place, name, session)
    try:
        yield
    finally:
        setattr(place, name, before)
        if before is not None and not remote:
            SparkSession._get_j_spark_session_class(before._jvm).setActiveSession(before._jsparkSession)


def _heap(memory: str | None) -> str:
    """Return a size as Spark writes it, in whole MiB."""
    if memory is None:
        return ""
    size = as_bytes(memory)
    if size < LEAST:
        raise PolicyError(f"memory must be at least 512MiB for engine spark, not {memory.strip()!r}")
    return f"{size // 2**20}m"


def _running() -> Any:
    """Return a session of a Spark that somebody started in this process, or None."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    return None if SparkContext._active_spark_context is None else SparkSession.builder.getOrCreate()


# The Spark of our own: its Java started in silence, ended with us, and why it could not be started.
OLDEST = 17  # version of Java that Spark 4 takes
LOOK, ENDING = 10.0, 0.3  # seconds that Java has to say its version, and to be gone when it is ended
MASTERS = "local[2], spark://HOST:7077, yarn with HADOOP_CONF_DIR, k8s://HOST"
FILES = "conf/spark-defaults.conf and PYSPARK_SUBMIT_ARGS"  # where settings are said


class OurSpark:
    """The Spark that we started, at most one, and its Java, which says nothing, for its words quote values.

    Java stays for the Spark after this one. It ends when this process does, but where PySpark is broken off while it
    waits for it: then it would stay for ever. What they write lies in a private folder.

    `session`: None where none runs. `engines`: how many need it.
    """

    def __init__(self) -> None:
        self.session: Any = None
        self.engines = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: PrivateFolder | None = None

    def started(self, heap: str) -> Any:
        """Return a session of a Spark that is started, in local mode where nobody has said otherwise."""
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession

        if heap:
            self.end()  # the Java of a Spark before has a heap of its own
        conf = SparkConf(loadDefaults=False)
        if heap:
            conf.set("spark.driver.memory", heap)
        if not any(name in os.environ for name in SAID):
            conf.set("spark.driver.extraJavaOptions", "-XX:+UseParallelGC")  # a fifth less CPU on a few cores
        SparkContext._ensure_initialized(gateway=SparkContext._gateway or self._launched(conf))
        conf, folder = SparkConf(), self._place("spark")
        settings = {
            "spark.app.name": "incrowd",
            "spark.log.level": "OFF",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.eventLog.enabled": "false",
            "spark.local.dir": f"{folder}/spill",
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.sql.catalogImplementation": "in-memory",
        }
        if conf.get("spark.master", "").startswith("local"):
            settings |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
            conf.setIfMissing("spark.broadcast.compress", "false")  # what is sent nowhere
            # the default, 200 parts, is a cluster's; small ones, which Spark puts together, are sorted sooner
            conf.setIfMissing("spark.sql.shuffle.partitions", str(max(32, 4 * (os.cpu_count() or 1))))
        for name, value in settings.items():
            conf.set(name, value)
        handler = signal.getsignal(signal.SIGINT)
        try:
            with contextlib.suppress(Exception):  # whatever Java says of it, it may quote what it was given
                self.session = SparkSession.builder.config(conf=conf).getOrCreate()
        finally:  # Spark answers Ctrl-C itself
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, handler)
        if self.session is None:
            with contextlib.suppress(Exception):
                SparkContext._active_spark_context.stop()
            raise InputError(
                f"engine spark cannot start Spark: nothing answers at its master, or one of its settings is wrong; is "
                f"the master up and its address right ({MASTERS}), and what {FILES} say?"
            )
        python = conf.get("spark.pyspark.python", None) or os.environ.get("PYSPARK_PYTHON") or sys.executable
        self.session.sparkContext.pythonExec = python  # of what the settings say PySpark hears nothing
        return self.session

    def release(self) -> None:
        """Say that an engine needs it no more; the last one stops it and removes its folder."""
        with _lock:
            self.engines -= 1
            if self.engines:
                return
            session, self.session = self.session, None
            if isinstance(sys.exc_info()[1], KeyboardInterrupt | SystemExit):
                self.end()  # what is called off is not waited for
            else:
                with contextlib.suppress(Exception):
                    session.stop()
                remove(self._place("spark"))
            remove_again()

    def end(self) -> None:
        """End its Java at once, and let PySpark know nothing of it."""
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

    def _place(self, name: str) -> Path:
        """Return the path of something in the private folder."""
        if self._folder is None:
            self._folder = PrivateFolder()
            atexit.register(self._folder.cleanup)
        return Path(self._folder.name) / name

    def _launched(self, conf: Any) -> Any:
        """Return PySpark's way to a new Java."""
        from pyspark import java_gateway

        self.end()
        place = self._place("java")
        place.mkdir()
        hold(self, first=True)

        def kept(*words: Any, **options: Any) -> Any:
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


OURS = OurSpark()


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
    java = str(Path(home) / "bin" / "java") if home else "java"
    try:
        done = subprocess.run(  # noqa: S603 - the Java that Spark takes
            [java, "-version"], capture_output=True, text=True, timeout=LOOK, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(found[1]) if found else None
