"""Queries that hear a stop: a thread looks at the watch and breaks off what the engine is at."""

from __future__ import annotations

import contextlib
import secrets
import threading
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.tables.engine.spark_session import is_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine

__all__ = ["Cut", "stoppable"]

LOOK = 0.2  # seconds between two looks


class Cut(BaseException):
    """A query was broken off because the watch said stop."""


@contextlib.contextmanager
def stoppable(engine: Engine, watch: Watch) -> Iterator[None]:
    """Let the engine's queries inside the block end within a second of a stop.

    Raises Cut if the watch said stop, before the block or inside a query of it. What the query would have made is not
    there.
    """
    if watch.stopped:
        raise Cut
    over = threading.Event()
    told = threading.Event()

    def look() -> None:
        while not over.wait(LOOK):
            if watch.stopped:
                told.set()
                interrupt()

    with _breaker(engine) as interrupt:
        thread = threading.Thread(target=look, name="incrowd-queries", daemon=True)
        thread.start()
        try:
            yield
        except (KeyboardInterrupt, InputError) as error:
            # DuckDB's guard makes the former of a query that was broken off, Spark's the latter
            if not told.is_set() or (isinstance(error, InputError) and engine.name == "duckdb"):
                raise
            raise Cut from None
        finally:
            over.set()
            thread.join()


@contextlib.contextmanager
def _breaker(engine: Any) -> Iterator[Callable[[], Any]]:
    """Give what breaks off the queries of the block, from another thread."""
    if engine.name == "duckdb":
        yield engine.con.con.interrupt
        return
    session, tag = engine.session, f"incrowd-{secrets.token_hex(8)}"
    # tags of a classic session do not reach what Spark computes in threads of its own, such as for Arrow
    tags = session if is_remote(session) else session.sparkContext
    add, take, cancel = (
        (tags.addTag, tags.removeTag, tags.interruptTag)
        if tags is session
        else (tags.addJobTag, tags.removeJobTag, tags.cancelJobsWithTag)
    )
    add(tag)
    try:
        yield lambda: cancel(tag)
    finally:
        take(tag)
