"""Optima of real tables, with the certificate rechecked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.tables.compress import compress
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.values import Levels, RowTypes
from incrowd.tables.verify.bound.matching import matching_bound
from incrowd.tables.verify.mask import MaskReading

ADULT_2 = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
]


def stars(sizes):
    return tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)]),
        )
        for d in sizes
    )


def optimum(types, mask=None, names=None, sens=None):
    levels = stars(types.sizes)
    names = names or [f"c{j}" for j in range(types.m)]
    patterns = (mask or Mask()).compile(names, [1] * types.m)
    result = optimal_groups(types.codes, types.counts, levels, patterns, sens=sens)
    assert result.optimal
    allows = MaskReading((mask or Mask()).to_dict(), names, [1] * types.m)
    proven = matching_bound(types, levels, allows, result.certificate.as_dict(), sens=sens)
    assert proven == result.checked == result.cost
    return result


def test_cmc_over_ten_columns_takes_2250_stars(cmc):
    assert optimum(compress(cmc).types).cost == 2250


def test_cmc_with_at_most_two_stars_takes_2932(cmc):
    assert optimum(compress(cmc).types, Mask(max_stars=2)).cost == 2932


def test_cmc_over_nine_columns_2_diverse_on_the_method_takes_2381(cmc):
    types = compress(cmc).types
    nine = RowTypes(np.ascontiguousarray(types.codes[:, :9]), types.counts, types.sizes[:9])
    assert optimum(nine, sens=types.codes[:, 9:]).cost == 2381


def test_nursery_takes_one_star_a_row():
    sizes = (3, 5, 4, 4, 3, 2, 3, 3)
    codes = np.array(list(itertools.product(*map(range, sizes))), np.int32)
    assert optimum(RowTypes(codes, np.ones(len(codes), np.int64), sizes)).cost == 12960


@pytest.mark.proofs
def test_adult_2_takes_21292_stars(adult2):
    assert optimum(compress(adult2).types).cost == 21292


@pytest.mark.proofs
def test_adult_2_under_the_users_mask_takes_29056_stars(adult2):
    mask = Mask(
        max_stars=2,
        keep=["education", "salary-class"],
        together=[["workclass", "occupation"]],
        at_most_one=[["age", "sex", "race"]],
    )
    assert optimum(compress(adult2).types, mask, ADULT_2).cost == 29056


@pytest.mark.proofs
def test_adult_over_14_columns_takes_47400_stars(adult):
    assert optimum(compress(adult).types).cost == 47400
