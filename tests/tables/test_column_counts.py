from fractions import Fraction

import pyarrow as pa
import pytest

from incrowd.errors import PolicyError
from incrowd.tables import column_counts
from incrowd.tables.column_counts import count_columns, looks_at_table, with_values_alone
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.read.hierarchies import fit_hierarchies
from incrowd.tables.roles import Reading

TABLE = pa.table({"a": ["1", "2", "2", None], "t": ["x", "x", "y", "x"]})


def counted(cost, **more):
    with open_engine("duckdb", None, TABLE) as engine:
        opened = open_source(engine, TABLE, Reading())
        fitted = fit_hierarchies(engine, opened, with_values_alone(cost, ["a"], []))
        return count_columns(engine, opened, cost, ["a"], fitted, **more)


def test_rows_are_counted_by_line_where_the_cost_looks_at_the_table():
    assert counted("entropy", numeric=["a"])["a"].rows == (1, 2, 1)
    assert counted("entropy", numeric=["a"])["a"].numeric
    assert counted("ncp") == {}
    assert counted("leaves") == {}
    assert [looks_at_table(cost) for cost in ("ncp", "workload:w.toml", "cells")] == [True, True, False]


def test_targets_are_counted_beside_the_columns_of_their_queries(tmp_path):
    (tmp_path / "w.toml").write_text('[[query]]\ncolumns = "a"\n[[query]]\ncolumns = "a"\ntarget = "t"\nweight = 2\n')
    found = counted(f"workload:{tmp_path / 'w.toml'}")["a"]
    assert found.counting == 1
    ((weight, told),) = found.telling
    assert weight == Fraction(2)
    assert [sorted(one.values()) for one in told] == [[1], [1, 1], [1]]


def test_too_many_pairs_of_values_are_refused(tmp_path, monkeypatch):
    (tmp_path / "w.toml").write_text('[[query]]\ncolumns = "a"\ntarget = "t"\n')
    monkeypatch.setattr(column_counts, "MOST_PAIRS", 2)
    with pytest.raises(PolicyError, match="'a' and 't' of the workload have too many pairs"):
        counted(f"workload:{tmp_path / 'w.toml'}")
