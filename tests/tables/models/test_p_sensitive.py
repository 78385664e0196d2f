import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.p_sensitive import PSensitive
from oracles.models_drawn import agree


def test_it_decides_as_its_definition():
    agree("p-sensitive", range(40))


@pytest.mark.proofs
def test_it_decides_as_its_definition_on_many_tables():
    agree("p-sensitive", range(1000, 4000))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: PSensitive(0, "x"), "p must be a whole number of at least 1, not 0"),
        (lambda: PSensitive(1.5, "x"), "p must be a whole number"),
    ],
)
def test_bad_settings_are_refused_at_birth(make, said):
    with pytest.raises(PolicyError, match=said):
        make()
