from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.protocols import Model, Requirement
from oracles import sensitive as plain
from oracles.models_drawn import Drawn, l_diversity
from seeds import seeds


def met(model, rows):
    """Whether a table of these sensitive rows, as one class, meets a model."""
    domain, kind = plain.domain_of(rows)
    return bool(model.bind(domain).meets(np.zeros(len(rows), np.int64), kind, np.ones(len(rows), np.int64), 1)[0])


def agree(seed):
    drawn = Drawn(seed)
    for model, definition in l_diversity(drawn):
        found = drawn.met(model)
        for g in range(drawn.groups):
            rows = drawn.members(g)
            assert found[g] == (not rows or definition(rows)), (seed, model.rule)


@seeds(200)
def test_every_kind_decides_as_its_definition(seed):
    agree(seed)


@pytest.mark.proofs
def test_every_kind_decides_as_its_definition_on_many_tables():
    for seed in range(1000, 6000):
        agree(seed)


@seeds(60)
def test_what_is_reached_is_met_and_a_little_more_is_not(seed):
    drawn = Drawn(seed)
    more = {"frequency": Fraction(1, 1000), "distinct": 1, "recursive": 1}
    for kind, step in more.items():
        c = {"c": 2} if kind == "recursive" else {}
        best = drawn.reached(LDiversity(1, "s0", kind=kind, **c))
        if best:
            assert all(drawn.met(LDiversity(best, "s0", kind=kind, **c)))
        assert not all(drawn.met(LDiversity((best or 0) + step, "s0", kind=kind, **c)))
    best = drawn.reached(LDiversity(1, columns=["s0", "s1"], kind="joint"))
    assert all(drawn.met(LDiversity(best, columns=["s0", "s1"], kind="joint")))
    assert not all(drawn.met(LDiversity(best + 1, columns=["s0", "s1"], kind="joint")))


def test_entropies_on_the_boundary_are_met():
    for least in range(1, 8):
        assert met(LDiversity(least, "s0", kind="entropy"), [(str(i),) for i in range(least)] * 3)
    # entropy log 4: 1/2, 1/8, 1/8, 1/8, 1/8 has (N/c)^c = 2^4 * 8^4 = 4^8
    rows = [("a",)] * 4 + [(x,) for x in "bcde"]
    assert met(LDiversity(4, "s0", kind="entropy"), rows)
    assert not met(LDiversity("4.0000000000000001", "s0", kind="entropy"), rows)


def test_it_is_a_model_and_binds_to_a_requirement():
    domain, _ = plain.domain_of([("a",), ("b",)])
    for kind in ("frequency", "distinct", "entropy"):
        model = LDiversity(2, "s0", kind=kind)
        assert isinstance(model, Model)
        assert isinstance(model.bind(domain), Requirement)
        assert model.bind(domain).closed_under_union
        assert model.bind(domain).rule == model.rule
    assert LDiversity(2, "s0").rule == "l-diversity l=2 column=s0"
    assert "no value in more than 1/2 of a class" in LDiversity(2, "s0").describe()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"l": 0.5, "column": "x"}, "l must be a number of at least 1, not 0.5"),
        ({"l": None, "column": "x"}, "l-diversity needs l"),
        ({"l": "many", "column": "x"}, "l must be a number such as"),
        ({"l": 1.5, "column": "x", "kind": "distinct"}, "l must be a whole number for kind='distinct', not 1.5"),
        ({"l": 2, "column": "x", "kind": "entropie"}, "did you mean 'entropy'"),
        ({"l": 2, "column": "x", "kind": "recursive"}, "c belongs to kind='recursive', and that kind needs it"),
        ({"l": 2, "column": "x", "c": 2}, "c belongs to kind='recursive'"),
        ({"l": 2, "column": "x", "kind": "recursive", "c": 0}, "c must be a number above 0, not 0"),
        ({"l": 2, "column": "x", "kind": "joint"}, "names its sensitive columns with columns"),
        ({"l": 2, "kind": "joint", "columns": ["a", "a"]}, "names a column twice"),
        ({"l": 2}, "needs column"),
    ],
)
def test_bad_settings_are_refused_at_birth(settings, said):
    with pytest.raises(PolicyError, match=said):
        LDiversity(**settings)


def test_a_float_means_the_decimal_it_prints_as():
    assert LDiversity(1.1, "x").l == Fraction(11, 10) == LDiversity("1.1", "x").l
