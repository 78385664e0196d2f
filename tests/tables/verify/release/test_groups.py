"""Classes and loss of a release, recounted by the engine, against a plain count."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.mask import Mask
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.groups import alike_rows, fits, recount_classes, recount_loss
from incrowd.tables.verify.release.rules import Rules
from seeds import seeds


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def drawn(seed):
    rng = random.Random(seed)
    rows = [(rng.choice(["a", "b", "*"]), rng.choice(["x", "*", None])) for _ in range(rng.randint(1, 15))]
    rules = Rules(
        k=rng.randint(1, 4), outliers=rng.choice(["forbid", "suppress"]), names=("p", "q"),
        mask=Mask(keep=rng.choice([[], ["p"], ["q"]])).to_dict(), weights={"q": Fraction(3, 2)},
    )  # fmt: skip
    return rows, rules


def put(engine, rows):
    table = engine.put(pa.table({f"c{j}": pa.array([row[j] for row in rows], pa.string()) for j in range(2)}))
    return table, [(table[f"c{j}"] == "*").fill_null(False) for j in range(2)]


@seeds(40, 3)
def test_classes_are_those_of_equal_rows(engine, seed):
    """Asked of the rows, or of one line for each kind of row."""
    rows, rules = drawn(seed)
    table, _ = put(engine, rows)
    sizes = Counter(rows)
    free = sizes.pop(("*", "*"), 0) if rules.outliers == "suppress" else 0
    small = [n for n in sizes.values() if n < rules.k]
    for lines in (table, alike_rows(engine, table, ["c0", "c1"])):
        starred = [(lines[f"c{j}"] == "*").fill_null(False) for j in range(2)]
        found = recount_classes(engine, lines, ["c0", "c1"], starred, rules)
        assert (found.rows, found.count, found.outliers) == (len(rows), len(sizes), free)
        assert (found.smallest, found.largest) == (min(sizes.values(), default=0), max(sizes.values(), default=0))
        told = [(v.rule, v.count, v.example_group_size) for v in found.violations]
        assert told == ([(f"k={rules.k}", len(small), min(small))] if small else [])


@seeds(40, 3)
def test_stars_are_counted_paid_for_and_judged_by_the_mask(engine, seed):
    rows, rules = drawn(seed)
    table, starred = put(engine, rows)
    found = recount_loss(engine, table, ["c0", "c1"], starred, rules, text=("p", "q"))
    stars = [sum(row[j] == "*" for row in rows) for j in range(2)]
    assert found.cells == (sum(stars), sum(stars))
    cost = sum(n * rules.star_cost(name) for n, name in zip(stars, rules.names, strict=True))
    assert found.cost == (cost, cost)
    allows = rules.reading()
    outside = Counter(marks for row in rows if not allows(marks := tuple(int(cell == "*") for cell in row)))
    told = [(v.rule, v.count, v.example_group_size) for v in found.violations]
    assert told == ([("mask", outside.total(), min(outside.values()))] if outside else [])


def test_a_doubtful_cell_is_paid_for_as_the_mask_lets_it_be_read(engine):
    """q is a star, p may be one: together they both are; else nothing is known of p."""
    table, _ = put(engine, [("a", "x")] * 3)
    never, always = table.c0 == "none", table.c0 == "a"
    for mask, cost in (
        ({"together": [["p", "q"]]}, (6, 6)),
        ({}, (3, 6)),
        ({"keep": ["p"]}, (3, 3)),
        ({"keep": ["q"]}, (3, 6)),
    ):
        words = Mask(**mask, full_suppression="keep" not in mask).to_dict()
        rules = Rules(k=1, outliers="forbid", names=("p", "q"), mask=words, weights={})
        found = recount_loss(engine, table, ["c0", "c1"], [never, always], rules, text=(), maybe=[always, never])
        assert found.cost == cost
        assert bool(found.violations) == ("q" in mask.get("keep", ()))


@seeds(200, 40)
def test_a_doubtful_row_keeps_the_mask_if_some_reading_does(seed):
    rng = random.Random(seed)
    names = ["a", "b", "c", "d"]
    mask = Mask(max_stars=rng.choice([None, 1, 2]), together=[["a", "b"]], keep=rng.choice([[], ["d"]]))
    allows = MaskReading(mask.to_dict(), names, [2, 1, 1, 1])
    low = tuple(rng.randint(0, top) for top in (2, 1, 1, 1))
    high = tuple(rng.randint(a, top) for a, top in zip(low, (2, 1, 1, 1), strict=True))
    every = itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    assert fits(low, high, allows) == any(allows(vector) for vector in every)


def test_too_many_readings_are_refused_with_what_to_do():
    names = [f"c{j}" for j in range(20)]
    allows = MaskReading(Mask(keep=["c0"], together=[["c1", "c0"]]).to_dict(), names, [*[1] * 19, 2])
    with pytest.raises(InputError, match="19 columns can be read in several ways"):
        fits((1, *[0] * 19), (1, *[1] * 19), allows)
