from __future__ import annotations

import shutil
from collections import namedtuple
from types import SimpleNamespace

import pytest

import incrowd
from incrowd.jobs.large import choice
from incrowd.jobs.large.choice import disk_bytes, most_types, stays_in_engine, unfit
from incrowd.jobs.shares import MemoryShare
from incrowd.policy.job import Job
from incrowd.tables.engine.base import Engine

JOB = Job().replace(quasi_identifiers=["a"], k=2)


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, None),
        ({"solver": "greedy"}, None),
        ({"solver": "improve"}, "solver improve"),
        ({"cost": "entropy"}, "cost entropy"),
        ({"recoding": "global"}, "recoding global"),
        ({"sensitive": ["s"], "l": 2}, "a requirement beside k"),
        ({"certificate": "c.json"}, "certificate without the ending .gz"),
        ({"certificate": "c.gz"}, None),
        ({"report": "r.html"}, "report"),
        ({"blunt": 1}, "blunt"),
        ({"solver": "greedy:reduce=kernel"}, "solver greedy:reduce=kernel"),
    ],
)
def test_what_needs_row_types_in_memory_is_named_as_its_option(settings, name):
    assert unfit(JOB.replace(**settings)) == name


def test_memory_holds_so_many_row_types_as_the_estimate_of_a_search_says():
    with Engine() as engine:
        share = MemoryShare("1GB", SimpleNamespace(left=10**9))
        few, many = most_types(engine, share, 40, 9), most_types(engine, share, 4, 2)
        assert 900_000 < few < 1_300_000
        assert many > 3 * few


def test_a_disk_that_is_too_small_is_told_before_the_work(monkeypatch):
    free = namedtuple("usage", "total used free")(1, 1, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: free)
    monkeypatch.setattr(choice, "at_hand", lambda: 0)
    with pytest.raises(
        incrowd.errors.InputError, match=r"the disk is too small for this table: 3 rows with 2 row type"
    ):
        incrowd.anonymize([{"a": 1}, {"a": 1}, {"a": 2}], quasi_identifiers=["a"], k=2, types_in_memory=1)
    assert disk_bytes(10**6, 10, 10**5, 9) > 100 * 10**6


def test_row_types_stay_in_any_engine_that_holds_them():
    spark, fitted = SimpleNamespace(name="spark"), SimpleNamespace(patterns=SimpleNamespace(heights=(1,)))
    asked = JOB.replace(types_in_memory=5)
    assert stays_in_engine(asked, fitted, 6, spark, None)
    assert not stays_in_engine(asked, fitted, 5, spark, None)
