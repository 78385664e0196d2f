"""The line that says so while kernels are compiled: after an installation the first search waits for it, once.

Compiled code is kept on disk (beside the kernels, or in the user's cache where that folder cannot be written), so the
next process starts at once. `incrowd.kernels.warm` compiles everything beforehand.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from numba.core import event

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

__all__ = ["SAID", "compiled", "listen"]

log = logging.getLogger("incrowd.kernels")

SAID = (
    "compiling the search for this machine: this happens once after an installation and can take a minute; later runs "
    "start at once"
)


class _Compiling(event.Listener):
    """Hears when Numba compiles what no disk held, and says so once in a process."""

    def __init__(self) -> None:
        self.said = False
        self.count = 0

    def on_start(self, event: Any) -> None:
        """Say so, if it is a kernel of ours and nothing was said yet."""
        self.count += 1
        dispatcher: Dispatcher = event.data["dispatcher"]
        if not self.said and dispatcher.py_func.__module__.startswith("incrowd."):
            self.said = True
            log.warning(SAID)

    def on_end(self, event: Any) -> None:
        """Nothing is left to be said."""


_listening: list[_Compiling] = []


def compiled() -> int:
    """Return how many functions were compiled since `listen` was called: work that the next process is spared."""
    return sum(one.count for one in _listening)


def listen() -> None:
    """Begin to hear when kernels are compiled; a second call changes nothing."""
    if not _listening:
        _listening.append(_Compiling())
        event.register("numba:compile", _listening[0])  # type: ignore[no-untyped-call]
