"""Which engine a job runs on: DuckDB, or Spark where it is asked for or a table lives there."""

from __future__ import annotations

from typing import Any

from incrowd.tables.engine.base import Engine

__all__ = ["open_engine"]


def open_engine(name: str, memory: str | None, *sources: Any) -> Engine:
    """Return a fresh engine for a job.

    Parameters
    ----------
    name : {"duckdb", "spark"}
        What the job asks for. A table that lives in Spark takes Spark whatever is asked.
    memory : str or None
        Memory limit, for example ``"4GB"``.
    *sources
        The tables that will come in.

    Raises
    ------
    InputError, PolicyError
        If the engine cannot be had.
    """
    on_spark = [source for source in sources if type(source).__module__.partition(".")[0] in ("pyspark", "ibis")]
    if name == "duckdb" and not on_spark:
        return Engine(memory)
    from incrowd.tables.engine.spark import SparkEngine
    from incrowd.tables.engine.spark_session import session_of

    session = next((found for source in on_spark if (found := session_of(source)) is not None), None)
    return Engine(memory) if name == "duckdb" and session is None else SparkEngine(memory, session)
