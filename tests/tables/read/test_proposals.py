"""Distinct values leave the engine where they are not too many, and a hierarchy is proposed from them."""

import pyarrow as pa
import pytest

import incrowd.tables.read.proposals as module
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.read.proposals import distinct_values, propose_hierarchies
from incrowd.tables.roles import Reading

TABLE = pa.table({"age": ["31", "47", None, "31"], "x": [float("nan"), 1.5, float("inf"), 1.5], "none": pa.array([None] * 4, "string")})  # fmt: skip


@pytest.fixture(scope="module")
def opened():
    with Engine() as engine:
        yield engine, open_source(engine, TABLE, Reading())


def test_distinct_values_are_sorted_texts_without_the_missing_one(opened):
    assert distinct_values(*opened, "age") == ["31", "47"]
    assert distinct_values(*opened, "x") == ["1.5", "inf"]
    assert distinct_values(*opened, "none") == []


def test_columns_that_the_table_lacks_are_left_to_the_roles(opened):
    found = propose_hierarchies(*opened, ["age", "nothing", "none"])
    assert [(one.column, one.spec is None) for one in found] == [("age", False), ("none", True)]


def test_too_many_values_get_no_proposal(opened, monkeypatch):
    monkeypatch.setattr(module, "MOST_VALUES", 1)
    (found,) = propose_hierarchies(*opened, ["age"])
    assert found.spec is None and found.why == "it has more than 1 values"
