import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.alpha_k import AlphaK
from oracles.models_drawn import agree


def test_it_decides_as_its_definition():
    agree("alpha-k", range(40))


@pytest.mark.proofs
def test_it_decides_as_its_definition_on_many_tables():
    agree("alpha-k", range(1000, 4000))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: AlphaK(0, "x"), "alpha must be a number above 0 and at most 1, not 0"),
        (lambda: AlphaK(1.5, "x"), "alpha must be a number from 0 to 1, not 1.5"),
    ],
)
def test_bad_settings_are_refused_at_birth(make, said):
    with pytest.raises(PolicyError, match=said):
        make()
