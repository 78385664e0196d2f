"""Processes that run cases: forked from one that is warm, watched from outside, replaced when one of them is lost."""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import resource
import shutil
import signal
import struct
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from process.fuzz.sandbox import STACK, Finding, Sandbox, place_of_stack, unblocked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from process.fuzz.case import Case

__all__ = ["HANG", "MOST_ADDRESSES", "run_alone", "run_batch"]

HANG = 20.0  # seconds of a processor
WAITING = 6  # times as long by the clock, for what waits or shares its processor
MOST_RESIDENT = 3 << 30  # bytes of a worker, above which it is ended
MOST_ADDRESSES = 24 << 30
AT = struct.Struct("<qdd")  # cases done; the clock and the processor's time when the next began


def run_batch(cases: Callable[[int], Case], indices: Sequence[int], limit: float = HANG) -> list[tuple[int, Finding]]:
    """Run cases in one worker after the other until all are done, and return what was found with each index."""
    found: list[tuple[int, Finding]] = []
    left = list(indices)
    while left:
        done, findings, lost = _one_worker(cases, left, limit)
        found += findings
        if lost is not None:
            found.append((left[done], lost))
            done += 1
        left = left[done:]
    return found


def run_alone(case: Case, limit: float = HANG) -> Finding | None:
    """Run a case in a fresh worker."""
    found = run_batch(lambda _: case, [0], limit)
    return found[0][1] if found else None


def _one_worker(cases, indices, limit):
    """Fork a worker; return how many cases it finished, what it found, and what became of it if it was lost."""
    place = Path(tempfile.mkdtemp(prefix="fuzz-"))
    shared = mmap.mmap(-1, AT.size)
    shared[:] = AT.pack(0, time.monotonic(), 0.0)
    pid = os.fork()
    if not pid:
        _work(cases, indices, place, shared)
    try:
        lost = _watched(pid, shared, limit)
        done = AT.unpack(shared[:])[0]
        findings = []
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError), (place / "found").open("rb") as held:
            while True:
                findings.append(pickle.load(held))
        if lost is None and done < len(indices):
            lost = "exit"
        if lost is None:
            return done, findings, None
        stack = ""
        with contextlib.suppress(OSError):
            stack = (place / "stack").read_text(errors="replace")
        return done, findings, Finding(lost, place_of_stack(stack), stack[-1200:])
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _work(cases, indices, place, shared):
    """The worker: run, note what is found, say how far it is."""
    code = 1
    try:
        unblocked()
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sandbox = Sandbox(place)
        with (place / "found").open("wb", buffering=0) as told:
            for done, index in enumerate(indices):
                shared[:] = AT.pack(done, time.monotonic(), time.process_time())
                case = cases(index)
                shared[:] = AT.pack(done, time.monotonic(), time.process_time())
                finding = sandbox.run(case)
                if finding is not None:
                    told.write(pickle.dumps((index, finding)))
            shared[:] = AT.pack(len(indices), time.monotonic(), time.process_time())
        code = 0
    except BaseException as error:
        with contextlib.suppress(BaseException), (place / "stack").open("a") as told:
            import traceback

            traceback.print_exception(error, file=told)
    finally:
        os._exit(code)


def _watched(pid: int, shared: mmap.mmap, limit: float) -> str | None:
    """Wait for a worker; end it where a case takes too long or too much."""
    wait = 0.002
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            if os.WIFSIGNALED(status):
                return f"crash {signal.Signals(os.WTERMSIG(status)).name}"
            return "worker" if status else None
        time.sleep(wait)
        wait = min(0.05, wait * 1.5)
        why = None
        _, begun, used = AT.unpack(shared[:])
        if time.monotonic() - begun > WAITING * limit or _processor(pid) - used > limit:
            why = "hang"
        elif _resident(pid) > MOST_RESIDENT:
            why = "memory"
        if why:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, STACK)
            time.sleep(0.5)  # while it writes where it is
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return why


def _processor(pid: int) -> float:
    """Seconds of a processor that a process has used."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0
