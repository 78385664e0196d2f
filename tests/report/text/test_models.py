"""Models in words, whether a release tells them as requirements or an audit as models."""

from incrowd.report.text.models import model_name, models_of, threshold_text


def test_requirements_of_a_release_are_models_that_are_met():
    line = {"rule": "t-closeness t=1/3 column=ill distance=ordered", "columns": ["ill"], "reached": 0.25}
    (model,) = models_of({"requirements": [line]})
    assert model == {
        "name": "t-closeness", "column": "ill", "asked": "1/3", "reached": 0.25, "ok": True,
        "settings": {"distance": "ordered"},
    }  # fmt: skip
    assert model_name(model) == "t-closeness of ill (distance ordered)"
    assert threshold_text(model) == "1/3 asked, 0.25 reached"


def test_models_of_an_audit_are_taken_as_they_are():
    model = {"name": "k-anonymity", "column": None, "asked": 3, "reached": None}
    assert models_of({"models": [model], "requirements": ["other"]}) == [model]
    assert models_of({}) == []
    assert model_name(model) == "k-anonymity"
    assert threshold_text(model) == "3 asked, nothing to measure reached"
