"""Usefulness by hand; at random, against the definition, in `test_measure`."""

import numpy as np

from incrowd.reproduce.data_sets import DataSet
from incrowd.reproduce.measure import pose, usefulness
from incrowd.tables.mask import Mask


def test_numbers_count_by_their_span_and_texts_by_how_many_there_are():
    rows = [("1", "a"), ("3", "b"), ("5", "c"), ("5", "d")]
    data = DataSet(
        name="t", columns=("p", "q"), numeric=("p",), rows=4, file=None, source="", reader=lambda _: iter(rows)
    )
    problem = pose(data, rows, Mask())
    # groups {1, 3} and {5, 5}: spans 1/2 and 0; two of four texts each
    assert abs(usefulness(problem, np.arange(4), np.array([0, 0, 1, 1]), 2) - (0.5 + 0.5 + 0 + 0.5) / 2) < 1e-8
