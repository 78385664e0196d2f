"""A release of stars alone says what hierarchies would have kept, where they would."""

import random

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd import LDiversity, Mask
from incrowd.tables.values import RowTypes

rng = random.Random(2)
ROWS = 150
TABLE = pa.table({
    "age": [str(rng.randint(20, 80)) if i % 50 else None for i in range(ROWS)],
    "seen": [f"20{rng.randint(18, 23)}-{rng.randint(1, 12):02}-11" for _ in range(ROWS)],
    "sex": [rng.choice("fm") for _ in range(ROWS)],
    "ill": [rng.choice("abc") for _ in range(ROWS)],
})  # fmt: skip
QI = ["age", "seen", "sex"]


def alone(table=TABLE, **settings):
    settings = {"k": 3, "solver": "greedy", "quasi_identifiers": QI} | settings
    with incrowd.anonymize(table, **settings) as release:
        return release.facts.get("stars_alone"), release.summary()


def test_the_loss_with_and_without_is_said_of_the_same_rows():
    found, summary = alone()
    assert (found["columns"], found["sample_rows"]) == (["age", "seen"], ROWS)
    assert 0 < found["loss_with_hierarchies"] < 0.9 * found["loss"] < 0.9
    assert "star says nothing to an analysis" in " ".join(summary.split())


def test_the_loss_without_is_that_of_the_greedy():
    with incrowd.anonymize(TABLE, quasi_identifiers=QI, k=3, solver="greedy") as release:
        assert release.facts["stars_alone"]["loss"] == pytest.approx(release.cost / (3 * ROWS))


@pytest.mark.few(4, "settings6")
@pytest.mark.parametrize(
    "settings",
    [
        {"hierarchies": "auto"},
        {"hierarchies": {"age": "intervals:5,10,20", "seen": "dates"}},
        {"suppressed": "null"},
        {"recoding": "ranges", "numeric": ["age"], "solver": "mondrian"},
        {"quasi_identifiers": ["sex", "ill"]},
        {"mask": Mask(keep=["age", "seen"])},
        {"k": 20},
        {"k": 1},
        {"table": TABLE.slice(0, 90)},
    ],
)
def test_nothing_is_said_where_nothing_is_to_be_gained(settings):
    assert alone(**settings)[0] is None


def test_requirements_and_masks_are_no_hindrance():
    found, _ = alone(require=[LDiversity(2, "ill")], mask=Mask(max_stars=2), hierarchies={"seen": "dates"})
    assert found is None or found["columns"] == ["age"]


def test_a_sample_is_drawn_alike():
    types = RowTypes(np.array([[0, 1], [1, 0]], np.int32), np.array([7, 9_000], np.int64), (2, 2))
    one, two = types.sample(2_000, 0), types.sample(2_000, 0)
    assert one.n == 2_000 and types.sample(9_007, 0) is types
    assert (one.codes == two.codes).all() and (one.counts == two.counts).all()
