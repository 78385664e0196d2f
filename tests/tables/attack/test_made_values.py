"""One value below every label of a hierarchy that is made of values."""

from __future__ import annotations

import random

import pytest

from incrowd.tables.attack.domains import values_below
from incrowd.tables.hierarchy import Dates, Intervals, Prefix


def labels_of(spec, values):
    return sorted({cell for line in spec.lines(values) for cell in line})


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        (Intervals([5, 10], top=90), [str(n) for n in (0, 3, 7, 23, 89, 90, 97)]),
        (Intervals([1, 10]), ["3", "14"]),
        (Intervals([5, 10], start=2), ["7.5", "-3", "22"]),
        (Intervals(["5/2", 5], top=20), ["0", "2.5", "25"]),
        (Intervals(["1/2"]), ["0.25", "7"]),
        (Dates(), ["2020-01-31", "1999-12-01", "2020-11-21"]),
        (Dates(["day", "quarter", "year", "decade", "century"]), ["2020-05-31", "1901-12-01", "0007-01-02"]),
        (Prefix([4, 2]), ["13053", "1306", "99", "13111"]),
    ],
)
def test_every_label_and_value_is_made_of_the_values_found(spec, values):
    labels = labels_of(spec, values)
    found = values_below(spec, labels)
    assert len(found) == len(set(found))
    assert set(labels_of(spec, found)) >= set(labels)
    # also where some of the labels are shown alone
    drawn = random.Random(len(labels))
    for _ in range(20):
        some = drawn.sample(labels, drawn.randint(1, len(labels)))
        assert set(labels_of(spec, values_below(spec, some))) >= set(some), some


def test_prefixes_of_no_given_lengths_depend_on_values_that_no_label_tells():
    assert values_below(Prefix(), ["130*"]) is None
    assert values_below(Prefix([3]), ["130*", "7"]) == ["1300", "7"]
