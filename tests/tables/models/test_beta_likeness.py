import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.beta_likeness import BetaLikeness
from oracles.models_drawn import agree


def test_it_decides_as_its_definition():
    agree("beta-likeness", range(40))


@pytest.mark.proofs
def test_it_decides_as_its_definition_on_many_tables():
    agree("beta-likeness", range(1000, 4000))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: BetaLikeness(0, "x"), "beta must be a number above 0, not 0"),
    ],
)
def test_bad_settings_are_refused_at_birth(make, said):
    with pytest.raises(PolicyError, match=said):
        make()
