"""p-sensitivity, alpha-k, beta-likeness and delta-disclosure; what all models share."""

from fractions import Fraction

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import PolicyError
from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.beta_likeness import BetaLikeness
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.models.exponentials import at_most_exp
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.p_sensitive import PSensitive
from incrowd.tables.models.parse import as_models, everywhere, plain_model
from incrowd.tables.models.t_closeness import TCloseness
from oracles import sensitive as plain
from oracles.models_drawn import Drawn, l_diversity, others, t_closeness
from seeds import seeds


def agree(seed):
    drawn = Drawn(seed)
    for model, definition in others(drawn):
        found = drawn.met(model)
        for g in range(drawn.groups):
            values = [row[0] for row in drawn.members(g)]
            assert found[g] == (not values or definition(values)), (seed, model.rule)


@seeds(200)
def test_every_model_decides_as_its_definition(seed):
    agree(seed)


@pytest.mark.proofs
def test_every_model_decides_as_its_definition_on_many_tables():
    for seed in range(1000, 5000):
        agree(seed)


@seeds(150)
def test_all_but_delta_disclosure_are_closed_under_union(seed):
    drawn = Drawn(seed)
    models = [model for some in (l_diversity, t_closeness, others) for model, _ in some(drawn)]
    one = np.zeros(len(drawn.rows), np.int64)
    for model in models:
        requirement = model.bind(drawn.domain)
        assert requirement.closed_under_union == (model.name != "delta-disclosure")
        if not requirement.closed_under_union:
            continue
        met = drawn.met(model)
        some = np.flatnonzero(np.array(met)[drawn.group])
        if some.size:
            assert requirement.meets(one[some], drawn.kind[some], np.ones(some.size, np.int64), 1)[0], model.rule


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


def test_ratios_a_hair_from_an_exponential_are_told_apart():
    e = Fraction("2.71828182845904523536028747135266249775724709369995")
    hair = Fraction(1, 10**45)
    assert at_most_exp(e - hair, Fraction(1))
    assert not at_most_exp(e + hair, Fraction(1))
    assert at_most_exp(Fraction(1), Fraction(0))
    assert not at_most_exp(1 + hair, Fraction(0))
    assert at_most_exp(1 / (e + hair), Fraction(-1))
    assert not at_most_exp(1 / (e - hair), Fraction(-1))


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
        (lambda: PSensitive(0, "x"), "p must be a whole number of at least 1, not 0"),
        (lambda: PSensitive(1.5, "x"), "p must be a whole number"),
        (lambda: AlphaK(0, "x"), "alpha must be a number above 0 and at most 1, not 0"),
        (lambda: AlphaK(1.5, "x"), "alpha must be a number from 0 to 1, not 1.5"),
        (lambda: BetaLikeness(0, "x"), "beta must be a number above 0, not 0"),
        (lambda: DeltaDisclosure(-1, "x"), "delta must be a number above 0, not -1"),
        (lambda: DeltaDisclosure(1, None), "delta-disclosure needs column"),
    ],
)
def test_bad_settings_are_refused_at_birth(make, said):
    with pytest.raises(PolicyError, match=said):
        make()


ASKED = (
    LDiversity(2, "x"),
    LDiversity("7/3", "x", kind="entropy"),
    LDiversity(3, "x", kind="recursive", c="1/3"),
    LDiversity(2, columns=["x", "y z"], kind="joint"),
    TCloseness(0.1, "x", distance="ordered", order=["b", "a"]),
    TCloseness(0.1, "x", distance=[[0, 1], [1, 0]], order=["b", "a"]),
    TCloseness(0.1, "x", distance="hierarchical", hierarchy=[["a", "p", "*"], ["b", "p", "*"]]),
    PSensitive(2, "x"),
    AlphaK("1/3", "x"),
    BetaLikeness(1, "x", enhanced=True),
    DeltaDisclosure(1, "x"),
)


@pytest.mark.parametrize("model", ASKED, ids=lambda model: model.rule)
def test_a_model_comes_back_from_its_plain_table(model):
    assert as_models([plain_model(model)]) == (model,)


def test_a_model_comes_back_from_its_words():
    for model in ASKED[:3] + ASKED[7:]:
        assert as_models(model.rule) == (model,)
    assert as_models("l-diversity l=2 'columns=x,y z' kind=joint") == (ASKED[3],)
    assert as_models(["k-anonymity k=3"])[0].k == 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("l-diversty l=2", "did you mean 'l-diversity'"),
        ("l-diversity m=2 column=x", "has no setting 'm'"),
        ("l-diversity column=x", "model 'l-diversity' needs l"),
        ("l-diversity l", "'l' has no value"),
        ("l-diversity l=2 l=3 column=x", "'l' is given twice"),
        ("l-diversity l='2", "a quote that is never closed"),
        ("", "require needs a model"),
        ({"l": 2}, "needs its model"),
        (5, "require takes models"),
    ],
)
def test_requirements_that_cannot_be_read_are_refused(asked, said):
    with pytest.raises(PolicyError, match=said):
        as_models([asked])


def test_l_and_t_ask_for_every_sensitive_column_by_itself():
    found = everywhere(["x", "y"], l=Fraction(2), t=TENTH, distances={"y": "ordered"})
    assert found == (
        LDiversity(2, "x"), LDiversity(2, "y"), TCloseness(TENTH, "x"), TCloseness(TENTH, "y", distance="ordered"),
    )  # fmt: skip


TENTH = Fraction(1, 10)


def test_every_registered_model_says_what_it_asks_and_what_an_audit_measures():
    for name in registry.names("models"):
        kind = registry.load("models", name)
        if name != "k-anonymity":
            probes = kind.probes("x", ("1", "2"))
            assert probes
            assert all(probe.judged == ("x",) and "x" in probe.describe() for probe in probes)
