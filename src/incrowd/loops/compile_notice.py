"""What is heard while loops are compiled: time limits stand still, and a line says so where it takes long.

Compiled code is kept on disk (beside the loops, or in the user's cache where that folder cannot be written), so that a
later process which needs the same loops starts at once. `incrowd.kernels.warm` compiles everything beforehand.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from numba.core import event

from incrowd.progress import stand_still

__all__ = ["listen"]

log = logging.getLogger("incrowd.kernels")

# Seconds of compiling in a process after which it is said.
LONG = 3.0


class _Compiling(event.Listener):  # type: ignore[misc]
    """Hears when Numba compiles what no disk held: one thread at a time, and what a loop calls inside its own time."""

    def __init__(self) -> None:
        self.said = False
        self.depth = self.loops = 0
        self.began = self.seconds = 0.0

    def on_start(self, event: Any) -> None:
        """Stop the clock of time limits."""
        self.depth += 1
        if self.depth == 1:
            self.began = time.perf_counter()
            stand_still(True)

    def on_end(self, event: Any) -> None:
        """Let the clock run on, count what was compiled, and say so once where it took long."""
        self.depth -= 1
        if event.data["dispatcher"].py_func.__module__.startswith("incrowd."):
            self.loops += 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self.began
            stand_still(False)
        if self.loops and not self.said and self.seconds >= LONG:
            self.said = True
            log.warning(
                "compiling loops for this machine, %d in %.0f s so far; time limits stand still meanwhile, and what is "
                "compiled is kept for later runs",
                self.loops, self.seconds,
            )  # fmt: skip


_listening: list[_Compiling] = []


def listen() -> None:
    """Begin to hear when loops are compiled; a second call changes nothing."""
    if not _listening:
        _listening.append(_Compiling())
        event.register("numba:compile", _listening[0])  # type: ignore[no-untyped-call]
