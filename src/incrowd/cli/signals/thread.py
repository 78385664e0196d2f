"""A thread that ends the process where the main thread does not hear a signal: in a kernel, in foreign code.

Python's own handlers run in the main thread, between two of its steps; a kernel, a compiler or a library may keep it
from the next one for long, or swallow what a handler raised. The system writes the number of every signal into a pipe
at once (`signal.set_wakeup_fd`), and the thread here reads it: kernels, HiGHS and the engine let go of the interpreter
while they work. It gives the main thread a moment to leave by itself; then it removes what is staged and the private
folders, and ends the process with the signal's status. Foreign code that keeps the interpreter to itself is the one
thing that can still delay the end.
"""

from __future__ import annotations

import contextvars
import os
import signal
import threading

from incrowd.atomic_file import placed
from incrowd.recovery import end_process

PATIENCE = 1.0  # seconds from a signal to the end of the process, for a main thread that leaves by itself
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")

_listening: list[SignalThread] = []


def pardon(times: int) -> None:
    """Let the next interruptions be mere wishes, which whoever searches hears.

    `times` says how many SIGINT from now on do not end the process; 0: each does.
    """
    for thread in _listening:
        thread.pardons = times


class SignalThread:
    """A thread that listens from `start` to `stop`, both in the main thread of a process that is ours to end.

    Attributes
    ----------
    pardons : int
        How many SIGINT from now on do not end the process.
    heard : int
        The first signal that came to end it; 0: none.
    """

    def __init__(self) -> None:
        self.pardons = 0
        self.heard = 0
        self._numbers = {getattr(signal, name) for name in ENDING if hasattr(signal, name)}
        self._over = threading.Event()
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._before = -1
        listen = contextvars.copy_context().run  # what is in place is told of the run that starts it
        self._thread = threading.Thread(target=listen, args=(self._listen,), name="incrowd-signals", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        _listening.append(self)
        self._thread.start()

    def stop(self) -> None:
        """Listen no more: the run has ended by itself."""
        self._over.set()
        _listening.remove(self)
        signal.set_wakeup_fd(self._before)
        os.close(self._write)
        self._thread.join()
        os.close(self._read)

    def _listen(self) -> None:
        """Read the numbers of signals until the pipe is closed."""
        while came := os.read(self._read, 64):
            for number in came:
                if number not in self._numbers or (number == signal.SIGINT and self._pardoned()):
                    continue
                self.heard = self.heard or number
                if not self._over.wait(PATIENCE):
                    self._end(self.heard)

    def _pardoned(self) -> bool:
        self.pardons -= 1
        return self.pardons >= 0

    def _end(self, number: int) -> None:
        """Remove what is staged, say what is in place if it was Ctrl-C, and end the process."""
        end_process(128 + number, (lambda: f"interrupted; {placed()}") if number == signal.SIGINT else None)
