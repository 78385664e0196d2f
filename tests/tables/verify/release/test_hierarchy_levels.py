"""The labels of a hierarchy: at which levels each is shown, and what it costs at the lowest and the highest."""

import random
from fractions import Fraction

import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.verify.release.hierarchy_levels import (
    labels_of,
    leaf_table,
    node_costs,
    pairs_table,
    readings,
    unsure_lines,
)
from seeds import seeds

# "north" stands at two levels, and "d" is shown as itself on the first
LINES = (("a", "north", "north", "*"), ("b", "north", "north", "*"), ("c", "mid", "far", "*"), ("d", "d", "far", "*"))
FITTED = Fitted(Hierarchy(lines=LINES), missing=False)
SHOWN = sorted({cell for line in LINES for cell in line[:-1]})


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def levels_of(label):
    """The levels at which a cell may show a label; a text that is none is a value."""
    return [level for line in LINES for level, cell in enumerate(line[:-1]) if cell == label] or [0]


def test_a_label_is_read_at_every_level_that_shows_it(engine):
    labels = labels_of(engine, FITTED)
    assert labels.height == 3
    for label, number in labels.number.items():
        assert (labels.low[number], labels.high[number]) == (min(levels_of(label)), max(levels_of(label)))
    table = engine.fetch(labels.table).to_pylist()
    assert {line["label"]: line["node"] for line in table} == labels.number


def test_a_missing_value_has_its_line(engine):
    fitted = Fitted(Hierarchy(lines=(("a", "x", "*"), ("NULL", "x", "*"))), missing=True)
    assert set(labels_of(engine, fitted).number) == {"a", "x", None}
    leaves = engine.fetch(leaf_table(engine, fitted, labels_of(engine, fitted))).to_pylist()
    assert {line["leaf"] for line in leaves} == {"a", None}
    assert {(p["leaf"], p["label"]) for p in engine.fetch(pairs_table(engine, fitted)).to_pylist()} == {
        ("a", "x"),
        (None, "x"),
    }


def test_every_leaf_has_the_labels_above_it(engine):
    labels = labels_of(engine, FITTED)
    found = {
        line["leaf"]: (line["n1"], line["n2"]) for line in engine.fetch(leaf_table(engine, FITTED, labels)).to_pylist()
    }
    assert found == {line[0]: (labels.number[line[1]], labels.number[line[2]]) for line in LINES}
    pairs = {(p["leaf"], p["label"]) for p in engine.fetch(pairs_table(engine, FITTED)).to_pylist()}
    assert pairs == {(line[0], label) for line in LINES for label in line[1:-1] if label != line[0]}


@seeds(30, 2)
def test_cells_are_read_between_their_lowest_and_highest_level(engine, seed):
    rng = random.Random(seed)
    rows = [(rng.choice([*SHOWN, "*", "other"]), rng.choice(["x", "*"])) for _ in range(12)]
    table = engine.put(pa.table({"i": range(12), "c0": [a for a, _ in rows], "c1": [b for _, b in rows]}))
    marks = [table[name] == "*" for name in ("c0", "c1")]
    labels = labels_of(engine, FITTED)
    node = labels.number[LINES[0][0]]
    read, names = readings(table, ["c0", "c1"], marks, {0: labels}, {0: [node]})
    found = engine.fetch(read.order_by("i")).to_pylist()
    assert [line["no0"] for line in found] == [node if cell == LINES[0][0] else -1 for cell, _ in rows]
    assert "no0" not in readings(table, ["c0", "c1"], marks, {0: labels})[0].columns
    for line, (cell, plain) in zip(found, rows, strict=True):
        levels = [3] if cell == "*" else levels_of(cell)
        assert [line[name] for name in names[0]] == [min(levels), max(levels)]
        assert [line[name] for name in names[1]] == [int(plain == "*")] * 2


@seeds(30, 2)
def test_shown_labels_cost_what_their_lines_say_at_both_readings(engine, seed):
    rng = random.Random(seed)
    cells = [rng.choice([*SHOWN, "*", "other"]) for _ in range(12)]
    costs = [[Fraction(0), Fraction(rng.randint(1, 4)), Fraction(rng.randint(5, 9), 2), Fraction(10)] for _ in LINES]
    costs[1] = costs[0]  # equal labels cost the same
    costs[3][2] = costs[2][2]
    table = engine.put(pa.table({"c0": cells}))
    found = node_costs(engine, table, "c0", table.c0 == "*", FITTED, labels_of(engine, FITTED), costs)
    for end, reading in enumerate((min, max)):
        wanted = Fraction(0)
        for cell in cells:
            if cell == "*":
                wanted += 10
            elif cell in SHOWN:
                level = reading(levels_of(cell))
                line = next(i for i, one in enumerate(LINES) if cell in one)
                wanted += costs[line][level]
        assert found[end] == wanted


def test_labels_whose_levels_cost_differently_are_told_and_left_out(engine):
    costs = [[Fraction(0), Fraction(1), Fraction(2), Fraction(9)] for _ in LINES]
    labels = labels_of(engine, FITTED)
    unsure = unsure_lines(FITTED, labels, costs)
    assert set(unsure) == {n for n, (low, high) in enumerate(zip(labels.low, labels.high, strict=True)) if low != high}
    assert all(line == costs[0] for line in unsure.values())
    table = engine.put(pa.table({"c0": SHOWN}))
    low, high = node_costs(engine, table, "c0", table.c0 == "*", FITTED, labels, costs, unsure)
    sure = [levels_of(label)[0] for label in SHOWN if len(set(levels_of(label))) == 1]
    assert low == high == sum(costs[0][level] for level in sure)
