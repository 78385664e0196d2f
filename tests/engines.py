"""The table engines that tests run over: DuckDB always, Spark behind its marker."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from incrowd.tables.engine.open import open_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENGINES", "SPARK", "spark_kept", "spark_wanted"]

# PySpark leaves its sockets to the garbage collector
SPARK = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),  # in how it makes pandas frames
]
ENGINES = ["duckdb", pytest.param("spark", marks=SPARK)]
# one core and little memory, and no time spent on compiling plans that run once over a few rows
SUBMITTED = (
    "--master local[1] --driver-memory 1g --driver-java-options -XX:TieredStopAtLevel=1 "
    "--conf spark.sql.shuffle.partitions=3 --conf spark.sql.codegen.wholeStage=false pyspark-shell"
)


def spark_wanted() -> None:
    """Skip the test, saying so, where Spark cannot run."""
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed: pip install -e '.[spark]', or `make test-spark`")
    if not (shutil.which("java") or (Path(os.environ.get("JAVA_HOME") or "/nowhere") / "bin" / "java").exists()):
        pytest.skip("Java is not installed: Spark needs 17 or 21")
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", SUBMITTED)


@contextlib.contextmanager
def spark_kept() -> Iterator[None]:
    """Keep one Spark for several tests."""
    spark_wanted()
    with open_engine("spark", None):
        yield
