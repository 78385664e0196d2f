from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.beta_likeness import BetaLikeness
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.models.k_anonymity import KAnonymity
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.p_sensitive import PSensitive
from incrowd.tables.models.parse import as_models, everywhere, names_of, plain_model
from incrowd.tables.models.t_closeness import TCloseness

TENTH = Fraction(1, 10)
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


def test_the_columns_that_models_judge_are_named_once_and_k_anonymity_judges_none():
    assert names_of([KAnonymity(2), LDiversity(2, "x"), TCloseness(0, "y"), AlphaK(1, "x")]) == ("x", "y")
