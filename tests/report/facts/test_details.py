"""What a report tells of the original is rounded, and nearly nothing is not nothing."""

import numpy as np

from incrowd.report.facts.details import _before, _percent
from incrowd.tables.values import RowTypes


def test_shares_are_whole_percents_and_only_none_and_all_are_0_and_100():
    assert [_percent(share) for share in (None, 0, 1e-9, 0.004, 0.256, 0.999999, 1)] == [0, 0, 1, 1, 26, 99, 100]


def test_rows_that_differ_in_sensitive_values_alone_are_one_class_of_the_original():
    codes, counts = np.array([[0], [1], [1]], np.int32), np.array([1, 1, 2])
    told = _before(RowTypes(codes=codes, counts=counts, sizes=(2,), kinds=np.array([0, 0, 1], np.int32)))
    assert (told["unique_percent"], told["prosecutor_percent"], told["prosecutor_mean_percent"]) == (25, 100, 50)
