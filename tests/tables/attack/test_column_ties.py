"""Columns that pass unchanged and tell a quasi-identifier are found; those that are only alike, or unique, are not."""

import random

import numpy as np
import pyarrow as pa
import pytest

from incrowd.progress import Watch
from incrowd.tables.attack import column_ties as module
from incrowd.tables.attack.column_ties import column_ties, tie_of
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.roles import Reading, Roles

rng = random.Random(4)
ROWS = 600
AGES = [rng.randint(0, 94) for _ in range(ROWS)]
ZIPS = [rng.choice(["01067", "01069", "10115", "10117", "20095", "80331"]) for _ in range(ROWS)]
COLUMNS = {
    "zip": ZIPS,
    "born": [f"{2020 - age}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}" for age in AGES],
    "age": [str(age) for age in AGES],
    "band": [f"{age // 10 * 10}-" for age in AGES],
    "town": ["Dresden" if z < "1" else "Berlin" if z < "2" else "far" for z in ZIPS],
    "nearly": [z if rng.random() < 0.97 else "?" for z in ZIPS],
    "half": [z if rng.random() < 0.5 else "?" for z in ZIPS],
    "free": [rng.choice("abcdef") for _ in ZIPS],
    "row": [f"r{i}" for i in range(ROWS)],
    "one": ["x"] * ROWS,
    "gaps": [z if i % 20 == 0 else None for i, z in enumerate(ZIPS)],
}


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def found(engine, known, kept, columns=COLUMNS, **settings):
    table = pa.table({name: columns[name] for name in (*known, *kept)})
    came = open_source(engine, table, Reading())
    opened = with_roles(engine, came, Roles(quasi_identifiers=known), text=known, star="*")
    return column_ties(opened, known, **settings)


def names(ties):
    return {(line["column"], line["quasi_identifier"]): line["how"] for line in ties["column_ties"]}


def test_functions_near_functions_and_columns_in_step_are_found_and_nothing_else(engine):
    kept = ("age", "band", "town", "nearly", "half", "free", "row", "one", "gaps")
    ties = found(engine, ("zip", "born"), kept)
    assert names(ties) == {
        ("town", "zip"): ["follows"],
        ("nearly", "zip"): ["tells", "follows"],
        ("age", "born"): ["in_step"],
        ("band", "born"): ["in_step"],
    }
    assert ties["column_pairs"] == {"looked_at": 18, "possible": 18}
    back = found(engine, ("town", "age"), ("zip", "band", "born"))
    assert names(back) == {
        ("zip", "town"): ["tells"],
        ("band", "age"): ["follows", "in_step"],
        ("born", "age"): ["in_step"],
    }


def test_numbers_are_ranked_by_their_size_and_a_falling_one_counts_too(engine):
    columns = {"pay": [str(7 * a) for a in AGES], "left": [-3 * a for a in AGES], "age": AGES}
    ties = found(engine, ("age",), ("pay", "left"), columns)
    assert names(ties) == {key: ["tells", "follows", "in_step"] for key in [("pay", "age"), ("left", "age")]}


@pytest.mark.parametrize("seed", range(5))
def test_the_chance_is_that_of_two_rows_with_the_same_value(seed):
    draw = np.random.default_rng(seed)
    one = draw.integers(-1, 12, 400)
    other = np.where(draw.random(400) < 0.01, draw.integers(0, 9, 400), one // 2)
    other[draw.random(400) < 0.05] = -1
    there = [(a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True) if min(a, b) >= 0]
    shares = []
    for i, (a, b) in enumerate(there):
        twins = [y for j, (x, y) in enumerate(there) if x == a and j != i]
        if twins:
            shares.append(sum(y == b for y in twins) / len(twins))
    tie = tie_of(one, other)
    assert tie["tells"] == pytest.approx(sum(shares) / len(shares), abs=1e-4)
    assert "follows" not in tie  # two values of the one behind each of the other


def test_values_that_stand_alone_and_few_rows_tell_nothing():
    alone = np.arange(200)
    assert set(tie_of(alone, np.arange(200) // 50)) <= {"in_step"}
    assert not tie_of(np.arange(49) % 3, np.arange(49) % 3)
    assert not tie_of(np.arange(500) % 5, np.zeros(500, np.int64))


def test_a_wide_table_is_looked_at_in_part_and_says_so(engine, monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 3)
    ties = found(engine, ("zip", "born"), ("town", "free"))
    assert ties["column_pairs"] == {"looked_at": 3, "possible": 4}
    stopped = Watch()
    stopped.interrupt()
    assert found(engine, ("zip",), ("town",), watch=stopped)["column_pairs"]["looked_at"] == 0
    assert found(engine, ("zip",), ()) == {"column_ties": []}


def test_large_tables_are_looked_at_in_a_sample(engine, monkeypatch):
    monkeypatch.setattr(module, "SAMPLE_ROWS", 150)
    assert names(found(engine, ("zip",), ("town", "free"))) == {("town", "zip"): ["follows"]}
