from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.verify import per_row as module
from incrowd.tables.verify.per_row import recount_per_row
from incrowd.tables.verify.release.rules import Rules

ROWS = pa.table({"a": ["x", "x", "y", None], "b": ["1", "1", "1", "2"]})


def bound(engine, **said):
    given = {"k": 2, "outliers": "forbid", "mask": {}, "names": ("a", "b"), "weights": {}, **said}
    return recount_per_row(engine, engine.put(ROWS), ["a", "b"], Rules(**given))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, 0 + 0 + 1 + 2),  # y joins (*, 1); the missing value finds nobody but among all
        ({"weights": {"b": Fraction(1, 3)}}, Fraction(1) + Fraction(4, 3)),
        ({"mask": {"max_stars": 1}}, 3),  # max_stars leaves full suppression in
        ({"mask": {"keep": ["b"], "full_suppression": False}}, None),
        ({"k": 4}, 8),
        ({"k": 5}, None),
        ({"k": 5, "outliers": "suppress"}, 8),
        ({"k": 1}, 0),
    ],
)
def test_every_row_costs_its_cheapest_allowed_crowd(said, expected):
    with Engine() as engine:
        assert bound(engine, **said) == expected


def test_too_many_vectors_are_not_begun(monkeypatch):
    monkeypatch.setattr(module, "PATTERNS", 3)
    with Engine() as engine:
        assert bound(engine) is None
        monkeypatch.setattr(module, "VECTORS", 3)
        assert bound(engine) is None
