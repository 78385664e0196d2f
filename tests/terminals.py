"""A command whose standard error is a terminal: a test waits for a sign in its progress instead of for a while."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Running", "on_terminal"]


class Running:
    """A command that runs, and what it wrote to its terminal so far."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self.said = ""
        self.ended = False
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, args=(terminal,), daemon=True)
        self._reader.start()

    def _read(self, terminal: int) -> None:
        with contextlib.suppress(OSError):  # nobody writes any more
            while text := os.read(terminal, 1 << 16):
                with self._more:
                    self.said += text.decode(errors="replace")
                    self._more.notify_all()
        with self._more:
            self.ended = True
            self._more.notify_all()

    def wait_for(self, sign: str, seconds: float = 300) -> None:
        """Return when the terminal shows a pattern."""
        with self._more:
            self._more.wait_for(lambda: self.ended or re.search(sign, self.said), timeout=seconds)
            assert re.search(sign, self.said), self.said

    def end(self, seconds: float = 300) -> tuple[int, bytes]:
        """Return the exit status and the standard output of the command, when it has ended."""
        out, _ = self.process.communicate(timeout=seconds)
        self._reader.join(timeout=seconds)
        return self.process.returncode, out


@contextlib.contextmanager
def on_terminal(command: list[object], **options: object) -> Iterator[Running]:
    """Run a command with its standard error on a terminal; it is ended when the test is."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [str(word) for word in command],
            stderr=theirs,
            stdout=subprocess.PIPE,
            **options,  # type: ignore[call-overload]
        )
    finally:
        os.close(theirs)
    running = Running(process, ours)
    try:
        yield running
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
        running._reader.join(timeout=60)
        os.close(ours)
