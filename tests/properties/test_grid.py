"""Ranges on a grid: releases are read back by their labels, and held against every way to put the rows into classes."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError
from oracle import grid
from properties.asking import answered, ask, held, table_of
from seeds import how_many

KINDS = {
    "a number and a text": {},
    "two numbers": {"ranged": 2, "others": 0},
    "two numbers, a hierarchy": {"ranged": 2, "hierarchy": True},
    "by width": {"cost": "ncp"},
    "by width, a hierarchy": {"cost": "ncp", "hierarchy": True},
    "weights": {"weights": {"a": 2, "b": "1/3"}, "ranged": 2},
    "no star": {"mask": {"max_level": {"a": 1}}},
    "together": {"mask": {"together": [["a", "b"]]}},
    "one star": {"mask": {"max_stars": 1}},
    "patterns": {"mask": {"patterns": [{"a": 1}, {"a": 1, "b": 1}]}},
    "one column": {"others": 0, "rows": (8, 10)},
    "kept": {"mask": {"keep": ["b"]}, "others": 2, "hierarchy": True},
    "any": {"mask": {"any": [{"keep": ["a"]}, {"max_stars": 1, "at_most_one": [["a", "b"]]}]}},
}
FAR = 2  # times the least: nothing drawn here came out dearer when it was looked at


@pytest.mark.few(7)
@pytest.mark.parametrize("kind", KINDS)
def test_small_tables_lie_between_the_bound_and_little_above_the_least(kind):
    for seed in range(2, 2 + how_many(40, 1)):
        asked = grid.drawn(f"{kind} {seed}", **KINDS[kind])
        least = asked.least()
        try:
            release = answered(asked, "auto", least, work=1000)
        except InputError as error:
            assert "puts all its values in one cell" in str(error)
            continue
        if release is not None:
            assert release.exact_cost <= FAR * least


# cost and bound of larger ones, recorded and read by nobody: name, how it is drawn, work, cost, bound
LARGER = (
    ("line", {"others": 0, "rows": (150, 150), "most": 60, "pool": 50, "k": 5, "outliers": "forbid"}, 2.4667, 2.1666),
    ("line, suppress", {"others": 0, "rows": (60, 60), "most": 200, "pool": 60, "k": 4, "outliers": "suppress"}, 2.25, 2.0),
    ("two numbers", {"ranged": 2, "others": 0, "rows": (60, 60), "most": 40, "pool": 12, "k": 3, "outliers": "forbid"}, 13.2387, 12.659),
    ("numbers and texts", {"ranged": 2, "others": 2, "hierarchy": True, "rows": (80, 80), "k": 3, "outliers": "suppress"}, 54.1667, 47.611),
    ("width", {"ranged": 1, "others": 2, "rows": (90, 90), "most": 50, "k": 4, "outliers": "forbid", "cost": "ncp"}, 33.8966, 22.5172),
    ("masked", {"ranged": 1, "others": 2, "rows": (70, 70), "k": 3, "outliers": "forbid", "mask": {"max_stars": 1}}, 24.5715, 20.4285),
)  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize(("name", "how", "cost", "bound"), LARGER)
def test_larger_tables_are_no_worse_than_recorded(name, how, cost, bound):
    asked = grid.drawn(name, **{"pool": 12, **how})
    release = ask(asked, work=3000)
    found = held(asked, release)
    assert found <= cost * 1.02
    assert release.exact_lower_bound >= bound * 0.98


def test_without_a_step_the_coarsest_is_taken_that_costs_little_more_than_the_finest():
    rng = random.Random(7)
    table = pa.table({"a": [str(rng.randrange(100)) for _ in range(120)]})
    asked = {"quasi_identifiers": ["a"], "numeric": ["a"], "k": 4, "recoding": "grid"}
    with incrowd.anonymize(table, **asked, time_limit=60) as chosen:
        told = chosen.facts["grid_steps"]["a"]
        step = float(told["step"])
        costs = {float(one): cost for one, cost in told["compared"]}
        assert chosen.facts["grid"]["a"] == told["step"]
        for one, cost in list(costs.items())[: how_many(9, 2)]:  # each told cost is that of the table with that step
            assert incrowd.anonymize(table, **asked, round=one).cost == pytest.approx(cost)
        assert costs[step] <= 1.01 * costs[min(costs)]
        assert all(cost > 1.01 * costs[min(costs)] for one, cost in costs.items() if one > step)


def test_verify_reads_ranges_by_the_step_that_was_used():
    asked = grid.drawn("verified", ranged=2, rows=(9, 9))
    release = ask(asked, work=300)
    assert not incrowd.verify(table_of(asked), release.table, **asked.said)
