"""Run tests for `mutate.py`, each run in a fork: the libraries are imported once, the package under test every time.

Reads a run a line from standard input (JSON: the tests, seconds of processor and of clock), answers a line each.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from typing import Any

import pytest

LIBRARIES = (
    "numpy", "numba", "numba.core.caching", "numba.typed", "scipy.optimize", "scipy.sparse", "scipy.sparse.csgraph",
    "pyarrow", "pyarrow.parquet", "pyarrow.csv", "duckdb", "ibis", "ibis.backends.duckdb", "click", "hypothesis",
    "hypothesis.strategies", "highspy", "tomli_w", "_pytest.assertion.rewrite",
)  # fmt: skip


class FirstFailure:
    """Remember which test failed first."""

    def __init__(self) -> None:
        self.test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first test that failed."""
        if report.failed:
            self.test = self.test or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the first file that could not be imported."""
        if report.failed:
            self.test = self.test or report.nodeid


def run_tests(tests: list[str]) -> dict[str, Any]:
    """Run the tests up to the first that fails; pytest's status and that test."""
    failure = FirstFailure()
    options = [
        "-x",
        "-q",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-m",
        "not proofs and not spark and not order",
    ]
    status = int(pytest.main([*options, *tests], plugins=[failure]))
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        status = 0
    return {"status": status, "test": failure.test or ("" if status == 0 else "conftest.py")}


def child(asked: dict[str, Any], answer: int) -> None:
    """Be the process that runs the tests and ends."""
    os.setsid()
    limit = int(asked["limit"])
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.write(answer, json.dumps(run_tests(asked["tests"])).encode())


def run_forked(asked: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a fork; a run past its limits, or one that crashes, is said so."""
    mine, its = os.pipe()
    began = os.times()
    number = os.fork()
    if number == 0:
        try:
            os.close(mine)
            child(asked, its)
        except BaseException:  # noqa: BLE001
            os.write(its, json.dumps({"status": -2, "test": traceback.format_exc()}).encode())
        finally:
            os._exit(0)
    os.close(its)
    ends, text = time.monotonic() + asked["clock"], b""
    while (left := ends - time.monotonic()) > 0 and select.select([mine], [], [], left)[0]:
        if not (part := os.read(mine, 65536)):
            break
        text += part
    os.close(mine)
    with contextlib.suppress(ProcessLookupError):  # with what it started
        os.killpg(number, signal.SIGKILL)
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status := os.waitpid(number, 0)[1]) else 0
    now = os.times()
    took = now.children_user + now.children_system - began.children_user - began.children_system
    if text:
        return {**json.loads(text), "seconds": took}
    hangs = ended == signal.SIGXCPU or time.monotonic() >= ends
    return {"status": -1, "test": "hangs" if hangs else f"ends by signal {ended}", "seconds": took}


def main() -> None:
    """Answer until standard input ends."""
    for name in LIBRARIES if sys.argv[1:] != ["bare"] else ():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(run_forked(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
