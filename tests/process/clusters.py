"""A standalone Spark of a master and two workers on the loopback address, and executors that are killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engines import spark_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cluster", "cluster", "executors_below"]

PATIENCE = 120  # seconds for a process to come up on a busy machine


class Cluster:
    """A master and its workers."""

    def __init__(self, master: str, workers: list[subprocess.Popen[bytes]]) -> None:
        self.master, self.workers = master, workers

    @property
    def submitted(self) -> str:
        """What a driver is started with."""
        settings = {
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "600m",
            "spark.executor.cores": "1", "spark.sql.shuffle.partitions": "3", "spark.sql.codegen.wholeStage": "false",
            "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1", "spark.ui.enabled": "false",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0", "spark.network.timeout": "600s",
            "spark.storage.decommission.enabled": "false",
        }  # fmt: skip
        given = " ".join(f"--conf {name}={value}" for name, value in settings.items())
        options = "--driver-memory 700m --driver-java-options -XX:TieredStopAtLevel=1"
        return f"--master {self.master} {options} {given} pyspark-shell"


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Give a running cluster; skip the test, saying so, where there is none to be had.

    Parameters
    ----------
    folder : Path
        For what the workers write.
    """
    spark_wanted()
    import pyspark

    jars = Path(pyspark.__file__).parent / "jars" / "*"
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") or str(Path(home or "/") / "bin" / "java")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with contextlib.ExitStack() as undo:

        def started(kind: str, *words: str) -> subprocess.Popen[bytes]:
            place = "org.apache.spark.deploy." + kind
            command = [java, "-Xmx200m", "-XX:TieredStopAtLevel=1", "-cp", str(jars), place, *words]
            silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            env = os.environ | {"SPARK_HOME": str(jars.parents[1]), "SPARK_SCALA_VERSION": "2.13"}  # to start executors
            made = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--webui-port", "0"], cwd=folder, env=env, **silent
            )  # type: ignore[call-overload]
            undo.callback(_ended, made)
            return made  # type: ignore[no-any-return]

        started("master.Master", "--port", str(port))
        _listening(port)
        master = f"spark://127.0.0.1:{port}"
        workers = [
            started(
                "worker.Worker", master, "--cores", "1", "--memory", "800m", "--work-dir", str(folder / f"w{number}")
            )
            for number in range(2)
        ]
        yield Cluster(master, workers)


def executors_below(workers: list[int]) -> list[int]:
    """Return the process numbers of the executors that some workers started.

    Parameters
    ----------
    workers : list of int
        The workers' process numbers.
    """
    found = []
    for place in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in workers and b"CoarseGrainedExecutorBackend" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
    return sorted(found)


def _listening(port: int) -> None:
    for _ in range(10 * PATIENCE):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    pytest.skip("a standalone Spark does not come up on the loopback address")


def _ended(process: subprocess.Popen[bytes]) -> None:
    for pid in executors_below([process.pid]):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
