"""Where Spark's computed tables are kept, so that they are computed once and outlive the executors that made them.

- Where the session has a checkpoint directory (`SparkContext.setCheckpointDir`, ``spark.checkpoint.dir``), or Spark
  runs on this machine alone: as Parquet in a private folder there. What is read ever after is one column at a time, and
  no executor is missed.
- Elsewhere: as blocks that two executors hold each where Spark finds a second one, which it does not promise.
"""

from __future__ import annotations

import itertools
import secrets
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.tables.engine.spark_places import Passing, local_place, pattern_of, place_of
from incrowd.tables.engine.spark_session import as_active, is_remote

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from incrowd.tables.engine.spark_places import Places

__all__ = ["Keeping"]

PROBE = "_looked"  # a folder of a few numbers, written before anything else
AT_MOST = 64  # tasks that write it
CHEAP = {  # nothing here is looked for by its least and greatest value
    "compression": "snappy",
    "parquet.column.statistics.enabled": False,
    "parquet.size.statistics.enabled": False,
}
KNOWN = "spark.sql.constraintPropagation.enabled"
PARTS = 16  # row groups of a file of numbers
NOT_IN_FILES = ("void", "interval", "variant")  # types that Parquet has not, or not in every version


class Keeping:
    """Where the tables of one engine are kept.

    Parameters
    ----------
    session : SparkSession
    places : Places, optional
        Its file systems; None where it is one of Connect, which shows none.
    private : Path
        A folder of this process, for a Spark that runs in it.

    Attributes
    ----------
    note : str
        What to tell the user, in one sentence; empty where nothing can be lost.
    """

    def __init__(self, session: Any, places: Places | None, private: Path) -> None:
        self._session = session
        self._places: Any = places  # asked only where tables are kept in files, which Connect's are not
        self._numbers = itertools.count()
        self._remote = is_remote(session)
        self._private = private
        self.folder = None if self._remote else _folder(session, private)
        self._lasting = self._remote and session.conf.get("spark.checkpoint.dir", None) is not None
        if self.folder is None:  # else it knows things of what it holds by names from before, and its unions fail
            session.conf.set(KNOWN, "false")
        self.note = ""
        self._made: Passing | None = None
        if self.folder is None and not self._lasting:
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
            return self._held(frame)
        if self._made is None:
            self._made = Passing(self._places, self.folder)
            self._places.make_private(self.folder)
            self.look(self.folder, "checkpoint directory (spark.checkpoint.dir)")
        file = f"{self.folder}/{next(self._numbers)}"
        frame.write.options(**CHEAP).parquet(file)
        return self._session.read.schema(held).parquet(pattern_of(file))

    def free(self) -> int | None:
        """Return how many bytes are free where tables are kept; None where they lie with executors or nobody knows."""
        return None if self.folder is None else self._places.free(self.folder)

    def look(self, folder: str, what: str) -> None:
        """Refuse a folder that this machine and the executors do not both see: what one writes, the other has to find.

        Each machine would keep its share of a table in a folder of its own, and the driver would find none of it.
        `folder` is an address, and `what` is what the message calls it. Raises InputError if it lies on one machine
        only.
        """
        if _alone(self._session.sparkContext):
            return
        parts, probe = min(max(self._session.sparkContext.defaultParallelism, 2), AT_MOST), f"{folder}/{PROBE}"
        self._session.range(0, parts, 1, parts).write.mode("overwrite").parquet(probe)
        there = [place for place in self._places.inside(probe) if place.name.startswith("part-")]
        seen = len(there) == parts and self._session.read.schema("id long").parquet(pattern_of(probe)).count() == parts
        self._places.remove(probe)
        if not seen:
            raise InputError(
                f"the {what} lies on one machine only: what executors write there the driver does not find; name one "
                "that all machines see, under the same name"
            )

    def put(self, table: pa.Table) -> Any:
        """Return whole numbers of this process as a frame, by a file that Spark reads where it runs in this process.

        Parameters
        ----------
        table : pyarrow.Table

        Returns
        -------
        pyspark.sql.DataFrame or None
            None where Spark runs elsewhere, or there is a column of another kind.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        plain = all(pa.types.is_signed_integer(kind) or pa.types.is_boolean(kind) for kind in table.schema.types)
        if not plain or not table.num_rows or not self._in_process():
            return None
        file = self._private / f"numbers{next(self._numbers)}.parquet"
        pq.write_table(table, file, row_group_size=max(-(-table.num_rows // PARTS), 1))
        return self._session.read.parquet(local_place(file))

    def _in_process(self) -> bool:
        return not self._remote and _alone(self._session.sparkContext)

    def handed_out(self, frame: Any) -> Any:
        """Return a frame computed once that stays when the engine closes: Spark removes it when it is forgotten."""
        if self._remote:
            return self._held(frame)
        if self._session.sparkContext._jsc.sc().getCheckpointDir().isDefined():
            return frame.checkpoint(True)
        return frame.localCheckpoint(True, self._level())

    def close(self) -> None:
        """Remove what was kept."""
        if self._made is not None:
            self._made.remove()

    def _level(self) -> Any:
        from pyspark import StorageLevel

        return StorageLevel.MEMORY_AND_DISK if self._in_process() else StorageLevel.MEMORY_AND_DISK_2

    def _held(self, frame: Any) -> Any:
        """Return a frame computed once by Spark's own means."""
        with as_active(frame.sparkSession):
            return frame.checkpoint(True) if self._lasting else frame.localCheckpoint(True, self._level())


def _folder(session: Any, private: Path) -> str | None:
    """Return the folder to keep tables in, or None."""
    context = session.sparkContext
    given = context._jsc.sc().getCheckpointDir()
    base = str(given.get()) if given.isDefined() else context.getConf().get("spark.checkpoint.dir")
    if base is None and _alone(context):
        base = place_of(private)
    return None if base is None else f"{base.rstrip('/')}/incrowd-{secrets.token_hex(8)}"


def _alone(context: Any) -> bool:
    """Return whether Spark runs on this machine alone, in one process."""
    return str(context.master) == "local" or str(context.master).startswith("local[")


def _odd(field: Any) -> bool:
    """Return whether a column has a type that is not kept in files."""
    return any(word in field.dataType.simpleString() for word in NOT_IN_FILES)
