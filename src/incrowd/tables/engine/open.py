"""Which engine a job runs on: DuckDB, or Spark where it is asked for or a table lives there."""

from __future__ import annotations

from typing import Any

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine


def on_spark(name: str, *sources: Any) -> bool:
    """Return whether a job runs on Spark: because it asks for it, or because a table lives there.

    `name` is what the job asks for, ``"duckdb"`` or ``"spark"``, and `sources` are the tables that will come in.
    """
    return name == "spark" or _session(sources) is not None


def refuse_remote(*sources: Any) -> None:
    """Refuse tables of Spark Connect where a file is to be read or written.

    Raises InputError if one of `sources`, the tables that will come in, is of a session of Spark Connect.
    """
    session = _session(sources)
    if session is None:
        return
    from incrowd.tables.engine.spark_places import NO_FILES
    from incrowd.tables.engine.spark_session import is_remote

    if is_remote(session):
        raise InputError(NO_FILES)


def _session(sources: tuple[Any, ...]) -> Any:
    """Return the session of the first table that lives in Spark, or None."""
    there = [source for source in sources if type(source).__module__.partition(".")[0] in ("pyspark", "ibis")]
    if not there:
        return None
    from incrowd.tables.engine.spark_session import session_of

    return next((found for source in there if (found := session_of(source)) is not None), None)


def open_engine(name: str, memory: str | None, *sources: Any) -> Engine:
    """Return a fresh engine for a job.

    `name` is what the job asks for, ``"duckdb"`` or ``"spark"``; a table that lives in Spark takes Spark whatever is
    asked. `memory` is the memory limit, for example ``"4GB"``, and `sources` are the tables that will come in. Raises
    InputError or PolicyError if the engine cannot be had.
    """
    session = _session(sources)
    if name == "duckdb" and session is None:
        return Engine(memory)
    from incrowd.tables.engine.spark import SparkEngine

    return SparkEngine(memory, session)
