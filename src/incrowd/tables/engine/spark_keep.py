"""Where Spark's computed tables are kept, so that they are computed once and outlive the executors that made them.

- Where the session has a checkpoint directory (`SparkContext.setCheckpointDir`, ``spark.checkpoint.dir``), or Spark
  runs on this machine alone: as Parquet in a private folder there. What is read ever after is one column at a time, and
  no executor is missed.
- Elsewhere: as blocks that two executors hold each where Spark finds a second one, which it does not promise.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
from typing import TYPE_CHECKING, Any

from incrowd.tables.engine.spark_places import local_place

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.tables.engine.spark_places import Places

__all__ = ["Keeping"]

NOT_IN_FILES = ("void", "interval", "variant")  # types that Parquet has not, or not in every version


class Keeping:
    """Where the tables of one engine are kept.

    Parameters
    ----------
    session : SparkSession
    places : Places
    private : Path
        A folder of this process, for a Spark that runs in it.

    Attributes
    ----------
    note : str
        What to tell the user, in one sentence; empty where nothing can be lost.
    """

    def __init__(self, session: Any, places: Places, private: Path) -> None:
        self._session, self._places = session, places
        self._numbers = itertools.count()
        self.folder = _folder(session, private)
        self.note = ""
        self._made = False
        if self.folder is None:
            self.note = (
                "Spark has no checkpoint directory: what is computed is held by executors alone, and losing one can "
                "end the job; set one that all machines see (spark.checkpoint.dir)"
            )

    def keep(self, frame: Any) -> Any:
        """Return a frame computed once.

        Parameters
        ----------
        frame : pyspark.sql.DataFrame
        """
        held = frame.schema
        if self.folder is None or not held.fields or any(_odd(field) for field in held):
            return frame.localCheckpoint(True, self._level())
        if not self._made:
            self._places.make_private(self.folder)
            self._made = True
        file = f"{self.folder}/{next(self._numbers)}"
        frame.write.option("compression", "snappy").parquet(file)
        return self._session.read.schema(held).parquet(file)

    def handed_out(self, frame: Any) -> Any:
        """Return a frame computed once that stays when the engine closes: Spark removes it when it is forgotten.

        Parameters
        ----------
        frame : pyspark.sql.DataFrame
        """
        if self._session.sparkContext._jsc.sc().getCheckpointDir().isDefined():
            return frame.checkpoint(True)
        return frame.localCheckpoint(True, self._level())

    def close(self) -> None:
        """Remove what was kept."""
        if self._made and self.folder is not None:
            with contextlib.suppress(Exception):
                self._places.remove(self.folder)

    def _level(self) -> Any:
        from pyspark import StorageLevel

        return StorageLevel.MEMORY_AND_DISK if _alone(self._session.sparkContext) else StorageLevel.MEMORY_AND_DISK_2


def _folder(session: Any, private: Path) -> str | None:
    """Return the folder to keep tables in, or None."""
    context = session.sparkContext
    given = context._jsc.sc().getCheckpointDir()
    base = str(given.get()) if given.isDefined() else context.getConf().get("spark.checkpoint.dir")
    if base is None and _alone(context):
        base = local_place(private)
    return None if base is None else f"{base.rstrip('/')}/incrowd-{secrets.token_hex(8)}"


def _alone(context: Any) -> bool:
    """Return whether Spark runs on this machine alone, in one process."""
    return str(context.master) == "local" or str(context.master).startswith("local[")


def _odd(field: Any) -> bool:
    """Return whether a column has a type that is not kept in files."""
    return any(word in field.dataType.simpleString() for word in NOT_IN_FILES)
