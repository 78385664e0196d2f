"""Queries that hear a stop: a thread looks at the watch and breaks off what the engine is at."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine

__all__ = ["Cut", "stoppable"]

LOOK = 0.2  # seconds between two looks


class Cut(BaseException):
    """A query was broken off because the watch said stop."""


@contextlib.contextmanager
def stoppable(engine: Engine, watch: Watch) -> Iterator[None]:
    """Let the engine's queries inside the block end within a second of a stop.

    Parameters
    ----------
    engine : Engine
        DuckDB; another engine hears a stop between two queries only.
    watch : Watch

    Raises
    ------
    Cut
        If the watch said stop, before the block or inside a query of it. What the query would have made is not there.
    """
    if watch.stopped:
        raise Cut
    over = threading.Event()
    told = threading.Event()
    connection: Any = getattr(getattr(engine, "con", None), "con", None)
    interrupt = getattr(connection, "interrupt", None)

    def look() -> None:
        while not over.wait(LOOK):
            if watch.stopped and interrupt is not None:
                told.set()
                interrupt()

    thread = threading.Thread(target=look, name="incrowd-queries", daemon=True)
    thread.start()
    try:
        yield
    except KeyboardInterrupt:
        if not told.is_set():
            raise
        raise Cut from None
    finally:
        over.set()
        thread.join()
