"""What a release breaks of its policy, as far as it shows."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa

from incrowd.tables.attack.read import broken_rules, nothing_hidden, stars_before
from incrowd.tables.engine.base import Engine
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.values import Domain, Sensitive
from oracles.small_attacks import held

ROWS = [(0, 0), (0, 0), (0, None), (0, None), (None, None)]


def broken(released):
    return {one["rule"]: one["classes"] for one in broken_rules(released)}


def test_small_classes_and_forbidden_patterns_are_counted():
    assert broken(held(ROWS, (2, 2))) == {"k": 1}
    assert broken(held(ROWS, (2, 2), outliers="suppress")) == {}
    assert broken(held(ROWS, (2, 2), outliers="suppress", vectors=[(0, 0), (1, 1)])) == {"mask": 1}


def test_too_many_suppressed_rows_and_broken_requirements_are_counted():
    released = held(ROWS, (2, 2), outliers="suppress")
    assert broken(dataclasses.replace(released, most_suppressed=0)) == {"suppression_limit": 1}
    domain = Domain(Sensitive(np.array([[0], [1]], np.int32), ("s",), (2,)), (("a", "b"),), np.array([4, 1]))
    model = LDiversity(l=2, column="s")
    judged = dataclasses.replace(released, requirements=(model.bind(domain),))
    assert list(broken(judged).values()) == [3]


def test_a_release_that_shows_every_cell_may_be_of_another_tool():
    assert nothing_hidden(held(ROWS, (2, 2))) == []
    (said,) = nothing_hidden(held([(0, 0), (0, 0), (1, 1), (1, 1)], (2, 2)))
    assert "--star" in said and "--hierarchy" in said


def test_an_original_that_holds_the_star_itself_is_told_by_column():
    engine = Engine()
    rows = engine.put(pa.table({"c0": ["31", "*", None], "c1": ["f", "**", "m"]}))
    (said,) = stars_before(engine, rows, {"age": "c0", "sex": "c1"}, "*")
    assert "in age, which" in said
    assert stars_before(engine, rows, {"sex": "c1"}, "*") == []
    assert stars_before(engine, rows, {"age": "c0"}, None) == []
