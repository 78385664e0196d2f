"""While a loop is compiled, or loaded, time limits stand still, and a line says so where compiling takes long.

Compiled code is kept on disk (beside the loops, or in the user's cache where that folder cannot be written), so that a
later process which needs the same loops starts at once. ``make setup`` runs a few jobs of
every kind for that.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.progress import standstill

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LONG", "Compiled", "made_ready", "total"]

log = logging.getLogger("incrowd.kernels")

# Seconds of compiling in a process after which it is said.
LONG = 3.0


@dataclass
class Compiled:
    """What this process compiled so far: loops, and seconds, in which loops that others call count with those.

    `plain` are the processor seconds that loops took as plain Python instead.
    """

    loops: int = 0
    seconds: float = 0.0
    plain: float = 0.0
    said: bool = False


class _Thread(threading.local):
    inside = False


total, _thread = Compiled(), _Thread()


@contextlib.contextmanager
def made_ready() -> Iterator[None]:
    """Let limits stand still in the block, and count its time if it compiles something and is in no other block."""
    inside, loops, began = _thread.inside, total.loops, time.perf_counter()
    _thread.inside = True
    try:
        with standstill():
            yield
    finally:
        _thread.inside = inside
    if not inside and total.loops > loops:
        total.seconds += time.perf_counter() - began
        if total.seconds >= LONG and not total.said:
            total.said = True
            log.warning(
                "compiling loops for this machine, %d in %.0f s so far; time limits stand still meanwhile, and what is "
                "compiled is kept for later runs",
                total.loops, total.seconds,
            )  # fmt: skip
