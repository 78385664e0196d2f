"""A folder in which one case after the other is run in this process, and what is looked at afterwards.

For processes that do nothing else: standard input, output and error are files here, and stay so.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import math
import os
import re
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

from incrowd.cli import progress
from incrowd.cli.main import main
from incrowd.errors import IncrowdError, OurBug
from process.fuzz.calls import answer_of
from process.fuzz.case import CANARY, Case

__all__ = ["STACK", "Finding", "Sandbox", "innermost", "place_of_stack", "unblocked", "warmed"]

STACK = signal.SIGUSR1
STATUSES = (0, 1, 2, 3)
MOST_MEMORY = 1 << 30  # bytes more than before; the inputs have a few kilobytes
OPTIONS_OF_FILES = ("-o", "--output", "--report", "--certificate")
LEFT = re.compile(r"\.part\b|\.body$|^incrowd-|journal", re.IGNORECASE)
SIGNATURE = re.compile(r"unexpected keyword argument|missing \d+ required|positional argument")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Finding:
    """What should not be.

    Attributes
    ----------
    what : str
        Its kind: traceback, exit, crash, hang, memory, cell, left, silent, lines, control.
    place : str
        File and line of the innermost frame of the package, or what tells it from others.
    detail : str
        The end of what was printed.
    """

    what: str
    place: str
    detail: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Findings with the same are one."""
        return self.what, self.place


def innermost(error: BaseException) -> str:
    """Where an error came out of the package: file and line of its innermost frame there."""
    place = "outside"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if "incrowd" in path.parts and "fuzz" not in path.parts:
            place = f"{'/'.join(path.parts[path.parts.index('incrowd') + 1 :])}:{frame.lineno}"
    return place


def place_of_stack(text: str) -> str:
    """The same from what `faulthandler` wrote: most recent call first."""
    found = re.findall(r'File "[^"]*/incrowd/([^"]+)", line (\d+)', text)
    return ":".join(found[0]) if found else "outside"


class Sandbox:
    """A working folder with standard streams of its own.

    Parameters
    ----------
    folder : Path
        Empty; made the working folder. Beside it a folder for temporary files.

    Notes
    -----
    On `STACK`, and where the process crashes, the Python stack is written to `stack` in that folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary = folder / "work", folder / "temporary"
        for path in (self.folder, self.temporary):
            path.mkdir()
        os.chdir(self.folder)
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.temporary)
        os.environ["INCROWD_DEBUG"] = "1"  # an unforeseen error comes out, and says where it was
        os.environ["COLUMNS"] = "100"
        self._streams = [open(folder / name, "w+b", buffering=0) for name in ("in", "out", "err")]  # noqa: SIM115, PTH123
        for number, stream in enumerate(self._streams):
            os.dup2(stream.fileno(), number)
        self._traces = open(folder / "stack", "w")  # noqa: SIM115, PTH123
        faulthandler.enable(self._traces)
        faulthandler.register(STACK, self._traces)
        warnings.simplefilter("ignore")

    def run(self, case: Case) -> Finding | None:
        """Run a case and return what should not be."""
        names = {name for name, _ in case.files}
        for name, data in case.files:
            (self.folder / name).write_bytes(data)
        self._rewind(dict(case.files).get("-", b""))
        _reset_peak()
        before = _memory()[0]
        status, finding = self._ended(case)
        peak = _memory()[1] - before
        out, err = (self._said(number) for number in (1, 2))
        finding = finding or self._judged(case, status, out, err, names)
        if finding is None and peak > MOST_MEMORY:
            finding = Finding("memory", case.words[0] if case.words else case.call[0], f"{peak >> 20} MB")
        self._clear()
        return finding

    def _ended(self, case: Case) -> tuple[int, Finding | None]:
        """How it ended, and the error that came out."""
        try:
            if case.words:
                progress.PATIENCE = math.inf  # how long a case takes is not what is judged
                main(list(case.words))
            else:
                print(answer_of(case.call), flush=True)
        except SystemExit as error:
            return int(error.code or 0), None
        except OurBug as error:
            return 70, Finding("our bug", innermost(error), str(error))
        except IncrowdError as error:
            text = "".join(traceback.format_exception(error))
            if CANARY in text:
                return 2, Finding("cell", innermost(error), text[-600:])
            return 2, None if str(error).strip() else Finding("silent", innermost(error))
        except Exception as error:
            if isinstance(error, TypeError) and SIGNATURE.search(str(error)):
                return 2, None  # as of any function that is called with a name it does not have
            told = "".join(traceback.format_exception(error))[-1500:]
            return 70, Finding(f"traceback {type(error).__name__}", innermost(error), told)
        return 0, None

    def _judged(self, case: Case, status: int, out: str, err: str, names: set[str]) -> Finding | None:
        command = case.words[0] if case.words else case.call[0]
        if status not in STATUSES:
            return Finding(f"exit {status}", f"{command}: {_shape(err)}", err[-600:])
        if not case.named and (CANARY in err or (CANARY in out and not case.shown)):
            return Finding("cell", f"{command}: {_shape(err if CANARY in err else out)}", (err + out)[-600:])
        if "not enough memory" in err:
            return Finding("memory", f"{command}: {_shape(err)}", err[-600:])
        read = "" if case.shown or not case.words or "--json" in case.words else out  # by people: on a terminal
        if CONTROL.search(err + read):
            return Finding("control", f"{command}: {_shape(err or out)}", (err + read)[-600:])
        if case.words and status in (2, 3):
            if not err.strip():
                return Finding("silent", command, f"exit {status}")
            if "\n" in err.strip():
                return Finding("lines", f"{command}: {_shape(err)}", err[-600:])
        return self._of_files(case, status, names, command)

    def _of_files(self, case: Case, status: int, names: set[str], command: str) -> Finding | None:
        """What of the files should not be: staged ones, outputs in spite of a failure, cells in a certificate."""
        asked = {
            Path(after).name
            for word, after in zip(case.words, case.words[1:], strict=False)
            if word in OPTIONS_OF_FILES
        }
        new = {path.name for path in self.folder.iterdir()} - names
        left = [name for name in new if LEFT.search(name)] + [path.name for path in self.temporary.iterdir()]
        if left:
            gc.collect()  # a folder of its own goes with the object that holds it
            left = [name for name in new if LEFT.search(name)] + [path.name for path in self.temporary.iterdir()]
        if left:
            return Finding("left", f"{command}: {re.sub(r'[0-9a-f]{6,}', '#', min(left))[:60]}", " ".join(left)[:300])
        if status not in (0, 1) and new & asked and case.words:
            return Finding("left", f"{command}: an output in spite of exit {status}", " ".join(sorted(new & asked)))
        for name in () if case.named else new:
            path = self.folder / name
            if path.suffix in (".json", ".html") and path.is_file() and CANARY.encode() in path.read_bytes():
                return Finding("cell", f"{command}: in {path.suffix}", name)
        return None

    def _rewind(self, given: bytes) -> None:
        for stream in self._streams:
            stream.seek(0)
            stream.truncate()
        self._streams[0].write(given)
        self._streams[0].seek(0)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", errors="backslashreplace")
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", errors="backslashreplace")

    def _said(self, number: int) -> str:
        with contextlib.suppress(ValueError):
            (sys.stdout, sys.stderr)[number - 1].flush()
        stream = self._streams[number]
        stream.seek(0)
        return stream.read().decode("utf-8", "replace")

    def _clear(self) -> None:
        for folder in (self.folder, self.temporary):
            for path in folder.iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def _shape(text: str) -> str:
    """The words of a sentence without what it quotes, numbers and names of files."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|[\d.]+|\s+", lambda found: " " if found[0].isspace() else "_", text.strip())[:70]


def _memory() -> tuple[int, int]:
    """Bytes that this process holds, and the most since the last `_reset_peak`; zeros where the system does not say."""
    try:
        told = Path("/proc/self/status").read_text()
    except OSError:
        return 0, 0
    now, peak = (int(re.search(rf"{name}:\s+(\d+)", told)[1]) << 10 for name in ("VmRSS", "VmHWM"))
    return now, peak


def _reset_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def unblocked() -> None:
    """Take signals as a fresh process does: a parent's handlers are not ours."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def warmed(cases: list[Case]) -> None:
    """Run cases for what they load and compile alone."""
    place = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for case in cases:
                for name, data in case.files:
                    Path(name).write_bytes(data)
                with contextlib.suppress(Exception, SystemExit):
                    if case.words:
                        main(list(case.words))
                    else:
                        answer_of(case.call)
        finally:
            os.chdir(place)
