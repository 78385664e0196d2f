"""Spark's errors as sentences without cells: what is told is the error's own condition, a name without data."""

from __future__ import annotations

import contextlib
import logging
import re
from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError, InputError
from incrowd.tables.engine.guard import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SparkGuard"]

CAUSES = 20  # how deep a chain of causes is followed
CONDITION = re.compile(r"[A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*")
# by a sign in the chain of causes (classes and conditions, which hold no data; or Spark's own fixed words)
SENTENCES = (
    (("OutOfMemory", "SparkOutOfMemoryError"), "not enough memory; give more with --memory, or where Spark is started"),
    (("No space left on device", "DSQuotaExceeded"), "the disk is full; free some space"),
    (
        ("spark.driver.maxResultSize",),
        "more would come to the driver than spark.driver.maxResultSize allows; raise that limit where Spark is "
        "started, or let there be fewer row types (coarser quasi-identifiers)",
    ),
    (
        ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block"),
        "what executors held was lost with them; set a checkpoint directory that all machines see "
        "(spark.checkpoint.dir), and nothing is lost with an executor",
    ),
    # before the next: Java does not find what it may not read
    (("AccessControlException", "AccessDenied", "Permission denied"), "permission is denied; may Spark use it?"),
    (
        ("PATH_NOT_FOUND", "FILE_NOT_EXIST", "FileNotFoundException", "FileNotFound"),
        "executors do not find a file; what Spark reads, writes and keeps has to lie where every machine sees it, "
        "under the same name",
    ),
    (
        ("CANNOT_READ_FOOTER", "CANNOT_READ_FILE_FOOTER", "not a Parquet file", "Malformed ORC", "FileFormatException"),
        "a file is no whole file of its kind; it may be cut short",
    ),
    (("FAILED_READ_FILE",), "a file cannot be read to its end; it may be damaged or cut short"),
    (("UNABLE_TO_INFER_SCHEMA",), "there is no file with columns"),
    (("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND"), "the catalogue of this Spark has no such table"),
    (
        ("DATA_SOURCE_NOT_FOUND",),
        "this Spark has nothing that reads such a table; start it with the package that does (spark.jars.packages)",
    ),
    (("REQUIRES_SINGLE_PART_NAMESPACE",), "a table's name is NAME or DATABASE.NAME there"),
    (
        ("failed on connection exception", "failed on socket timeout", "NoRouteToHostException", "ConnectTimeout"),
        "nothing answers at that address; are its host and port right, and is the server up?",
    ),
    (("UnknownHostException",), "no machine has the name in that address; is it spelled right?"),
    (
        ("NoAuthWithAWSException", "NoAwsCredentialsException", "No AWS Credentials"),
        "there are no credentials for that store; say them where Spark is started",
    ),
    (("UnsupportedFileSystem", "ClassNotFoundException: Class org.apache.hadoop.fs", "No FileSystem for scheme"),
     "this Spark knows no file system of that name; start it with the package that does (spark.jars.packages), for s3a "
     "org.apache.hadoop:hadoop-aws"),
)  # fmt: skip


class SparkGuard(Guard):
    """Turn Spark's errors inside a ``with`` block into sentences without cells, and keep them from being logged."""

    def __enter__(self) -> None:
        # PySpark writes its errors to standard error, values and all
        self.loggers = [logging.getLogger(f"{kind}QueryContextLogger") for kind in ("SQL", "DataFrame")]
        self.were = [logger.disabled for logger in self.loggers]
        for logger in self.loggers:
            logger.disabled = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        for logger, was in zip(self.loggers, self.were, strict=True):
            logger.disabled = was
        super().__exit__(kind, error, trace)

    def interrupted(self, error: Exception) -> bool:
        """Return False: Ctrl-C reaches Python, and the word may stand in a cell that an error quotes."""
        return False

    def sentence(self, error: Exception) -> IncrowdError:
        """Return an error that says what failed, never what a cell held."""
        signs, condition = _signs(error)
        text = "\n".join((*signs, str(error)))
        for words, said in SENTENCES:
            if any(word in text for word in words):
                return InputError(f"{self.doing}: {said}")
        return InputError(f"{self.doing}: Spark cannot do it ({condition or type(error).__name__})")


def _signs(error: Exception) -> tuple[list[str], str]:
    """Return the classes and conditions of an error and its causes, and the first condition."""
    found: list[str] = []
    conditions = []
    for one in (error, *_causes(error)):
        with contextlib.suppress(Exception):  # not every error has one
            named = one.getCondition()
            if isinstance(named, str) and CONDITION.fullmatch(named):
                conditions.append(named)
        with contextlib.suppress(Exception):
            found.append(str(one.getClass().getName()))
    return [*found, *conditions], conditions[0] if conditions else ""


def _causes(error: Exception) -> Iterator[Any]:
    """Yield the Java errors that an error of PySpark's or Py4J's stands for."""
    one = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    for _ in range(CAUSES):
        if one is None:
            return
        yield one
        try:
            one = one.getCause()
        except Exception:  # noqa: BLE001 - the Java process may be gone
            return
