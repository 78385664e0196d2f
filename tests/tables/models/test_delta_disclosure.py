import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from oracles import sensitive as plain
from oracles.models_drawn import agree


def test_it_decides_as_its_definition():
    agree("delta-disclosure", range(40))


@pytest.mark.proofs
def test_it_decides_as_its_definition_on_many_tables():
    agree("delta-disclosure", range(1000, 4000))


def test_a_union_may_break_delta_disclosure():
    # c is absent from the first class, and so rare in the union that it gives itself away
    table = ["a"] * 6 + ["b"] * 6 + ["c"] * 4
    classes = [["a"] * 3 + ["b"] * 3, ["a"] * 2 + ["b"] * 2 + ["c"]]
    assert all(plain.delta(some, table, "0.5") for some in classes)
    assert not plain.delta(classes[0] + classes[1], table, "0.5")
    domain, _ = plain.domain_of([(value,) for value in table])
    requirement = DeltaDisclosure("0.5", "s0").bind(domain)
    kinds = np.array(["abc".index(v) for some in classes for v in some])
    apart, ones = np.array([0] * 6 + [1] * 5), np.ones(11, np.int64)
    assert requirement.meets(apart, kinds, ones, 2).all()
    assert not requirement.meets(apart * 0, kinds, ones, 1).any()


def test_a_delta_a_hair_from_the_ratio_is_decided_exactly():
    domain, _ = plain.domain_of([("a",), ("b",)] * 2)
    # the share of a doubles: ln 2 = 0.693147180559945309417232121458176568...
    above, below = "0.6931471805599453094172321214581766", "0.6931471805599453094172321214581765"
    kinds, zero = np.array([0]), np.zeros(1, np.int64)
    assert DeltaDisclosure(above, "s0").bind(domain).meets(zero, kinds, np.ones(1, int), 1)[0]
    assert not DeltaDisclosure(below, "s0").bind(domain).meets(zero, kinds, np.ones(1, int), 1)[0]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: DeltaDisclosure(-1, "x"), "delta must be a number above 0, not -1"),
        (lambda: DeltaDisclosure(1, None), "delta-disclosure needs column"),
    ],
)
def test_bad_settings_are_refused_at_birth(make, said):
    with pytest.raises(PolicyError, match=said):
        make()


@pytest.mark.parametrize("delta", [0, "-0.5"])
def test_a_delta_that_is_not_above_0_is_refused(delta):
    with pytest.raises(PolicyError, match="delta must be a number above 0"):
        DeltaDisclosure(delta, "s0")
