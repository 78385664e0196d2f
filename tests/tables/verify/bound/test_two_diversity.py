"""Where pairs and triples of differing rows suffice, as the check reads it."""

import numpy as np

from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.verify.bound.two_diversity import halved_columns, telling


def test_columns_that_are_halved_by_what_is_asked():
    models = [
        LDiversity(2, "a"), LDiversity("3/2", "b"), AlphaK("1/2", "c"), AlphaK("2/3", "d"),
        LDiversity(3, "e"), LDiversity(2, "f", kind="entropy"),
    ]  # fmt: skip
    assert halved_columns(models) == {"a", "c", "e"}


def test_columns_that_tell_the_same_apart_count_once():
    codes = np.array([[0, 4, 1], [1, 5, 1], [0, 4, 2]])
    assert telling(codes).tolist() == [[0, 1], [1, 1], [0, 2]]
