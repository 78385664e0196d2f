"""Which engine a job runs on."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine


def test_a_job_without_spark_runs_on_duckdb():
    with open_engine("duckdb", "100MB", "table.csv", object()) as engine:
        assert type(engine) is Engine


def test_a_memory_limit_that_is_no_size_is_refused():
    with pytest.raises(PolicyError, match="memory must be a size such as 4GB"):
        open_engine("duckdb", "much")
