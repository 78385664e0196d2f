import dataclasses

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.named import KAnonymity
from incrowd.tables.protocols import Model


def test_it_says_what_it_asks():
    assert KAnonymity(5).describe() == "k-anonymity with k=5: every class has at least 5 rows"
    assert KAnonymity(1).describe() == "k-anonymity with k=1: every class has at least 1 row"


@pytest.mark.parametrize("bad", [0, -3, 2.5, "x", None, True, float("nan"), float("inf")])
def test_a_bad_k_is_refused_at_birth_with_value_and_range(bad):
    with pytest.raises(PolicyError, match="k must be a whole number of at least 1, not"):
        KAnonymity(bad)


def test_a_whole_number_in_another_shape_is_taken():
    assert KAnonymity("7") == KAnonymity(7.0) == KAnonymity(k=7)
    assert type(KAnonymity(7.0).k) is int


def test_k_has_no_default():
    with pytest.raises(TypeError):
        KAnonymity()


def test_it_is_a_frozen_model():
    assert isinstance(KAnonymity(2), Model)
    with pytest.raises(dataclasses.FrozenInstanceError):
        KAnonymity(2).k = 3
