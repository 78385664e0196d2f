import math
import random
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.models import joint
from incrowd.tables.models.entropy import enough_entropy
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.values import Model, Requirement
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


def test_large_groups_are_told_by_digits_and_exact_ties_by_prime_factors():
    assert enough_entropy([4 * 10**6, *[10**6] * 4], Fraction(4))
    assert enough_entropy([4 * 7001, *[7001] * 4], Fraction(4))
    near = Fraction(4) + Fraction(1, 10**30)
    assert not enough_entropy([8001 * 4, *[8001] * 4], near)
    # 5001 and 5003 rows: entropy a hair under log 2
    assert not enough_entropy([5001, 5003], Fraction(2))
    entropy = math.log(10004) - (5001 * math.log(5001) + 5003 * math.log(5003)) / 10004
    assert abs(entropy - math.log(2)) < 1e-7
    assert enough_entropy([5001, 5003], Fraction("1.9999"))


def test_counts_beyond_64_bits_are_decided_exactly():
    domain, _ = plain.domain_of([("a",), ("b",)])
    least = Fraction(2**70 + 1, 2**69)
    requirement = LDiversity(least, "s0").bind(domain)
    kinds, zero = np.array([0, 1]), np.zeros(2, np.int64)
    assert not requirement.meets(zero, kinds, np.array([1, 1]), 1)[0]
    assert LDiversity(2, "s0").bind(domain).meets(zero, kinds, np.array([10**12, 10**12]), 1)[0]


def test_jointly_diverse_rows_differ_in_every_column_as_in_the_papers_definition():
    # a third row that shares a disease with the first and a city with the second lies in no pair
    rows = [("flu", "rome"), ("cold", "oslo"), ("flu", "oslo")]
    assert not met(LDiversity(2, columns=["s0", "s1"], kind="joint"), rows)
    assert met(LDiversity(2, columns=["s0", "s1"], kind="joint"), [*rows, ("cold", "rome")])


def test_a_hard_joint_question_is_declined_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(joint, "STEPS", 2)
    rng = random.Random(1)
    rows = [tuple(str(rng.randrange(6)) for _ in range(3)) for _ in range(40)]
    with pytest.raises(InputError, match="not decided within 2 steps"):
        met(LDiversity(6, columns=["s0", "s1", "s2"], kind="joint"), rows)


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
